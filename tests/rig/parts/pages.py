"""The pages of a real table, as docs/reference/pages.md starts them: their unit, its socket, a
browser.
"""

from random import Random
from shlex import quote

from tests.rig.image.banco import PEOPLE, PIN
from tests.rig.machine.table import Table

ADDRESS = "127.0.0.1:8080"
UNITS = ("banco", "banco-web")
SECTION = f'\n[web]\nlisten = "{ADDRESS}"\n'
START = (
    f"printf %s {quote(SECTION)} >> /etc/banco/table.toml",
    "systemctl restart banco",
    "systemctl enable --now banco-web",
)
VISIT = """
import json, sys, time
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener
site, name, pin = sys.argv[1:]
browser = build_opener(HTTPCookieProcessor())
login = Request(f"{site}/supervisor/login", json.dumps({"name": name, "pin": pin}).encode())
login.add_header("Origin", site)
login.add_header("Content-Type", "application/json")
for asked in (f"{site}/sign", login, f"{site}/supervisor/meters", f"{site}/supervisor/report.txt"):
    for _ in range(20):
        try:
            answer = browser.open(asked, timeout=300)
        except HTTPError as refusal:
            answer = refusal
        body = answer.read()
        if answer.status != 503:
            break
        time.sleep(2)
    print(answer.status, answer.headers.get_content_type())
    if answer.status != 200:
        print(body[:300])
"""
VISIT_SIGN = f"""
from urllib.request import urlopen
print(urlopen("http://{ADDRESS}/sign", timeout=600).status)
"""
"""systemd holds the socket. The pages run when nobody else does, so nobody looks meanwhile."""

SEEN = "200 text/html 200 application/json 200 application/json 200 text/plain"
"""The sign for everybody; meters and bordereau for who has entered, asked again if it is busy."""


async def serve_pages(table: Table, _: Random) -> None:
    """The section, the unit, a visit; then the pages fall, and the table does not."""
    for line in START:
        await table.guest.sh(line, 300)
    await table.wait_for_devices()
    floor_manager = next(name for name, duty in PEOPLE.items() if duty == "floor-manager")
    words = ("python3", "-c", VISIT, f"http://{ADDRESS}", floor_manager, PIN)
    text = await table.guest.sh(" ".join(map(quote, words)), 900)
    table.report.hold("pages: sign, meters and bordereau", text.split() == SEEN.split(), text)
    service, pages = [await table.read_unit("MainPID", unit) for unit in UNITS]
    await table.guest.sh("systemctl kill -s KILL banco-web")
    status = await table.guest.sh(f"python3 -c {quote(VISIT_SIGN)}", 600)
    after = await table.read_unit("MainPID", "banco-web")
    back = status == "200" and after != pages
    table.report.hold("the pages are killed: who asks meanwhile is answered", back, status)
    same = await table.read_unit("MainPID") == service
    table.report.hold("and the table's service has gone on", same)
    await table.guest.sh("systemctl disable --now banco-web banco-web.socket")
