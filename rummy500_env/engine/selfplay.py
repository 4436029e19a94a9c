"""Self-play of a value network: rounds, and what its after-states should have promised.

Targets are those of TD(lambda) (Sutton 1988) in its forward view, for each seat along the views
after its own moves: what the seat gained over the others up to its next move, and from there a
mean of what the network says and of the target there. A move that was tried out (Watkins 1989)
ends the trace: what comes after it says nothing of the moves before it, so the best move's value
stands there instead. Moves without a choice are played and not noted.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.engine.batches import restart
from rummy500_env.engine.bits import count_bits, is_legal, select_bit
from rummy500_env.engine.chance import below, fold
from rummy500_env.engine.features import NUM_WORDS
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import view_of
from rummy500_env.engine.network import best_move, value_after
from rummy500_env.engine.play import play_action
from rummy500_env.engine.policies import ask_policy, policy_of
from rummy500_env.engine.state import OVER
from rummy500_env.engine.table_lead import lead_of, table_lead

__all__ = ["NOTE", "play_and_note"]

NOTE: Final = np.dtype(
    [
        ("features", "i8", (NUM_WORDS,)),  # of the view after the move
        ("target", "f8"),  # what it should have promised, in points
        ("value", "f8"),  # what the network said
        ("lead", "f8"),  # points of the seat over the others' mean on the table, after the move
        ("best", "f8"),  # what the best move lets the seat lead by in the end
        ("seat", "i1"),
        ("tried", "u1"),  # 1 when it was not the best move but one to be tried out
        ("spare", "u1", (6,)),
    ]
)
"""What is noted of a move."""

SECRET, TRY = np.int64(1), np.int64(2)


@kernel
def play_and_note(
    states: Any,
    blank: Any,
    rules: Any,
    seeds: Any,
    keys: Any,
    seating: Any,
    policies: Any,
    weights: Any,
    trying: Any,
    trace: Any,
    views: Any,
    legal: Any,
    words: Any,
    room: Any,
    notes: Any,
    scores: Any,
) -> Any:
    """Play rounds; seats without a policy are the network's, and their moves are noted.

    Args:
        states: Two tables to work in.
        blank: One blank table.
        rules: The rules' array of one record.
        seeds: ``uint64 (games,)``.
        keys: ``uint64 (games,)``: words that views' random bits, and what is tried, follow from.
        seating: ``int64 (games, seats)``: which of the policies sits where.
        policies: See :func:`~rummy500_env.engine.policies.policy_pointers`; 0: the network.
        weights: The network's.
        trying: How often a move is tried out, 0 to 1.
        trace: Lambda, 0 to 1.
        views: Two view records to work in.
        legal: ``int64 (1, words)`` to work in.
        words: ``int64 (3, NUM_WORDS)`` to work in.
        room: ``float32 (2, FIRST)`` to work in.
        notes: Array of `NOTE`; play stops before it is full.
        scores: ``int32 (games, seats)``: scores of the rounds.

    Returns:
        How many rounds were played, and how many notes were made.
    """
    r, st = rules[0], states[0]
    n = np.int64(r.num_players)
    made, most = np.int64(0), np.int64(0)
    for game in range(len(seeds)):
        if made + 2 * most + 200 > len(notes):
            return np.int64(game), made
        first = made
        restart(states, np.int64(0), blank, r, seeds[game], np.int64(1))
        refresh_legal(st, r)
        secret = fold(keys[game], SECRET)
        chance = fold(keys[game], TRY)
        while st.phase != OVER:
            seat = np.int64(st.seat)
            pointer = policies[seating[game, seat]]
            if pointer != 0:
                policy = policy_of(pointer)
                key = fold(secret, seat)
                action = ask_policy(policy, st, rules, key, np.int64(game), views[:1], legal)
                if not is_legal(st, r, action):
                    return np.int64(-1), made
                play_action(st, r, action)
                continue
            count = count_bits(st.legal, np.int64(r.num_words))
            if count == 1 or made >= len(notes):
                play_action(st, r, select_bit(st.legal, np.int64(0)))
                continue
            view_of(st, seat, secret, np.int64(game), views[0])
            action, gain, value = best_move(
                views[0], st.legal, r, weights, states[1], views[1], words, room
            )
            note = notes[made]
            lead = table_lead(st, n, seat)
            note.best = lead + gain + value
            note.seat, note.tried = seat, 0
            chance = fold(chance, made - first)
            if trying > 0.0 and below(chance, np.int64(1 << 20)) < trying * (1 << 20):
                chance = fold(chance, np.int64(1))
                action = select_bit(st.legal, below(chance, count))
                note.tried = 1
                gain, value = value_after(
                    views[0], action, r, weights, states[1], views[1], words, room
                )
            # Of a move that ends the round the gain is known from the view after it alone: the
            # table itself has been scored.
            note.lead, note.value = lead + gain, value
            for k in range(NUM_WORDS):
                note.features[k] = words[1, k]
            play_action(st, r, action)
            made += 1
        most = max(most, made - first)
        for seat in range(n):
            scores[game, seat] = st.round_scores[seat]
        _set_targets(notes, first, made, scores[game], n, trace)
    return np.int64(len(seeds)), made


@kernel
def _set_targets(notes: Any, first: Any, stop: Any, scores: Any, n: Any, trace: Any) -> None:
    """Write the targets of one round's notes, the last ones first."""
    for seat in range(n):
        ahead = lead_of(scores, n, seat)
        for k in range(stop - 1, first - 1, -1):
            note = notes[k]
            if note.seat != seat:
                continue
            # ``ahead``: what the seat is to lead by in the end, as seen at its next move.
            note.target = ahead - note.lead
            ahead = note.best if note.tried else (1.0 - trace) * note.best + trace * ahead
