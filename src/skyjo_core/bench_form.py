# SPDX-License-Identifier: MIT
"""Measurements as JSON, in two forms that other programs read, and read back from either."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from skyjo_core.bench import Measurement

__all__ = ["FORMS", "Rate", "read_rates", "write_form"]

FORMS: Final = ("pytest-benchmark", "customBiggerIsBetter")
"""The form of `pytest-benchmark compare`, and one of github-action-benchmark."""


def write_form(form: str, measurements: Sequence[Measurement], version: str) -> str:
    """The measurements as JSON; `version` is that of skyjo_core."""
    value = _custom(measurements) if form == "customBiggerIsBetter" else None
    return json.dumps(_pytest(measurements, version) if value is None else value, indent=2)


def _custom(measurements: Sequence[Measurement]) -> list[dict[str, Any]]:
    """github-action-benchmark, README, "Use this action with custom tools"."""
    return [
        {
            "name": measured.title,
            "unit": f"{measured.unit}/s",
            "value": measured.per_second,
            "range": f"± {100 * measured.spread:.1f} %",
            "extra": f"{measured.ns:.1f} ns, median of {len(measured.seconds)}",
        }
        for measured in measurements
    ]


def _pytest(measurements: Sequence[Measurement], version: str) -> dict[str, Any]:
    return {
        "machine_info": {
            "node": platform.node(),
            "processor": platform.processor(),
            "machine": platform.machine(),
            "python_compiler": platform.python_compiler(),
            "python_implementation": platform.python_implementation(),
            "python_implementation_version": platform.python_version(),
            "python_version": platform.python_version(),
            "python_build": list(platform.python_build()),
            "release": platform.release(),
            "system": platform.system(),
            "cpu": {"count": os.cpu_count()},
        },
        "commit_info": {"id": "unversioned", "time": None, "dirty": False, "project": "skyjo"},
        "benchmarks": [_benchmark(measured) for measured in measurements],
        "datetime": datetime.now(UTC).isoformat(),
        "version": f"skyjo_core {version}",
    }


def _benchmark(measured: Measurement) -> dict[str, Any]:
    return {
        "group": measured.group,
        "name": measured.title,
        "fullname": f"skyjo bench::{measured.title}",
        "params": None,
        "param": None,
        "extra_info": {"unit": measured.unit, "per_second": measured.per_second},
        "options": {"timer": "perf_counter"},
        "stats": _stats(measured.seconds),
    }


def _stats(data: Sequence[float]) -> dict[str, Any]:
    """Of the seconds a unit, by the names of pytest-benchmark."""
    mean, deviation = statistics.fmean(data), statistics.stdev(data)
    q1, middle, q3 = statistics.quantiles(data, n=4, method="inclusive")
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    far = sum(abs(value - mean) > deviation for value in data)
    out = sum(not low <= value <= high for value in data)
    return {
        "min": min(data),
        "max": max(data),
        "mean": mean,
        "stddev": deviation,
        "rounds": len(data),
        "median": middle,
        "iqr": q3 - q1,
        "q1": q1,
        "q3": q3,
        "iqr_outliers": out,
        "stddev_outliers": far,
        "outliers": f"{far};{out}",
        "ld15iqr": min(value for value in data if value >= low),
        "hd15iqr": max(value for value in data if value <= high),
        "ops": 1.0 / mean,
        "total": sum(data),
        "data": list(data),
        "iterations": 1,
    }


class Rate(NamedTuple):
    """Units a second, of the median sample, and the spread of all as a share of it."""

    per_second: float
    spread: float


def read_rates(text: str) -> dict[str, Rate]:
    """What was measured by title, from JSON of either form; no spread is told where it has none.

    Raises
    ------
    ValueError
        It is neither.

    Examples
    --------
    >>> read_rates('[{"name": "views: grids", "value": 5.0, "range": "± 1.5 %"}]')
    {'views: grids': Rate(per_second=5.0, spread=0.015)}
    """
    try:
        data = json.loads(text)
        if isinstance(data, list):
            return {str(entry["name"]): _custom_rate(entry) for entry in data}
        return {str(entry["name"]): _pytest_rate(entry["stats"]) for entry in data["benchmarks"]}
    except (KeyError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise ValueError(
            f"expected JSON that skyjo bench --json wrote ({' or '.join(FORMS)}), got another "
            f"({type(error).__name__}: {error})"
        ) from None


def _custom_rate(entry: dict[str, Any]) -> Rate:
    spread = re.fullmatch(r"± ([\d.]+) %", str(entry.get("range", "")))
    return _rate(entry["value"], 0.0 if spread is None else float(spread[1]) / 100)


def _pytest_rate(stats: dict[str, Any]) -> Rate:
    median = float(stats["median"])
    return _rate(1.0 / median, float(stats.get("iqr", 0.0)) / 2 / median)


def _rate(per_second: float, spread: float) -> Rate:
    rate = Rate(float(per_second), float(spread))
    if not (0 < rate.per_second < math.inf and 0 <= rate.spread < math.inf):
        raise ValueError(f"expected rates above 0, got {per_second!r} ± {spread!r}")
    return rate
