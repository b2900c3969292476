"""Trust: what proves the ledger to others: second copy, seal, signed heads, exports, archives."""
