"""A time-stamping server (RFC 3161): openssl behind a small HTTP server."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

CONFIGURATION = """
[req]
prompt = no
distinguished_name = name
[name]
CN = {name}
[authority]
basicConstraints = critical, CA:true
[signer]
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = here
[here]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
"""


class StampAuthority:
    """A house's authority, and the certificate of its time-stamping server."""

    def __init__(self, folder: Path, name: str = "house") -> None:
        folder.mkdir()
        self.folder = folder
        self.root = folder / "root.crt"
        (folder / "openssl.cnf").write_text(CONFIGURATION.format(folder=folder, name=name), "utf-8")
        (folder / "serial").write_text("0A\n", "utf-8")
        ec = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-batch")
        config = ("-config", str(folder / "openssl.cnf"))
        root = ("-keyout", "root.key", "-out", "root.crt", "-extensions", "authority")
        self._run("req", "-x509", *ec, *root, "-days", "36500", *config)
        self._run("req", *ec, "-keyout", "tsa.key", "-out", "tsa.csr", *config)
        by = ("-CA", "root.crt", "-CAkey", "root.key", "-extensions", "signer", "-days", "36500")
        signed = ("-in", "tsa.csr", "-out", "tsa.crt", "-extfile", "openssl.cnf")
        self._run("x509", "-req", *by, *signed)

    def answer(self, query: bytes) -> bytes:
        """The reply to a query."""
        (self.folder / "query").write_bytes(query)
        signer = ("-signer", "tsa.crt", "-inkey", "tsa.key", "-chain", "root.crt")
        asked = ("-config", "openssl.cnf", "-queryfile", "query", "-out", "reply")
        self._run("ts", "-reply", *asked, *signer)
        return (self.folder / "reply").read_bytes()

    def verify(self, digest: str, reply: Path) -> str:
        """What `openssl ts -verify` says, as docs/how-to/witness.md writes it."""
        words = ["ts", "-verify", "-digest", digest, "-in", str(reply), "-CAfile", str(self.root)]
        done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def _run(self, *words: str) -> None:
        subprocess.run(["openssl", *words], cwd=self.folder, capture_output=True, check=True)


class StampServer(HTTPServer):
    """Answers queries with an authority's stamps."""

    def __init__(self, authority: StampAuthority) -> None:
        super().__init__(("127.0.0.1", 0), AnswerQuery)
        self.authority = authority

    @property
    def address(self) -> str:
        """As a configuration has it."""
        return f"http://127.0.0.1:{self.server_address[1]}/tsr"


class AnswerQuery(BaseHTTPRequestHandler):
    """One query."""

    server: StampServer

    def do_POST(self) -> None:
        """Answer it."""
        query = self.rfile.read(int(self.headers["Content-Length"]))
        reply = self.server.authority.answer(query)
        self.send_response(200)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""


@contextmanager
def run_stamp_server(authority: StampAuthority) -> Iterator[StampServer]:
    """A server that ends with the block."""
    with StampServer(authority) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
