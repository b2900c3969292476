"""Check an export: python check_export.py EXPORT PUBLIC-KEY (docs/how-to/audit.md).

Signature, chain, postings and balances, without banco. Needs the library cryptography.
"""

import json
import sys
from hashlib import sha256

from cryptography.hazmat.primitives.serialization import load_pem_public_key

digest, previous, accounts, told, end = sha256(), b"", {}, {}, {}
with open(sys.argv[1], "rb") as file:
    for number, line in enumerate(file, 1):
        if "signature" in told:
            sys.exit(f"line {number}: after the signature")
        told = json.loads(line)
        if "signature" in told:
            continue
        digest.update(line)
        if number == 1:
            previous, accounts = bytes.fromhex(told["previous"]), told["balances"]
        elif "hashed" in told:
            previous = sha256(previous + line[84:-2]).digest()
            if previous.hex() != told["hash"]:
                sys.exit(f"line {number}: the hash does not fit")
            for identity, _, postings in told["hashed"][1]:
                if sum(units for account, units in postings):
                    sys.exit(f"line {number}: {identity} does not sum to zero")
                for account, units in postings:
                    accounts[account] += units
        else:
            end = told
            if (end["hash"], end["balances"]) != (previous.hex(), accounts):
                sys.exit(f"line {number}: this is not what the records lead to")
with open(sys.argv[2], "rb") as file:
    key = load_pem_public_key(file.read())
key.verify(bytes.fromhex(told["signature"]), digest.digest())
print(end["seq"], end["hash"])
print(json.dumps(end["balances"]))
