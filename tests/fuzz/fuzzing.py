# SPDX-License-Identifier: MIT
"""What the fuzz targets share: seeds, a dictionary, changes to JSON, and the start of libFuzzer.

Run a target in tests/, with a folder for its files and libFuzzer's options behind it:

    python -m fuzz.fuzz_records /tmp/records -max_total_time=60
"""

from __future__ import annotations

import gc
import importlib
import json
import random
import sys
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import atheris

Target = Callable[[bytes], None]
Place = tuple[Any, Any]

MANY_BYTES = 65536
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 12, 13, 36, 37, 100, 2**31, 2**64, 1.0, 1.5, 1e300, "", "A"),
    *("B", "0", "-2", "h5", "*", ".", "A draw", "B take r1c1", "A flip r1c1", "off", [], {}, [[]]),
]


def run(target: Target, seeds: Iterable[bytes], words: Iterable[str], *, is_json: bool) -> None:
    """Fuzzes until libFuzzer ends the process; its files are in the folder of the command line."""
    folder = Path(sys.argv[1])
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = list(seeds)
    for number, seed in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    dictionary = folder / "words.dict"
    quoted = sorted({json.dumps(word) for word in words})
    dictionary.write_text("\n".join(quoted) + "\n", encoding="ascii")
    options = [f"-dict={dictionary}", f"-artifact_prefix={folder}/", f"-max_len={MANY_BYTES}"]
    options.append("-mutate_depth=1")  # a lie is found by one change; after five all is broken
    more: dict[str, Any] = {"custom_mutator": JsonMutator(seeds)} if is_json else {}
    instrument()
    atheris.Setup([sys.argv[0], *options, *sys.argv[2:], str(corpus)], target, **more)
    atheris.Fuzz()


def instrument() -> None:
    """Lets libFuzzer see the branches of skyjo_core, however that was imported."""
    for name in ("archive", "position"):  # imported at their first use
        importlib.import_module(f"skyjo_core.{name}")
    for found in gc.get_objects():
        module = found.__module__ if isinstance(found, types.FunctionType) else None
        if module is not None and module.startswith("skyjo_core"):
            atheris.instrument_func(found)


def words_of(tree: object) -> set[str]:
    """All keys and short texts in a tree of lists and objects."""
    if isinstance(tree, dict):
        return {str(key) for key in tree}.union(*map(words_of, tree.values()))
    if isinstance(tree, list):
        return set().union(*map(words_of, tree))
    if isinstance(tree, str) and 0 < len(tree) < 20 and tree.isascii() and tree.isprintable():
        return {tree}
    return set()


# Changes: bytes alone would seldom leave JSON behind


class JsonMutator:
    """Changes the tree or the bytes of an input, or of a seed, for few inputs stay right."""

    def __init__(self, seeds: list[bytes]) -> None:
        self.seeds = seeds

    def __call__(self, data: bytes, max_size: int, seed: int) -> bytes:
        """Another input; `seed` decides which."""
        rng = random.Random(seed)
        if rng.random() < 0.5:
            data = rng.choice(self.seeds)
        if rng.random() < 0.75:
            try:
                tree = json.loads(data)
                for _ in range(rng.choice((1, 1, 1, 2, 4))):
                    change(tree, rng)
                text = json.dumps(tree).encode()
            except (ValueError, RecursionError):
                text = b""
            if 0 < len(text) <= max_size:
                return text
        mutated: bytes = atheris.Mutate(data, max_size)
        return mutated


def change(tree: object, rng: random.Random) -> None:
    """Changes one place of a tree."""
    places = list(places_in(tree))
    if not places:
        return
    # The many cards and moves do not crowd out the others.
    few = [place for place in places if len(place[0]) < 12]
    parent, key = rng.choice(few if few and rng.random() < 0.5 else places)
    kind = rng.randrange(6)
    if kind == 0:
        parent[key] = rng.choice(VALUES)
    elif kind == 1:
        other, name = rng.choice(places)
        parent[key] = json.loads(json.dumps(other[name]))
    elif kind == 2 and type(parent[key]) is int:
        parent[key] += rng.choice((-12, -1, 1, 12))
    elif kind == 3:
        del parent[key]
    elif isinstance(parent, list):
        parent.insert(rng.randrange(len(parent)), parent.pop(key) if kind == 4 else parent[key])
    else:
        parent[rng.choice(list(parent))] = rng.choice(VALUES)


def places_in(tree: object) -> Iterable[Place]:
    """Every container of a tree with each of its keys or indexes."""
    if isinstance(tree, (dict, list)):
        keys = list(tree) if isinstance(tree, dict) else range(len(tree))
        for key in keys:
            yield tree, key
            yield from places_in(tree[key])
