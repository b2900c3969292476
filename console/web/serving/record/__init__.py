"""The record on the pages: it is read as it grows, and sent to who may see it."""
