"""Roles: one small interface per device of the cabinet, and its drivers."""
