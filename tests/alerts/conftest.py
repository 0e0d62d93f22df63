"""The reference values that other libraries computed, shared with the tests of the rates."""

from tests.sampling.conftest import reference

__all__ = ["reference"]
