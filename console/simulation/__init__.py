"""The simulated cabinet and everything that plays at one."""
