"""The guided test of a cabinet: its parts and steps, their judges, and the report."""
