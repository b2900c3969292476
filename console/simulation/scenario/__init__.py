"""The scenario language, and what plays it."""
