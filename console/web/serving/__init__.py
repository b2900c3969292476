"""The process that serves the pages; what the network says ends here."""
