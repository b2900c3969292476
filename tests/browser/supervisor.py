"""The supervisor's page, as whoever has a name and a PIN sees it."""

from typing import Self

from playwright.sync_api import Page, expect

NAME, PIN = "anna", "274613"


class SupervisorPage:
    """Each `shows_...` waits until it does, or fails."""

    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator("#login-form")).to_be_visible()

    def enter(self, name: str = NAME, pin: str = PIN) -> Self:
        """Write name and PIN, and go in."""
        self.page.locator("#name").fill(name)
        self.page.locator("#pin").fill(pin)
        self.page.locator("#login-form button").click()
        return self

    def shows(self, view: str) -> Self:
        """now, rounds, round, nights, plots, help."""
        expect(self.page.locator(f"#view-{view}")).to_be_visible()
        return self

    def open(self, view: str) -> Self:
        """By its link in the bar."""
        self.page.locator(f'#views a[href="#{view}"]').click()
        return self.shows(view)
