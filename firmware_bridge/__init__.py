"""Wire protocols, one package or module each: frames, links, serial ports."""
