# SPDX-License-Identifier: MIT
"""Distribution functions against scipy and against values known in closed form."""

from __future__ import annotations

import math

import pytest

from skyjo_core.distributions import (
    chi_square_sf,
    f_sf,
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
    t_sf,
)

DEGREES = [1, 1.5, 2, 3, 4, 5, 7, 10, 19, 20, 21, 30, 50, 99, 100, 1e3, 1e4, 1e5, 1e6, 1e8]
PROBABILITIES = [1e-12, 1e-5, 0.001, 0.025, 0.1, 0.24, 0.26, 0.4, 0.4999, 0.6, 0.76, 0.975, 0.99999]


def test_normal_cdf_agrees_with_scipy() -> None:
    special = pytest.importorskip("scipy.special")
    for x in [-37.0, -20.0, -8.0, -1.959963985, -1.0, -1e-9, 0.0, 0.3, 2.0, 8.0]:
        assert normal_cdf(x) == pytest.approx(special.ndtr(x), rel=1e-12)


def test_normal_cdf_gives_the_documented_likelihood_of_superiority() -> None:
    assert normal_cdf(2.0) == pytest.approx(0.977249868, rel=1e-9)  # STATISTICS.md, section 1


def test_normal_quantile_gives_the_documented_z() -> None:
    assert normal_quantile(0.975) == pytest.approx(1.959963985, rel=1e-9)


@pytest.mark.parametrize("df", DEGREES)
def test_t_tails_agree_with_scipy(df: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    for t in [0.0, 1e-3, 0.1, 0.7, 1.0, 1.5, 2.0, 5.0, 12.0, 37.0, 100.0, 1e4, 1e10]:
        expected = float(stats.t.sf(t, df))
        if expected > 1e-290:
            assert t_sf(t, df) == pytest.approx(expected, rel=1e-9)
            assert t_cdf(-t, df) == pytest.approx(expected, rel=1e-9)
        assert t_cdf(t, df) == pytest.approx(1.0 - expected, rel=1e-12)


@pytest.mark.parametrize("df", DEGREES)
def test_t_quantile_agrees_with_scipy(df: float) -> None:
    special = pytest.importorskip("scipy.special")
    for p in PROBABILITIES:
        assert t_quantile(p, df) == pytest.approx(float(special.stdtrit(df, p)), rel=1e-9)


@pytest.mark.parametrize("p", [1e-200, 1e-30, 1e-5, 0.025, 0.4, 0.5 - 1e-12])
def test_t_quantile_has_closed_forms_for_one_and_two_degrees(p: float) -> None:
    # Cauchy: -cot(pi p), near 1/2 tan(pi (p - 1/2)); two degrees: (2p - 1)/sqrt(2p(1 - p)).
    cauchy = -1.0 / math.tan(math.pi * p) if p < 0.25 else math.tan(math.pi * (p - 0.5))
    assert t_quantile(p, 1) == pytest.approx(cauchy, rel=1e-10)
    assert t_quantile(p, 2) == pytest.approx(2 * (p - 0.5) / math.sqrt(2 * p * (1 - p)), rel=1e-10)


@pytest.mark.parametrize("df", [1, 2, 4, 25, 1e6])
def test_t_quantile_inverts_the_tail(df: float) -> None:
    for p in [1e-150, 1e-15, 0.01, 0.49]:
        assert t_sf(-t_quantile(p, df), df) == pytest.approx(p, rel=1e-9)


def test_t_quantile_is_symmetric_about_zero() -> None:
    assert t_quantile(0.5, 7) == 0.0
    assert t_quantile(0.75, 7) == -t_quantile(0.25, 7)


def test_t_with_infinite_degrees_is_normal() -> None:
    assert t_quantile(0.975, math.inf) == normal_quantile(0.975)
    assert t_sf(1.0, math.inf) == normal_cdf(-1.0)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 5, 10, 19, 20, 21, 100, 1e3, 1e4, 1e5, 1e6])
def test_chi_square_sf_agrees_with_scipy(df: float) -> None:
    special = pytest.importorskip("scipy.special")
    for ratio in [0.0, 1e-8, 0.01, 0.5, 0.9, 0.99, 1.0, 1.001, 1.01, 1.1, 1.5, 2.0, 5.0, 50.0]:
        expected = float(special.chdtrc(df, df * ratio))
        if expected > 1e-290:
            assert chi_square_sf(df * ratio, df) == pytest.approx(expected, rel=1e-9)


def test_chi_square_sf_gives_the_documented_p_values() -> None:
    assert chi_square_sf(19.2, 1) == pytest.approx(1.177134e-05, rel=1e-6)
    assert chi_square_sf(9.815217391, 3) == pytest.approx(0.020203960, rel=1e-6)


@pytest.mark.parametrize("df1", [1, 2, 5, 21, 171])
@pytest.mark.parametrize("df2", [1, 2, 10, 1000, 1e6])
def test_f_sf_agrees_with_scipy(df1: float, df2: float) -> None:
    special = pytest.importorskip("scipy.special")
    for x in [0.0, 1e-6, 0.1, 0.9, 1.0, 1.5, 3.0, 10.0, 1e4]:
        expected = float(special.fdtrc(df1, df2, x))
        if expected > 1e-290:
            assert f_sf(x, df1, df2) == pytest.approx(expected, rel=1e-9)


def test_infinite_arguments_have_empty_tails() -> None:
    assert t_sf(math.inf, 3) == 0.0
    assert t_sf(-math.inf, 3) == 1.0
    assert chi_square_sf(math.inf, 3) == 0.0
    assert f_sf(math.inf, 3, 4) == 0.0


def test_arguments_out_of_range_raise_and_are_quoted() -> None:
    with pytest.raises(ValueError, match=r"t_quantile: p must lie between 0 and 1, got 1\.0$"):
        t_quantile(1.0, 3)
    with pytest.raises(ValueError, match=r"t_quantile: df must be at least 1, got 0$"):
        t_quantile(0.5, 0)
    with pytest.raises(ValueError, match=r"chi_square_sf: x must not be negative, got -1$"):
        chi_square_sf(-1, 3)
    with pytest.raises(ValueError, match=r"f_sf: df1 and df2 must be positive, got \(0, 3\)$"):
        f_sf(1, 0, 3)
    with pytest.raises(ValueError, match=r"normal_quantile: p must lie between 0 and 1, got 0$"):
        normal_quantile(0)
