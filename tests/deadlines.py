"""How long a test waits for what must happen before it says that something hangs."""

DEADLINE_S = 300
"""For whatever waits for an event: a process's line, a file, an answer.

Nothing that goes on takes so long, on a busy machine neither; what a test claims of a time has a
bound of its own.
"""
