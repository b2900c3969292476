"""Every text that people read, in Italian and English, and how text is laid out."""
