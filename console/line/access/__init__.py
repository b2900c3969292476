"""Who may do something on the local line: people enrolled, their PINs, their time."""
