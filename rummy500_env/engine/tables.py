"""Entry points for Python: one table of an array of records, by its number.

Python code passes whole arrays and never a record: a call then costs a fifth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.bits import bits_to_bytes, is_legal, lowest, without_lowest
from rummy500_env.engine.chance import fold
from rummy500_env.engine.deal import start_game
from rummy500_env.engine.encode import encode
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.laying import enter_card
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import own_of, view_of
from rummy500_env.engine.melds import keep_open_places
from rummy500_env.engine.play import play_action, refill_if_empty
from rummy500_env.engine.state import DRAW

__all__ = [
    "VIEW_KEY",
    "list_legal",
    "new_table",
    "observe_table",
    "refresh_table",
    "step_table",
    "view_table",
    "write_mask",
]

VIEW_KEY = np.int64(0x56494557)
"""Folded into a game's chance-free key to make the random bits of views that Python asks for."""


@kernel
def new_table(states: Any, i: Any, rules: Any, seed: Any, single_round: Any) -> None:
    """Begin a game in the zeroed record ``i``."""
    start_game(states[i], rules[0], seed, single_round)
    refresh_legal(states[i], rules[0])


@kernel
def refresh_table(states: Any, i: Any, rules: Any) -> None:
    """Work out anew what in record ``i`` follows from the rest: where cards lie, what is legal.

    Before a draw an empty stock is refilled, where the rules do so.
    """
    st, r = states[i], rules[0]
    if st.phase == DRAW:
        refill_if_empty(st, r)
    for entry in range(len(st.table_meld)):
        st.table_meld[entry] = 0
        st.table_kind[entry] = 0
        st.table_by[entry] = 0
    for meld in range(np.int64(st.num_melds)):
        for place in range(np.int64(st.meld_size[meld])):
            face, seat = np.int64(st.meld_faces[meld, place]), np.int64(st.meld_by[meld, place])
            enter_card(st, r, np.int64(meld), np.int64(place), face, seat)
    keep_open_places(st, r)
    refresh_legal(st, r)


@kernel
def step_table(states: Any, i: Any, rules: Any, action: Any) -> Any:
    """Play an action and return True, or return False and change nothing when it is illegal."""
    st, r = states[i], rules[0]
    if not is_legal(st, r, action):
        return False
    play_action(st, r, action)
    return True


@kernel
def list_legal(states: Any, i: Any, rules: Any, target: Any) -> Any:
    """Write the legal actions in order and return their number."""
    st = states[i]
    count = np.int64(0)
    for word in range(np.int64(rules[0].num_words)):
        bits = np.int64(st.legal[word])
        while bits != 0:
            target[count] = 64 * word + lowest(bits)
            count += 1
            bits = without_lowest(bits)
    return count


@kernel
def write_mask(states: Any, i: Any, rules: Any, target: Any) -> None:
    """Write the action mask of the seat to move."""
    bits_to_bytes(states[i].legal, np.int64(rules[0].num_actions), target)


@kernel
def view_table(states: Any, i: Any, seat: Any, key: Any, table: Any, views: Any, j: Any) -> None:
    """Write the view of a seat of table ``i`` into record ``j`` of the views."""
    view_of(states[i], seat, key, table, views[j])


@kernel
def observe_table(
    states: Any,
    i: Any,
    rules: Any,
    seat: Any,
    views: Any,
    template: Any,
    scale: Any,
    target: Any,
) -> None:
    """Write the observation of a seat of table ``i``; ``views[0]`` is room to work in."""
    own_of(states[i], seat, np.uint64(0), np.int64(0), views[0])
    encode(states[i], views[0], rules[0], template, scale, target)


@kernel
def seat_key(key: Any, seat: Any) -> Any:
    """Return the word that the random bits of a seat's views follow from."""
    return fold(fold(key, VIEW_KEY), seat)
