"""The cabinet's page, as whoever plays with it sees it: hands that do, eyes that wait to see."""

from typing import Self

from playwright.sync_api import Locator, Page, expect

from tests.browser.web_table import WebTable


class Cabinet:
    """A cabinet's page that shows its table. Each `shows_...` waits until it does, or fails."""

    def __init__(self, page: Page, table: WebTable) -> None:
        self.page = page
        self.table = table
        expect(page.locator("body[data-ready=yes]")).to_be_visible()

    # Hands.

    def seat(self, number: int) -> Locator:
        """The spot where the token goes in, or lies."""
        return self.page.locator(f"#seat-{number}")

    def button(self, name: str) -> Locator:
        """A button of the dealer panel, by its name in scenarios."""
        return self.page.locator(f'[data-press="{name}"]')

    def token(self, *seats: int) -> Self:
        """Click on each seat: a token is put in, and lies there."""
        for seat in seats:
            self.seat(seat).click()
            expect(self.around(seat)).to_contain_class("with-token")
        return self

    def take(self, *seats: int) -> Self:
        """Click on each seat: its token is taken back."""
        for seat in seats:
            expect(self.around(seat)).to_contain_class("with-token")
            self.seat(seat).click()
            expect(self.around(seat)).not_to_contain_class("with-token")
        return self

    def lay_card(self, seat: int) -> Self:
        """Drag a card from the stack over a slot."""
        self.drag(self.page.locator(".spare-top"), self.seat(seat))
        expect(self.around(seat)).to_contain_class("with-card")
        return self

    def lift_card(self, seat: int) -> Self:
        """Drag the card that lies over a slot back to the stack."""
        self.drag(self.around(seat).locator(".card-over"), self.page.locator(".spare-stack"))
        expect(self.around(seat)).not_to_contain_class("with-card")
        return self

    def press(self, *names: str) -> Self:
        """Click these buttons of the panel."""
        for name in names:
            self.button(name).click()
        return self

    def key(self, position: str) -> Self:
        """Turn the key: R, JPL, JPH, S, between."""
        self.page.locator(f'.key [data-to="{position}"]').click()
        return self

    def switch(self, what: str) -> Self:
        """Pull what is plugged in, plug in what is pulled: power, disk, or a device."""
        name = what if what in {"power", "disk"} else f"devices.{what}"
        self.page.locator(f'[data-switch="{name}"]').click()
        return self

    def type(self, line: str) -> Self:
        """Type an act into the line for any."""
        self.page.locator("#typed").fill(line)
        self.page.locator("#typed").press("Enter")
        return self

    # Eyes.

    def shows_phase(self, phase: str) -> Self:
        """PAUSED, BETTING, ...; OFF without power."""
        expect(self.page.locator(f'#phase[data-phase="{phase}"]')).to_be_visible()
        return self

    def shows_lamp(self, lamp: str, *seats: int) -> Self:
        """The slot lamps of these seats: DARK, INVITE, ON, ALERT."""
        for seat in seats:
            expect(self.around(seat)).to_have_attribute("data-lamp", lamp)
        return self

    def shows_led(self, state: str, *seats: int) -> Self:
        """The panel's seat LEDs of these seats: DARK, ON, ALERT."""
        for seat in seats:
            expect(self.page.locator(f'[data-seat-led="{seat}"]')).to_have_attribute(
                "data-led", state
            )
        return self

    def shows_lit(self, *names: str) -> Self:
        """Exactly these combinations' buttons are lit."""
        lit = self.page.locator('.combination[aria-pressed="true"]')
        expect(lit).to_have_count(len(names))
        for name in names:
            expect(self.button(name)).to_have_attribute("aria-pressed", "true")
        return self

    def shows_key(self, position: str) -> Self:
        """R, JPL, JPH, S, between."""
        expect(self.page.locator(f'.key [data-to="{position}"]')).to_be_checked()
        return self

    def displays(self, text: str) -> Self:
        """The two-line display has this text in it."""
        expect(self.page.locator("#display-text")).to_contain_text(text)
        return self

    def shows_account(self, name: str, amount: str) -> Self:
        """An account of the ledger, as the page's language writes its amount."""
        value = self.page.locator(f'[data-account="{name}"] .amount')
        expect(value).to_have_text(f"{amount} EUR")
        return self

    def shows_fault(self, code: str) -> Self:
        """This fault is shown; "none": there is no fault."""
        if code == "none":
            expect(self.page.locator("#news .no-fault")).to_be_visible()
        else:
            expect(self.page.locator("#news .fault", has_text=code)).to_be_visible()
        return self

    def shows_award(self, text: str) -> Self:
        """The award that is pending; empty: none is."""
        award = self.page.locator("#news .award")
        if text:
            expect(award).to_contain_text(text)
        else:
            expect(award).to_have_count(0)
        return self

    def answers(self, text: str) -> Self:
        """What came of the last act."""
        expect(self.page.locator("#answer")).to_contain_text(text)
        return self

    def around(self, seat: int) -> Locator:
        """A seat with all that lies there."""
        return self.page.locator(f'.seat[data-seat="{seat}"]')

    def drag(self, card: Locator, onto: Locator) -> None:
        """Drag a card by mouse."""
        card.hover()
        self.page.mouse.down()
        onto.hover()
        self.page.mouse.up()
