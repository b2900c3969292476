"""Check signed heads: python check_heads.py HEADS PUBLIC-KEY (docs/how-to/audit.md).

HEADS has one head a line, as JSON. Needs the library cryptography.
"""

import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key

with open(sys.argv[2], "rb") as file:
    key = load_pem_public_key(file.read())
with open(sys.argv[1], "rb") as file:
    for line in file:
        head = json.loads(line)
        signature = bytes.fromhex(head.pop("signature"))
        text = json.dumps(head, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        key.verify(signature, b"banco-signed-head 1\n" + text.encode())
        print(head["seq"], head["hash"], head["counter"])
