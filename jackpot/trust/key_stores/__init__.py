"""Where a table's own key and its counter are kept: the role KeyStore and its drivers."""
