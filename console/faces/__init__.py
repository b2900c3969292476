"""Where somebody in front of a simulated cabinet sees it and acts on it: a screen, or a pipe."""
