"""From the cabinet's page to the others, its language, and a page that is not there."""

import shlex
import subprocess
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import Visits
from tests.browser.supervisor import NAME, PIN, SupervisorPage
from tests.browser.web_table import WebTable

pytestmark = pytest.mark.sampled(of=2)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("locale", "path", "text"),
    [
        ("en-GB", "/cabinet", "GAME OVER opens betting."),
        ("it-CH", "/cabinet", "GAME OVER apre le puntate."),
        ("fr-FR", "/cabinet", "GAME OVER apre le puntate."),
        ("en-GB", "/cabinet?lang=it", "GAME OVER apre le puntate."),
    ],
)
def test_the_cabinets_page_speaks_the_browsers_language(
    table: Callable[..., WebTable], visits: Visits, locale: str, path: str, text: str
) -> None:
    """One that it does not speak leaves the table's, and an address counts before both."""
    page = visits.to(table(language="it"), path, locale=locale)
    expect(page.locator("#step")).to_have_text(text)


def test_from_the_cabinet_to_the_sign_and_to_the_supervisor(
    table: Callable[..., WebTable], visits: Visits
) -> None:
    ours = table(language="en")
    page = visits.to(ours, "/cabinet")
    with page.expect_popup() as sign:
        page.get_by_role("link", name="Sign", exact=True).click()
    expect(sign.value.locator("#betting")).to_have_text("Table closed")
    with page.expect_popup() as supervisor:
        page.get_by_role("link", name="Supervisor").click()
    command = supervisor.value.locator("#enrol")
    expect(command).to_contain_text(f"enrol {NAME} --duty floor-manager")
    assert violations(supervisor.value) == []
    subprocess.run(
        shlex.split(command.inner_text()), input=f"{PIN}\n{PIN}\n", text=True, check=True
    )
    SupervisorPage(supervisor.value).enter().shows("now")


@pytest.mark.sampled
@pytest.mark.parametrize("locale", ["it", "en"])
def test_a_page_that_is_not_there_leads_back(
    table: Callable[..., WebTable], visits: Visits, locale: str
) -> None:
    visits_page = visits.to(table(language="it"), "/")
    visits.expect("404")
    visits_page.goto(visits_page.url + "superviser")
    assert violations(visits_page) == []
    expect(visits_page.get_by_text("There is no page at this address.")).to_be_visible()
    way = {"it": "Alla pagina iniziale", "en": "To the first page"}[locale]
    visits_page.get_by_role("link", name=way).click()
    expect(visits_page.locator(f'html[lang="{locale}"] #step')).to_be_visible()
