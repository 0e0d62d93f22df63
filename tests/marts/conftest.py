"""Failing comparisons of cases are shown in full."""

import pytest

pytest.register_assert_rewrite("tests.marts.cases")
