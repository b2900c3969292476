"""The cabinet before the technician: what it has, what its inputs tell, outputs driven by hand."""
