"""[sign]: what a house may have on its sign, and what is refused."""

import pytest
from msgspec.structs import replace

from console.configuration.sign_section import SignSection, contrast, find_sign_mistakes
from console.texts.language import Words

HOUSE = SignSection(
    house="Casinò di Vattelapesca",
    currency="€",
    lowest="5.00",
    highest="500.00",
    messages=(Words("Torneo il giovedì", "Tournament on Thursdays"),),
)


def test_a_house_s_sign_is_in_order() -> None:
    assert [*find_sign_mistakes(HOUSE)] == []


@pytest.mark.parametrize(
    ("changed", "mistake"),
    [
        ({"house": "x" * 25}, "sign.house: 25 characters; at most 24 fit"),
        ({"currency": "EURO"}, "sign.currency: 4 characters; at most 3 fit"),
        ({"lowest": "600.00"}, "sign.lowest: 600.00 is above sign.highest, 500.00"),
        ({"ground": "black"}, "sign.ground: 'black'; a colour is such as #0b0806"),
        (
            {"ink": "#555555"},
            "sign.ink: #555555; its contrast with sign.ground, #0b0806, is 2.7; "
            "it must be at least 4.5",
        ),
        (
            {"accent": "#403010"},
            "sign.accent: #403010; its contrast with sign.ground, #0b0806, is 1.6; "
            "it must be at least 3",
        ),
        (
            {"messages": (Words("x" * 61, "x"),)},
            "sign.messages[0].it: it must have 1 to 60 characters",
        ),
    ],
)
def test_a_mistake_names_its_key_and_what_would_be_right(
    changed: dict[str, object], mistake: str
) -> None:
    assert [*find_sign_mistakes(replace(HOUSE, **changed))] == [mistake]


def test_an_amount_that_is_none_is_named() -> None:
    [mistake] = find_sign_mistakes(replace(HOUSE, lowest="5,00"))
    assert mistake.startswith("sign.lowest: ")


def test_the_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
