"""A house's own prizes on the pages: currency, new names, envy, and `MAX` at the limit."""

import pytest
from playwright.sync_api import expect

from console.rules.codes import Duty
from tests.browser.conftest import Visits
from tests.browser.sign import PAID, TABLE, Sign
from tests.browser.supervisor import NAME, PIN, SupervisorPage
from tests.browser.web_table import Tables

PRIZES = """
currency = "CHF"
limit = "10000.00"

[[prize]]
combination = "MINI_ROYAL"
it = "MINI SCALA"
en = "MINI ROYAL"
share = "10"
envy = "25.00"
key = "JPH"

[[prize]]
combination = "FLUSH"
amount = "50.00"
from = "house"
envy = "5.00"
key = "JPL"
"""
STAKED = ("press GAME_OVER", "token 1 2 3", "press COIN_IN")
MINI_PENDING = ("press MINI_ROYAL", "key JPH", "press JPOT")
FLUSH_PENDING = ("press FLUSH", "key JPL", "press JPOT")

WORDS = {
    "it": {
        "max": "10.000,00",
        "spoken": "Jackpot 10.000,00 CHF MAX",
        "name": "MINI SCALA",
        "each": "Envy x2: 25,00 CHF ciascuno",
        "rest": "Jackpot 8.950,00 CHF",
        "account": "10.000,00 CHF MAX",
        "pending": "In sospeso: MINI SCALA, vincitori: 1, 1.000,00 CHF ciascuno",
        "record": "MINI SCALA x1, 1.000,00 ciascuno, envy x2 25,00 ciascuno dal jackpot",
        "accounts": "Conti, CHF",
    },
    "en": {
        "max": "10,000.00",
        "spoken": "Jackpot 10,000.00 CHF MAX",
        "name": "MINI ROYAL",
        "each": "Envy x2: 25.00 CHF each",
        "rest": "Jackpot 8,950.00 CHF",
        "account": "10,000.00 CHF MAX",
        "pending": "Pending: MINI ROYAL, winners: 1, each 1,000.00 CHF",
        "record": "mini royal x1, 1,000.00 each, envy x2 25.00 each from the jackpot",
        "accounts": "Accounts, CHF",
    },
}


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_sign_shows_currency_limit_name_and_envy(
    table: Tables, visits: Visits, language: str
) -> None:
    words = WORDS[language]
    ours = table("caribbean-stud", language, prizes=PRIZES)
    ours.play(*STAKED)
    wall = Sign.of(visits, ours)
    small = Sign.of(visits, ours, "?size=small", viewport=TABLE)
    for sign in (wall, small):
        expect(sign.amount).to_have_text(words["max"])
        expect(sign.page.locator("#max")).to_be_visible()
        expect(sign.page.locator("#currency")).to_have_text("CHF")
        expect(sign.page.locator("#spoken")).to_have_text(words["spoken"])
    ours.play(*MINI_PENDING)
    for sign in (wall, small):
        sign.shows_texts(words["name"], words["each"], words["rest"])
        expect(sign.award.locator(".award-currency")).to_have_text("CHF")
        expect(sign.page.locator("#max")).to_be_hidden()
    ours.play(PAID)
    for sign in (wall, small):
        sign.shows_texts(words["name"], words["each"])
    expect(wall.page.locator("#wins .each")).to_contain_text("CHF")
    assert "EUR" not in wall.page.locator("body").inner_text()


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_cabinet_shows_currency_limit_name_and_envy(
    table: Tables, visits: Visits, language: str
) -> None:
    words = WORDS[language]
    ours = table("caribbean-stud", language, prizes=PRIZES)
    ours.play(*STAKED)
    page = visits.to(ours, "/cabinet")
    jackpot = page.locator("[data-account=jackpot] .amount")
    expect(jackpot).to_have_text(words["account"])
    expect(page.locator(".combinations")).to_contain_text(words["name"])
    ours.play(*MINI_PENDING)
    expect(jackpot).not_to_contain_text("MAX")
    expect(page.locator("#news")).to_contain_text(words["pending"])
    expect(page.locator("#news")).to_contain_text(words["each"])
    expect(page.locator("#record")).to_contain_text(words["record"])
    assert "EUR" not in page.locator("body").inner_text()


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_supervisor_sees_currency_limit_name_and_envy(
    table: Tables, visits: Visits, language: str
) -> None:
    words = WORDS[language]
    ours = table("caribbean-stud", language, prizes=PRIZES)
    ours.play(*STAKED)
    ours.enrol(NAME, Duty.FLOOR_MANAGER, PIN)
    page = SupervisorPage(visits.to(ours, "/supervisor")).enter().page
    accounts = page.locator("#now")
    expect(accounts).to_contain_text(words["account"])
    expect(accounts).to_contain_text(words["accounts"])
    ours.play(*MINI_PENDING)
    expect(accounts).to_contain_text(words["pending"])
    expect(accounts).to_contain_text(words["each"])
    ours.play(PAID)
    expect(accounts).to_contain_text(words["record"])
    assert "EUR" not in page.locator("body").inner_text()


EMPTY = {"opening": "0.00", "base": "0.00", "to_jackpot": "0"}


def test_an_award_of_the_house_leaves_an_empty_jackpot_alone(table: Tables, visits: Visits) -> None:
    ours = table("caribbean-stud", "en", prizes=PRIZES, money=EMPTY)
    sign = Sign.of(visits, ours)
    ours.play(*STAKED, *FLUSH_PENDING)
    sign.shows_texts("FLUSH", "Jackpot 0.00 CHF")
    assert "whole jackpot" not in sign.award.inner_text()
    ours.play(PAID)
    expect(sign.page.locator("html")).to_have_attribute("data-award", "paid")
    expect(sign.page.locator("html")).to_have_attribute("data-grade", "win")
