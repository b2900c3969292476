"""One combination, two winners; the highest prize, which takes a key, an inspector and a base."""

from collections.abc import Callable

import pytest

from tests.browser.cabinet import Cabinet

pytestmark = pytest.mark.sampled(of=2)


def in_play(ours: Cabinet, *seats: int) -> Cabinet:
    """These seats have staked, and their tokens are accepted."""
    ours.press("GAME_OVER").shows_phase("BETTING").token(*seats).press("COIN_IN")
    return ours.shows_phase("PLAYING").shows_led("ON", *seats)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "one", "two", "paid"),
    [("it", "300,12", "300,12", "600,24"), ("en", "300.12", "300.12", "600.24")],
)
def test_each_of_two_winners_of_a_lower_prize_gets_his_percentage(
    cabinet: Callable[..., Cabinet], language: str, one: str, two: str, paid: str
) -> None:
    ours = in_play(cabinet(language), 1, 4, 7).press("FOUR_OF_A_KIND").key("JPL").shows_key("JPL")
    ours.press("JPOT").shows_phase("AWARDING").shows_award(one).displays("x1")
    ours.press("JPOT").displays("x2").shows_award(two).shows_account("pending", paid)
    ours.key("R").shows_phase("PLAYING").shows_account("paid", paid)
    ours.shows_account("pending", "0,00" if language == "it" else "0.00")


def test_the_highest_prize_is_divided_and_starts_again_from_its_base(
    cabinet: Callable[..., Cabinet],
) -> None:
    ours = in_play(cabinet("en", inspector=True), 2, 6).press("ROYAL_FLUSH").key("JPL")
    ours.press("JPOT").answers("WRONG_KEY").key("JPH").shows_key("JPH")
    ours.press("JPOT").answers("INSPECTOR_ABSENT")
    ours.page.locator(".inspector").click()
    ours.answers("inspector here").press("JPOT").shows_phase("AWARDING").displays("10,002.80")
    ours.press("JPOT").shows_award("5,001.40").press("JPOT").answers("NOBODY_ELIGIBLE")
    ours.key("R").shows_phase("PLAYING").shows_account("paid", "10,002.80")
    ours.shows_account("jackpot", "5,000.00")


def test_an_award_pressed_by_mistake_goes_back(cabinet: Callable[..., Cabinet]) -> None:
    ours = in_play(cabinet("en"), 3).press("FLUSH").key("JPL").shows_key("JPL")
    ours.press("JPOT").shows_phase("AWARDING").shows_account("pending", "100.01")
    ours.press("FLUSH").shows_phase("PLAYING").shows_award("").shows_lit()
    ours.shows_account("jackpot", "10,001.40").shows_account("paid", "0.00")
