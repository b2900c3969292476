"""The process's event loop and the watchdog."""
