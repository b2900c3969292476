"""Wire protocols, one package or module each: frames, sessions, serial ports."""
