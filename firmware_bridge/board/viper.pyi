from collections.abc import Callable
from typing import TypeVar

_Function = TypeVar("_Function", bound=Callable[..., int])

ptr8 = bytes
ptr32 = memoryview
uint = int

def viper(function: _Function) -> _Function: ...
