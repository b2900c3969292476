"""The rake calculator on the supervisor's page: one session, house by house."""

from collections.abc import Callable

from playwright.sync_api import expect

from console.rules.codes import Duty
from tests.browser.conftest import Visits
from tests.browser.supervisor import NAME, PIN, SupervisorPage
from tests.browser.web_table import WebTable


def test_the_rake_of_a_hand(table: Callable[..., WebTable], visits: Visits) -> None:
    ours = table(language="it")
    ours.enrol(NAME, Duty.FLOOR_MANAGER, PIN)
    page = visits.to(ours, "/supervisor")
    SupervisorPage(page).enter().shows("now").open("rake")
    line, status = page.locator("#rake-line"), page.locator("#rake-status")
    expect(page.locator("#rake-answer")).to_be_hidden()
    pots = page.locator("#rake-pots")
    expect(pots).to_have_accessible_name("Piatti, EUR")
    pots.fill("100 200 1000,00")
    pots.press("Enter")
    expect(line).to_have_text("5+10+15")
    expect(page.locator("#rake-answer")).to_contain_text("30 EUR in tutto, da 1.300,00 EUR")
    visits.expect("400")
    pots.fill("100 meno")
    pots.press("Enter")
    expect(status).to_contain_text("importi come 100 o 12,50")
    expect(pots).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#rake-answer")).to_be_hidden()
    page.locator("#language").click()
    expect(status).to_contain_text("amounts such as 100 or 12.50")
    house = page.get_by_label("House")
    house.select_option("prestige")
    expect(status).to_be_empty()
    expect(page.get_by_label("Cap, EUR")).to_be_hidden()
    pots.fill("132")
    page.get_by_label("Short-handed: half").check()
    page.get_by_role("button", name="Reckon").click()
    expect(line).to_have_text("3")
    house.select_option("san-marino")
    pots.fill("100 100")
    page.get_by_label("Rate, %").fill("5")
    page.get_by_label("Fixed part, EUR").fill("2")
    page.get_by_role("button", name="Reckon").click()
    expect(line).to_have_text("7+5")
    page.locator("#leave").click()
    SupervisorPage(page).enter().open("rake")
    expect(page.locator("#rake-answer")).to_be_hidden()
    expect(pots).to_be_empty()
