"""Tables at which one seat learns: opponents play until that seat is to decide, or the end.

A kernel plays all opponents of one compiled policy (:mod:`rummy500_env.engine.policies`); where
another opponent is to move, the table waits until the caller says what it does. Which opponent
plays a seat is told by its slot: 0 is the seat after the learner's, 1 the one after that, and so
on, whatever the rules' direction.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rummy500_env.engine.batches import num_decisions, restart
from rummy500_env.engine.bits import bits_to_bytes, count_bits, is_legal, select_bit
from rummy500_env.engine.chance import below, fold
from rummy500_env.engine.encode import encode
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.legal import refresh_legal
from rummy500_env.engine.look import own_of, view_of
from rummy500_env.engine.play import play_action
from rummy500_env.engine.policies import ask_policy
from rummy500_env.engine.rewards import add_rewards, note_points
from rummy500_env.engine.state import OVER
from rummy500_env.engine.tables import seat_key

__all__ = [
    "ASKS",
    "BARREN",
    "BEGIN",
    "CUT_BY",
    "ENDED",
    "FULL",
    "GO_ON",
    "LEARNER",
    "LEARNS",
    "LEAVE",
    "MOST_BARREN",
    "PLAY",
    "SETTINGS",
    "WRONG",
    "first_policy",
    "gather_asked",
    "look_learners",
    "play_learners",
]

LEARNER: Final = np.dtype(
    [
        ("word", "u8"),  # the seeds of the table's episodes follow from it
        ("secret", "u8"),  # the same for the random bits of views: no deal can be computed from it
        ("key", "u8"),  # the random bits of this episode's views follow from it
        ("episode", "i8"),  # number of the episode
        ("reward", "f8"),  # what the learner has earned since its last decision
        ("wrong", "i8"),  # the illegal action that a policy returned
        ("barren", "i4"),  # episodes in a row that ended before the learner had decided
        ("fixed_seat", "i1"),  # where the learner sits; -1: drawn for each episode
        ("seat", "i1"),  # where it sits now
        ("status", "i1"),  # what the table waits for
        ("slot", "i1"),  # the opponent that is asked, or that went wrong
        ("acted", "u1"),  # 1 when the learner has decided in this episode
        ("begun", "u1"),  # 1 when an episode has begun since the caller last looked
        ("ended", "u1"),  # how an episode ended in the last step: 0 none, 1 terminated, 2 truncated
        ("cut_by", "u1"),  # what truncated it, an index into CUT_BY
        ("final_seat", "i1"),  # where the learner sat in the episode that ended
        ("spare", "u1", (3,)),
    ]
)
"""What is kept for a table beside its state."""

SETTINGS: Final = np.dtype(
    [
        ("single_round", "i8"),
        ("skip_forced", "i8"),
        ("max_decisions", "i8"),  # 0: no limit
        ("reward", "i8"),
        ("autoreset", "i8"),  # whether the next episode begins in the step that ended one
        ("played", "i8"),  # bit k is set when the policy at hand plays slot k
    ]
)

LEAVE, BEGIN, PLAY, GO_ON = (np.int64(k) for k in range(4))
"""Orders for a table: leave it, begin an episode, play an action and go on, go on."""

LEARNS, ASKS, FULL, ENDED, WRONG, BARREN = (np.int64(k) for k in range(6))
"""What a table waits for: the learner, an opponent, room to note moves, a new episode; or what is
wrong: a policy's illegal action, many episodes in a row in which the learner decides nothing.
"""

CUT_BY: Final = ("", "max_turns", "max_rounds", "max_decisions")
MAX_DECISIONS = np.int64(CUT_BY.index("max_decisions"))
TERMINATED, TRUNCATED = np.int64(1), np.int64(2)
MOST_BARREN = np.int64(1000)
"""Episodes in a row without a decision of the learner after which there seems to be none."""
SEAT_KEY = np.int64(0x53454154)


@kernel
def first_policy(views: Any, row: Any, legal: Any, rules: Any) -> Any:
    """Return the first legal action; a stand-in where no opponent is compiled."""
    return select_bit(legal[row], np.int64(0))


@kernel
def play_learners(
    states: Any,
    blank: Any,
    rules: Any,
    learners: Any,
    settings: Any,
    owed: Any,
    policy: Any,
    views: Any,
    legal: Any,
    log: Any,
    log_seats: Any,
    log_sizes: Any,
    template: Any,
    scale: Any,
    observation: Any,
    masks: Any,
    final_observation: Any,
    final_scores: Any,
    orders: Any,
    actions: Any,
    lo: Any,
    hi: Any,
) -> Any:
    """Carry out an order at each table, until it waits.

    Args:
        states: Array of tables.
        blank: One zeroed table.
        rules: The rules' array of one record.
        learners: ``LEARNER (tables,)``.
        settings: ``SETTINGS (1,)``.
        owed: ``float64 (tables, seats)``: rewards not yet paid.
        policy: The policy that plays some of the slots, see ``SETTINGS``.
        views: One view record to work in.
        legal: ``int64 (1, words)`` to work in.
        log: ``int16 (tables, room)``: moves played; without room nothing is noted.
        log_seats: ``int8 (tables, room)``: who played them.
        log_sizes: ``int32 (tables,)``: moves noted.
        template: The form of observations, with ``scale``.
        scale: See there.
        observation: What the learner sees where it is to decide.
        masks: ``int8 (tables, n)``: its mask.
        final_observation: What it saw at the end of an episode.
        final_scores: ``int32 (tables, seats)``: the totals there.
        orders: ``int8 (tables,)``.
        actions: ``int64 (tables,)``: of the seat to move, for the order ``PLAY``.
        lo: First table.
        hi: One past the last table.

    Returns:
        -1; or the first table with an illegal action, given (then nothing has changed) or chosen
        by a policy (then its status is ``WRONG``), or the first that is ``BARREN``.
    """
    r = rules[0]
    for i in range(lo, hi):
        if orders[i] == PLAY:
            action = np.int64(actions[i])
            if not is_legal(states[i], r, action):
                return np.int64(i)
    for k in range(lo, hi):
        i = np.int64(k)
        if orders[i] == LEAVE:
            continue
        st, learner = states[i], learners[i]
        if orders[i] == BEGIN:
            learner.ended = 0
            learner.barren = 0
            _begin(states, i, blank, r, learners, settings, owed, log_sizes)
        elif orders[i] == PLAY:
            if st.seat == learner.seat:
                learner.ended = 0
                learner.barren = 0
                learner.acted = 1
            _play(st, r, i, np.int64(actions[i]), settings, owed, log, log_seats, log_sizes)
        while True:
            learner.status = _play_on(
                st,
                rules,
                i,
                learners,
                settings,
                owed,
                policy,
                views,
                legal,
                log,
                log_seats,
                log_sizes,
            )
            if learner.status != ENDED:
                break
            if learner.acted:
                _finish(st, r, i, learner, owed, final_scores)
                _look(st, r, i, learner, views, template, scale, final_observation)
            else:
                learner.barren += 1
                if learner.barren >= MOST_BARREN:
                    learner.status = BARREN
            if not settings[0].autoreset or learner.status == BARREN:
                break
            learner.episode += 1
            _begin(states, i, blank, r, learners, settings, owed, log_sizes)
        if learner.status >= WRONG:
            return i
        if learner.status == LEARNS:
            _look(st, r, i, learner, views, template, scale, observation)
            bits_to_bytes(st.legal, np.int64(r.num_actions), masks[i])
            if learner.acted:
                learner.reward = owed[i, np.int64(learner.seat)]
                for seat in range(np.int64(r.num_players)):
                    owed[i, seat] = 0.0
    return np.int64(-1)


@kernel
def _begin(
    states: Any,
    i: Any,
    blank: Any,
    r: Any,
    learners: Any,
    settings: Any,
    owed: Any,
    log_sizes: Any,
) -> None:
    """Begin the episode of a table whose number it bears."""
    learner, n = learners[i], np.int64(r.num_players)
    episode = np.int64(learner.episode)
    restart(states, i, blank, r, fold(learner.word, episode), np.int64(settings[0].single_round))
    refresh_legal(states[i], r)
    learner.key = fold(learner.secret, episode)
    if learner.fixed_seat >= 0:
        learner.seat = learner.fixed_seat
    else:
        learner.seat = below(fold(learner.key, SEAT_KEY), n)
    learner.acted = 0
    learner.begun = 1
    log_sizes[i] = 0
    for seat in range(n):
        owed[i, seat] = 0.0


@kernel
def _play_on(
    st: Any,
    rules: Any,
    i: Any,
    learners: Any,
    settings: Any,
    owed: Any,
    policy: Any,
    views: Any,
    legal: Any,
    log: Any,
    log_seats: Any,
    log_sizes: Any,
) -> Any:
    """Play single legal actions, if they are skipped, and compiled opponents; return the status."""
    r, learner, s = rules[0], learners[i], settings[0]
    n, words = np.int64(r.num_players), np.int64(r.num_words)
    while st.phase != OVER:
        if log.shape[1] > 0 and log_sizes[i] >= log.shape[1]:
            return FULL
        seat = np.int64(st.seat)
        if s.skip_forced and count_bits(st.legal, words) == 1:
            action = select_bit(st.legal, np.int64(0))
        else:
            if s.max_decisions > 0 and learner.acted and num_decisions(st, n) >= s.max_decisions:
                return ENDED
            own = np.int64(learner.seat)
            if seat == own:
                return LEARNS
            slot = seat - own - 1 if seat > own else seat - own - 1 + n
            learner.slot = slot
            if np.int64(s.played) >> slot & 1 == 0:
                return ASKS
            action = ask_policy(policy, st, rules, seat_key(learner.key, seat), i, views, legal)
            if not is_legal(st, r, action):
                learner.wrong = action
                return WRONG
        _play(st, r, i, action, settings, owed, log, log_seats, log_sizes)
    return ENDED


@kernel
def _play(
    st: Any,
    r: Any,
    i: Any,
    action: Any,
    settings: Any,
    owed: Any,
    log: Any,
    log_seats: Any,
    log_sizes: Any,
) -> None:
    """Play an action, note it, and add what it pays."""
    if log.shape[1] > 0:
        log[i, log_sizes[i]] = action
        log_seats[i, log_sizes[i]] = st.seat
        log_sizes[i] += 1
    reward = np.int64(settings[0].reward)
    note_points(st, r, reward)
    play_action(st, r, action)
    add_rewards(st, r, reward, owed, i)


@kernel
def _finish(st: Any, r: Any, i: Any, learner: Any, owed: Any, final_scores: Any) -> None:
    """Note how an episode ended, and pay what the learner is owed."""
    if st.phase != OVER:
        learner.ended, learner.cut_by = TRUNCATED, MAX_DECISIONS
    else:
        learner.ended = TRUNCATED if st.truncated else TERMINATED
        learner.cut_by = st.truncated
    learner.final_seat = learner.seat
    learner.reward = owed[i, np.int64(learner.seat)]
    for seat in range(np.int64(r.num_players)):
        final_scores[i, seat] = st.scores[seat]
        owed[i, seat] = 0.0


@kernel
def _look(
    st: Any,
    r: Any,
    i: Any,
    learner: Any,
    views: Any,
    template: Any,
    scale: Any,
    observation: Any,
) -> None:
    """Write what the learner observes."""
    own_of(st, np.int64(learner.seat), np.uint64(0), i, views[0])
    encode(st, views[0], r, template, scale, observation[i])


@kernel
def look_learners(
    states: Any,
    rules: Any,
    learners: Any,
    views: Any,
    template: Any,
    scale: Any,
    observation: Any,
    masks: Any,
) -> None:
    """Write observation and mask of each learner, who is to decide."""
    r = rules[0]
    for k in range(len(states)):
        i = np.int64(k)
        _look(states[i], r, i, learners[i], views, template, scale, observation)
        bits_to_bytes(states[i].legal, np.int64(r.num_actions), masks[i])


@kernel
def gather_asked(
    states: Any, rules: Any, learners: Any, tables: Any, views: Any, masks: Any
) -> None:
    """Write view and mask of the seat to move at each of the given tables."""
    for row in range(len(tables)):
        i = np.int64(tables[row])
        seat = np.int64(states[i].seat)
        view_of(states[i], seat, seat_key(learners[i].key, seat), i, views[row])
        bits_to_bytes(states[i].legal, np.int64(rules[0].num_actions), masks[row])
