"""Bytes: frames, links, serial ports; one module per wire protocol."""
