"""Ask a table for its state: python ask_status.py SOCKET (docs/dev/local-line.md)."""

import json
import socket
import sys

line = socket.socket(socket.AF_UNIX)
line.settimeout(20)
line.connect(sys.argv[1])
line.sendall(json.dumps({"ask": "status"}).encode() + b"\n")
status = json.loads(line.makefile("rb").readline())
print(status["phase"], status["accounts"]["jackpot"], *status["faults"])
