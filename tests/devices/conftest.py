"""Fixtures of the devices' tests."""

from collections.abc import Iterator

import pytest

from tests.devices.driven_devices import Fit, Fitted


@pytest.fixture
def fit() -> Iterator[Fit]:
    """A cabinet and one driver in it, of the kind asked for; closed when the test ends."""
    made: list[Fitted] = []

    def fit_one(kind: str, *, inspector_fitted: bool = True) -> Fitted:
        made.append(Fitted(kind, inspector_fitted=inspector_fitted))
        return made[-1]

    yield fit_one
    for fitted in made:
        fitted.close()
