# SPDX-License-Identifier: MIT
"""Tail probabilities and quantiles that the ratings and standings need, without scipy.

Sources
-------
Incomplete gamma function: W. H. Press et al., Numerical Recipes, 3rd edition, 2007, section 6.2
(series and continued fraction).
Incomplete beta function: A. R. DiDonato and A. H. Morris, Algorithm 708, ACM Transactions on
Mathematical Software 18, 1992, continued fraction BFRAC.
Both fractions are evaluated by the modified method of Lentz (W. J. Lentz, Applied Optics 15, 1976;
I. J. Thompson and A. R. Barnett, Journal of Computational Physics 64, 1986).
Ratios of gamma functions with a large argument: Stirling's series, M. Abramowitz and I. A.
Stegun, Handbook of Mathematical Functions, 1964, 6.1.40 and 6.1.41.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

__all__ = [
    "chi_square_sf",
    "f_sf",
    "normal_cdf",
    "normal_quantile",
    "t_cdf",
    "t_quantile",
    "t_sf",
]

_TINY = 1e-300
_SMALLEST = 5e-324
_PRECISION = 5e-16
_MAX_TERMS = 1_000_000
_LARGE = 10.0  # from here on Stirling's series has full double precision


# Public functions


def normal_cdf(x: float) -> float:
    """Return the probability that a standard normal variable is at most `x`.

    Parameters
    ----------
    x : float
        any value, infinities included.

    Returns
    -------
    float
        0..1, with full relative precision in the lower tail.
    """
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """Return the value that a standard normal variable stays below with probability `p`.

    Parameters
    ----------
    p : float
        probability, 0 < p < 1.

    Raises
    ------
    ValueError
        if p is not between 0 and 1.

    Notes
    -----
    Source: algorithm AS 241 of M. J. Wichura, Applied Statistics 37, 1988, as in the standard
    library.
    """
    _require(0.0 < p < 1.0, "normal_quantile: p must lie between 0 and 1", p)
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def t_sf(t: float, df: float) -> float:
    """Return the probability that Student's t with `df` degrees of freedom exceeds `t`.

    Parameters
    ----------
    t : float
        any value, infinities included.
    df : float
        degrees of freedom, > 0; infinity gives the normal distribution.

    Raises
    ------
    ValueError
        if df is not positive.

    Notes
    -----
    Half the regularised incomplete beta function I_y(df/2, 1/2) at y = df/(df + t^2):
    Abramowitz and Stegun, section 26.7.
    """
    _require(df > 0.0, "t_sf: df must be positive", df)
    if math.isinf(df) or math.isinf(t) or math.isnan(t):
        return normal_cdf(-t)
    if t < 0.0:
        return 1.0 - t_sf(-t, df)
    return 0.5 * _t_two_sided(t, df)


def t_cdf(t: float, df: float) -> float:
    """Return the probability that Student's t with `df` degrees of freedom is at most `t`.

    See `t_sf` for parameters, errors and source.
    """
    return t_sf(-t, df)


def t_quantile(p: float, df: float) -> float:
    """Return the value that Student's t stays below with probability `p`.

    Parameters
    ----------
    p : float
        probability, 0 < p < 1 (quantiles beyond 1e307, which only p < 1e-307 has, are cut off).
    df : float
        degrees of freedom, >= 1; infinity gives the normal distribution.

    Raises
    ------
    ValueError
        if p is not between 0 and 1 or df is below 1.

    Notes
    -----
    Newton's method with a bracket on the logarithm of the probability as a function of log t,
    which is nearly straight in the tail. Near the centre the probability of |T| < t is used
    instead of the tail, so that no digits cancel.
    """
    _require(0.0 < p < 1.0, "t_quantile: p must lie between 0 and 1", p)
    _require(df >= 1.0, "t_quantile: df must be at least 1", df)
    if math.isinf(df):
        return normal_quantile(p)
    if p == 0.5:
        return 0.0
    tail = 2.0 * min(p, 1.0 - p)
    centre = 2.0 * abs(p - 0.5)

    def excess(s: float) -> tuple[float, float]:
        t = math.exp(s)
        slope = 2.0 * t * _t_density(t, df)
        if centre < 0.5:
            inside = _t_inside(t, df)
            return math.log(inside / centre), slope / inside
        outside = max(_t_two_sided(t, df), _SMALLEST)
        return math.log(tail) - math.log(outside), slope / outside

    return math.copysign(math.exp(_increasing_root(excess, -60.0, 709.0)), p - 0.5)


def chi_square_sf(x: float, df: float) -> float:
    """Return the probability that a chi-square variable with `df` degrees of freedom exceeds `x`.

    Parameters
    ----------
    x : float
        value, >= 0.
    df : float
        degrees of freedom, > 0.

    Raises
    ------
    ValueError
        if x is negative or df is not positive.

    Notes
    -----
    The regularised upper incomplete gamma function Q(df/2, x/2): Abramowitz and Stegun,
    section 26.4. Cost O(sqrt(df)).
    """
    _require(x >= 0.0, "chi_square_sf: x must not be negative", x)
    _require(df > 0.0, "chi_square_sf: df must be positive", df)
    return _gamma_upper(0.5 * df, 0.5 * x)


def f_sf(x: float, df1: float, df2: float) -> float:
    """Return the probability that a variable of the F distribution exceeds `x`.

    Parameters
    ----------
    x : float
        value, >= 0.
    df1, df2 : float
        degrees of freedom of numerator and denominator, > 0.

    Raises
    ------
    ValueError
        if x is negative or a number of degrees of freedom is not positive.

    Notes
    -----
    I_y(df2/2, df1/2) at y = df2/(df2 + df1 x): Abramowitz and Stegun, section 26.6.
    """
    _require(x >= 0.0, "f_sf: x must not be negative", x)
    _require(min(df1, df2) > 0.0, "f_sf: df1 and df2 must be positive", (df1, df2))
    if x == 0.0:
        return 1.0
    if math.isinf(x):
        return 0.0
    log_odds = math.log(df1 / df2) + math.log(x)
    return _beta_regularised(0.5 * df2, 0.5 * df1, *_log_shares(log_odds)[::-1])


# Student's t


def _t_shares(t: float, df: float) -> tuple[float, float]:
    """Return the logarithms of t^2/(df + t^2) and df/(df + t^2); t > 0."""
    ratio = t / math.sqrt(df)
    if ratio < 1.0:
        log_sum = math.log1p(ratio * ratio)
        return 2.0 * math.log(ratio) - log_sum, -log_sum
    log_sum = math.log1p(1.0 / ratio / ratio)
    return -log_sum, -2.0 * math.log(ratio) - log_sum


def _t_two_sided(t: float, df: float) -> float:
    """Return P(|T| > t); t >= 0."""
    if t == 0.0:
        return 1.0
    log_x, log_y = _t_shares(t, df)
    return _beta_regularised(0.5 * df, 0.5, log_y, log_x)


def _t_inside(t: float, df: float) -> float:
    """Return P(|T| < t); t > 0."""
    return _beta_regularised(0.5, 0.5 * df, *_t_shares(t, df))


def _t_density(t: float, df: float) -> float:
    log_y = _t_shares(t, df)[1]
    return math.exp(0.5 * (df + 1.0) * log_y - _log_beta(0.5 * df, 0.5)) / math.sqrt(df)


def _increasing_root(
    function: Callable[[float], tuple[float, float]], low: float, high: float
) -> float:
    """Return the root of an increasing function that yields (value, slope), by guarded Newton."""
    s = 0.0
    for _ in range(200):
        value, slope = function(s)
        if value < 0.0:
            low = s
        else:
            high = s
        step = value / slope if slope > 0.0 else math.inf
        following = s - step
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - s) <= 1e-15 * max(1.0, abs(s)):
            return following
        s = following
    return s


# Incomplete beta function


def _log_shares(log_odds: float) -> tuple[float, float]:
    """Return log(o/(1 + o)) and log(1/(1 + o)) for odds o given by their logarithm."""
    log_sum = math.log1p(math.exp(-abs(log_odds)))
    return min(log_odds, 0.0) - log_sum, min(-log_odds, 0.0) - log_sum


def _beta_regularised(a: float, b: float, log_x: float, log_y: float) -> float:
    """Return I_x(a, b) from the logarithms of x and of y = 1 - x, each exact in its own right."""
    front = math.exp(a * log_x + b * log_y - _log_beta(a, b))
    x, y = math.exp(log_x), math.exp(log_y)
    if b * x <= a * y:
        return front / _beta_fraction(a, b, x, y)
    return 1.0 - front / _beta_fraction(b, a, y, x)


def _beta_fraction(a: float, b: float, x: float, y: float) -> float:
    """Return the continued fraction F with I_x(a, b) = x^a y^b / (B(a, b) F).

    This is the function BFRAC of TOMS 708: the even part of the usual fraction, written with
    a y - b x, so that nothing cancels when a is large and x is close to 1.
    """
    c = 1.0 + (a * y - b * x)
    c1 = 1.0 + 1.0 / a

    def terms() -> Iterator[tuple[float, float]]:
        for n in range(1, _MAX_TERMS):
            t = (n - 1) / a
            w = n * (b - n) * x
            s = a + (2 * n - 1)
            alpha = (1.0 + t) * (1.0 + t + b / a) * (a / s) ** 2 * w * x
            t = n / a
            beta = n + w / s + (1.0 + t) / (c1 + 2.0 * t) * (c + n * (1.0 + y))
            yield alpha, beta

    return _lentz(c / c1, terms())


def _lentz(first: float, terms: Iterator[tuple[float, float]]) -> float:
    """Return first + a1/(b1 + a2/(b2 + ...)) for terms (a, b), by the modified Lentz method."""
    value = first
    c, d = first, 0.0
    for numerator, denominator in terms:
        d = denominator + numerator * d
        c = denominator + numerator / c
        d = 1.0 / (d if abs(d) > _TINY else _TINY)
        c = c if abs(c) > _TINY else _TINY
        value *= c * d
        if abs(c * d - 1.0) <= _PRECISION:
            break
    return value


def _log_beta(a: float, b: float) -> float:
    """Return the logarithm of the beta function without cancellation for large arguments."""
    small, large = min(a, b), max(a, b)
    if large < _LARGE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    change = (  # log Gamma(small + large) - log Gamma(large) by 6.1.40
        (large + small - 0.5) * math.log1p(small / large)
        + small * math.log(large)
        - small
        + _stirling_rest(large + small)
        - _stirling_rest(large)
    )
    return math.lgamma(small) - change


def _stirling_rest(x: float) -> float:
    """Return log Gamma(x) - (x - 1/2) log x + x - log(2 pi)/2 for x >= 10 (6.1.41)."""
    inverse = 1.0 / x
    square = inverse * inverse
    value = 0.0
    for coefficient in (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        value = value * square + coefficient
    return value * inverse


# Incomplete gamma function


def _gamma_upper(a: float, x: float) -> float:
    """Return the regularised upper incomplete gamma function Q(a, x)."""
    if x == 0.0:
        return 1.0
    if math.isinf(x):
        return 0.0
    front = math.exp(_log_gamma_front(a, x))  # x^a e^-x / Gamma(a)
    if x < a + 1.0:
        term = total = 1.0 / a
        for k in range(1, _MAX_TERMS):
            term *= x / (a + k)
            total += term
            if term <= total * _PRECISION:
                break
        return 1.0 - front * total
    terms = ((-k * (k - a), x + 2 * k + 1 - a) for k in range(1, _MAX_TERMS))
    return front / _lentz(x + 1.0 - a, terms)


def _log_gamma_front(a: float, x: float) -> float:
    """Return a log x - x - log Gamma(a), from log(x/a) when a is large."""
    if a < _LARGE:
        return a * math.log(x) - x - math.lgamma(a)
    return a * _log1p_minus((x - a) / a) + 0.5 * math.log(a / (2.0 * math.pi)) - _stirling_rest(a)


def _log1p_minus(e: float) -> float:
    """Return log(1 + e) - e without cancellation; log(1 + e) = 2 artanh(e/(2 + e))."""
    if abs(e) > 0.5:
        return math.log1p(e) - e
    r = e / (2.0 + e)
    square = r * r
    total = 0.0
    for k in range(41, 1, -2):
        total = total * square + 1.0 / k
    return r * (2.0 * square * total - e)


def _require(holds: bool, expectation: str, got: object) -> None:
    if not holds:
        raise ValueError(f"{expectation}, got {got!r}")
