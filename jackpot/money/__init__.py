"""Money: cents, the five accounts, movements between them, prizes and what they pay, the rake."""
