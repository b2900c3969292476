"""Money: amounts, prize tables, accounts, the ledger, reports."""
