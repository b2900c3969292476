"""What is no request of HTTP, by what is wrong with it."""

MALFORMED = {
    "no request": ("NONSENSE",),
    "a method": ("B\x00D / HTTP/1.1", "Host: localhost"),
    "a long line": ("GET /" + "x" * 10_000 + " HTTP/1.1", "Host: localhost"),
    "a long header": ("GET / HTTP/1.1", "Host: localhost", "X: " + "y" * 10_000),
    "many headers": ("GET / HTTP/1.1", "Host: localhost", *(f"X{n}: y" for n in range(1000))),
    "two lengths": ("POST / HTTP/1.1", "Host: localhost", "Content-Length: 1, 2"),
    "a bad header": ("GET / HTTP/1.1", "Host: localhost", "X Y: z"),
}
