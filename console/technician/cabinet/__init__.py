"""The cabinet, for the technician: its equipment, its inputs, outputs driven by hand."""
