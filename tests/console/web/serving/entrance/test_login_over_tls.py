"""A PIN is taken over TLS, and where others could read along not at all."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiohttp import ClientSession, CookieJar, UnixConnector, web
from aiohttp.test_utils import TestClient, TestServer
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from console.web.serving.viewers import Viewers
from tests.console.line.access.login_bench import PIN, enrol
from tests.console.web.entering import life
from tests.console.web.supervised import application_of, opening_of


def test_a_pin_is_not_taken_where_others_could_read_along(tmp_path: Path) -> None:
    """A socket file is neither TLS nor this machine's own address: so is a network"""
    enrol(tmp_path / "people.toml", "anna")

    async def story() -> None:
        runner = web.AppRunner(application_of(opening_of(tmp_path / "ledger"), tmp_path, Viewers()))
        await runner.setup()
        socket = str(tmp_path / "s")
        await web.UnixSite(runner, socket).start()
        headers = {"Origin": "http://127.0.0.1"}
        credentials = {"name": "anna", "pin": PIN}
        async with ClientSession(connector=UnixConnector(socket)) as client:
            url = "http://127.0.0.1/supervisor/login"
            async with client.post(url, json=credentials, headers=headers) as answer:
                assert answer.status == 403
                assert (await answer.json())["refused"] == "NOT_SAFE"
                assert "Set-Cookie" not in answer.headers
        await runner.cleanup()

    life(story())


def test_over_tls_the_cookie_is_sent_over_nothing_else(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")

    async def story() -> None:
        app = application_of(opening_of(tmp_path / "ledger"), tmp_path, Viewers())
        server = TestServer(app, scheme="https")
        await server.start_server(ssl=own_certificate(tmp_path))
        async with TestClient(server, cookie_jar=CookieJar(unsafe=True)) as client:
            credentials, origin = {"name": "anna", "pin": PIN}, str(server.make_url("/").origin())
            post = client.post(
                "/supervisor/login", json=credentials, headers={"Origin": origin}, ssl=False
            )
            async with post as answer:
                assert answer.status == 200
                assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
                cookie = answer.headers["Set-Cookie"]
            assert cookie.startswith("__Host-banco-")
            assert "secure" in {part.strip().lower() for part in cookie.split(";")}
            async with client.get("/supervisor/faults", ssl=False) as answer:
                assert answer.status == 200

    life(story())


def test_over_tls_a_page_without_tls_asks_for_nothing(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")

    async def story() -> None:
        app = application_of(opening_of(tmp_path / "ledger"), tmp_path, Viewers())
        server = TestServer(app, scheme="https")
        await server.start_server(ssl=own_certificate(tmp_path))
        async with TestClient(server) as client:
            clear = str(server.make_url("/").origin().with_scheme("http").with_port(server.port))
            post = client.post(
                "/supervisor/login",
                json={"name": "anna", "pin": PIN},
                headers={"Origin": clear},
                ssl=False,
            )
            async with post as answer:
                assert answer.status == 403
                assert "Set-Cookie" not in answer.headers

    life(story())


def own_certificate(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate nobody has signed but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cs-1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    file = folder / "tls.pem"
    file.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + certificate.public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
