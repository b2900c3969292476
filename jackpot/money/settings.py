"""The house's settings for money (docs/reference/rules.md, section 4)."""

from msgspec import Struct

from jackpot.money.amounts import WHOLE, Cents, format_percent

TWO_EUROS = Cents(200)
TEN_THOUSAND_EUROS = Cents(1_000_000)
FIVE_THOUSAND_EUROS = Cents(500_000)


class MoneySettings(Struct, frozen=True):
    """Amounts in cents, shares of a token in basis points (1/100 of a per cent).

    `opening` is put into the jackpot once, from the house; from `base` the jackpot starts again
    after it was won whole. Raises ValueError that names the field.
    """

    token: Cents = TWO_EUROS
    to_jackpot: int = 7_000
    to_reserve: int = 1_000
    opening: Cents = TEN_THOUSAND_EUROS
    base: Cents = FIVE_THOUSAND_EUROS

    def __post_init__(self) -> None:
        """Check the values. Raises ValueError."""
        if self.token <= 0:
            raise ValueError(f"token: {self.token} cents; a token must be worth something")
        for name, share in (("to_jackpot", self.to_jackpot), ("to_reserve", self.to_reserve)):
            if not 0 <= share <= WHOLE:
                raise ValueError(f"{name}: {format_percent(share)} %; it must be 0 to 100 %")
        if self.to_jackpot + self.to_reserve > WHOLE:
            both = format_percent(self.to_jackpot + self.to_reserve)
            raise ValueError(f"to_reserve: with to_jackpot it makes {both} %; at most 100 %")
        for name, amount in (("opening", self.opening), ("base", self.base)):
            if amount < 0:
                raise ValueError(f"{name}: {amount} cents; it must not be negative")
