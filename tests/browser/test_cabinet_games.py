"""All six games: each page has what its table has, and nothing else."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.cabinet import Cabinet
from tests.free_port import free_port

pytestmark = pytest.mark.sampled(of=2)


def act(ours: Cabinet, line: str) -> Cabinet:
    """Touch what does this on the felt."""
    ours.page.locator(f'.machine [data-act="{line}"]').click()
    return ours


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "seats", "lit", "shuffler", "shoe", "cables"),
    [
        ("caribbean-stud", 7, 5, 1, 0, 6),
        ("tre-card-stud", 7, 5, 1, 0, 6),
        ("ultimate-texas-holdem", 0, 0, 1, 0, 5),
        ("mini-punto-banco", 0, 0, 1, 1, 6),
        ("black-jack", 0, 0, 0, 1, 5),
        ("texas-holdem", 0, 5, 0, 0, 4),
    ],
)
def test_a_page_has_what_its_table_has(
    cabinet: Callable[..., Cabinet],
    game: str,
    seats: int,
    lit: int,
    shuffler: int,
    shoe: int,
    cables: int,
) -> None:
    page = cabinet("en", game).page
    expect(page.locator(".spot:visible")).to_have_count(seats)
    expect(page.locator("#shuffler:visible")).to_have_count(shuffler)
    expect(page.locator("#shoe:visible")).to_have_count(shoe)
    expect(page.locator(".cable:visible")).to_have_count(cables)
    expect(page.locator('[data-press="JPOT"]')).to_have_count(1 if lit else 0)
    expect(page.locator(".combination")).to_have_count(lit)
    expect(page.locator("#accounts:visible")).to_have_count(1 if seats else 0)


def test_caribbean_stud_with_two_decks(cabinet_with_red_deck: Callable[..., Cabinet]) -> None:
    ours = cabinet_with_red_deck("en", "caribbean-stud")
    act(ours, "deck load blue")
    expect(ours.page.locator(".deck-behind")).to_have_attribute("data-back", "blue")
    expect(ours.page.locator("#shuffler-state")).to_have_text("ready")
    ours.press("GAME_OVER").shows_phase("BETTING").token(1).press("COIN_IN")
    ours.shows_phase("PLAYING")
    take = ours.page.locator('[data-act="packet take"]')
    expect(take).to_have_accessible_name("Take the packet, 5 cards at the exit")
    take.click()
    expect(ours.page.locator("#dealt")).to_have_text("Cards dealt: 5")
    act(ours, "deck unload")
    expect(ours.page.get_by_role("img", name="green light", exact=True)).to_be_visible()
    expect(ours.page.locator("#shuffler-state")).to_have_text("shuffling")


def test_a_shuffle_is_passed_over(cabinet: Callable[..., Cabinet]) -> None:
    ours = act(cabinet("en", "caribbean-stud"), "deck load red")
    expect(ours.page.locator("#shuffler-state")).to_have_text("shuffling")
    act(ours, "deck ready")
    expect(ours.page.locator("#shuffler-state")).to_have_text("ready")
    expect(ours.page.locator('[data-act="deck ready"]')).to_be_hidden()


def test_tre_card_the_token_lies_until_the_croupier_collects_it(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("it", "tre-card-stud").press("GAME_OVER").shows_phase("BETTING").token(2, 6)
    ours.press("COIN_IN").shows_phase("PLAYING").shows_led("ON", 2, 6)
    expect(ours.page.locator(".with-token")).to_have_count(2)
    ours.take(2).press("GAME_OVER").shows_phase("BETTING").shows_lamp("ALERT", 6)
    ours.take(6).shows_lamp("INVITE", 6)


def test_a_hand_declared_void_in_the_drawer(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en", "tre-card-stud").press("GAME_OVER").shows_phase("BETTING").token(3, 4)
    ours.press("COIN_IN").shows_phase("PLAYING").shows_account("jackpot", "10,002.80")
    ours.page.locator("#open-drawer").click()
    ours.page.get_by_label("Hand void, token returned").and_(ours.page.locator("input")).fill("4")
    ours.page.get_by_role("button", name="Hand void, token returned").click()
    ours.answers("declare hand-void 4 returned").shows_account("jackpot", "10,001.40")
    ours.shows_led("ON", 3)


def test_punto_banco_coup_by_coup(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en", "mini-punto-banco")
    act(act(ours, "shoe load"), "shoe burn")
    expect(ours.page.locator("#shoe-left")).to_have_text("307 cards")
    ours.type("draw 9H 2C KS 7D")
    punto = ours.page.locator(".place-punto")
    expect(punto.get_by_role("img")).to_have_accessible_name("PUNTO: 9 of hearts, K of spades")
    expect(punto.locator(".points")).to_have_text("9")
    result = ours.page.locator("#coup-result")
    expect(result).to_contain_text("EGALITE")
    assert [card for card in ours.page.locator(".coup .face").all() if overlap(card, result)] == []
    expect(ours.page.locator("#road .bead")).to_have_attribute("data-result", "EGALITE")


def test_a_card_picked_for_the_wrong_place_is_a_draw_error(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = cabinet("en", "mini-punto-banco")
    act(act(ours, "shoe load"), "shoe burn").page.locator("#pick-card").click()
    dialog = ours.page.get_by_role("dialog", name="Pick a card")
    dialog.get_by_label("To BANCO").check()
    dialog.get_by_role("button", name="10 of diamonds").click()
    expect(dialog).to_be_hidden()
    ours.answers("draw to BANCO TD").shows_fault("DRAW_ERROR")


def test_black_jack_counts_to_the_cut_card(cabinet: Callable[..., Cabinet]) -> None:
    ours = cabinet("en", "black-jack")
    act(act(ours, "shoe load"), "shoe burn").press("GAME_OVER").shows_phase("BETTING")
    act(act(ours, "draw"), "cut-card")
    expect(ours.page.locator("#shoe-left")).to_have_text("306 cards")
    expect(ours.page.locator("#shoe")).to_contain_text("cut card out")
    ours.press("COIN_IN").shows_phase("PAUSED")


def test_ultimate_deals_the_common_cards_first(
    cabinet_with_red_deck: Callable[..., Cabinet],
) -> None:
    ours = cabinet_with_red_deck("it", "ultimate-texas-holdem")
    expect(ours.page.locator("#shuffler-state")).to_have_text("pronto")
    ours.press("GAME_OVER").shows_phase("BETTING").press("COIN_IN").shows_phase("PAUSED")
    take = ours.page.locator('[data-act="packet take"]')
    for cards, dealt in ((5, 5), (2, 7)):
        expect(take).to_have_accessible_name(f"Prendi il pacchetto, {cards} carte all'uscita")
        take.click()
        expect(ours.page.locator("#dealt")).to_have_text(f"Carte date: {dealt}")


def test_a_linked_tables_jackpot_is_called_its_part(cabinet: Callable[..., Cabinet]) -> None:
    page = cabinet(centre=f"127.0.0.1:{free_port()}").page
    expect(page.locator(".account-jackpot dt")).to_have_text("jackpot, parte di questo tavolo")
    expect(page.locator(".account-reserve dt")).to_have_text("Riserva")


def overlap(one: Locator, other: Locator) -> bool:
    """Whether something of one lies over the other."""
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    beside = (
        first["x"] >= second["x"] + second["width"] or second["x"] >= first["x"] + first["width"]
    )
    above = (
        first["y"] >= second["y"] + second["height"] or second["y"] >= first["y"] + first["height"]
    )
    return not beside and not above
