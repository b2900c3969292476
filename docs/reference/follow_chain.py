"""Follow a ledger's chain, and rebuild its accounts: python follow_chain.py FOLDER.

Without banco (docs/reference/ledger.md).
"""

import json
import sqlite3
import sys
from hashlib import sha256

db = sqlite3.connect(f"file:{sys.argv[1]}/ledger.db?mode=ro", uri=True)
text = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
anchor = "SELECT anchor_hash, anchor_balances FROM meta"
previous, balances = db.execute(anchor).fetchone()
accounts = json.loads(balances)
for *row, money, digest in db.execute("SELECT * FROM journal ORDER BY seq"):
    movements = json.loads(money or "[]")
    for _, _, postings in movements:
        for account, units in postings:
            accounts[account] += units
    if sha256(previous + text([row, movements]).encode()).digest() != digest:
        sys.exit(f"record {row[0]}: the hash does not fit")
    previous = digest
print(previous.hex(), accounts)
