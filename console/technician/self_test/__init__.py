"""The guided test of a cabinet: its parts and steps, who judges them, and the report."""
