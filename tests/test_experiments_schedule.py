"""Which games a tournament plays: balance, all numbers from the seed, any cut the same."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.errors import RunError
from experiments.schedule import Schedule, agent_keys, game_seed, num_shares

NAMES = ("random", "greedy", "greedy:keep=0.5", "mc:8", "mc:64", "a", "b")


@st.composite
def schedules(draw):
    num_agents = draw(st.integers(2, 7))
    num_players = draw(st.integers(2, 5))
    designs = ["auto", "pairs"] + (["mixed"] if num_agents >= num_players else [])
    in_teams = num_players == 4 and draw(st.booleans())
    if in_teams:
        designs = ["auto", "teams"]
    return Schedule(
        agents=NAMES[:num_agents],
        num_players=num_players,
        num_deals=draw(st.integers(1, 6)),
        seed=draw(st.integers(0, 2**64 - 1)),
        design=draw(st.sampled_from(designs)),
        in_teams=in_teams,
    )


def whole(schedule):
    return schedule.block(0, schedule.num_deals)


# --- balance -------------------------------------------------------------------------------------


@given(schedules())
def test_every_pair_meets_equally_often(schedule):
    meetings = Counter()
    for table in whole(schedule).agents.tolist():
        meetings.update(itertools.combinations(sorted(set(table)), 2))
    assert len(meetings) == len(schedule.agents) * (len(schedule.agents) - 1) // 2
    assert len(set(meetings.values())) == 1


@given(schedules())
def test_every_agent_sits_equally_often_in_every_seat(schedule):
    agents = whole(schedule).agents
    counts = [np.bincount(seat, minlength=len(schedule.agents)) for seat in agents.T]
    assert len(np.unique(counts)) == 1


@given(schedules())
def test_within_a_deal_each_lineup_has_each_of_its_agents_equally_often_in_each_seat(schedule):
    block = whole(schedule)
    for deal, lineup in sorted(set(zip(block.deal.tolist(), block.lineup.tolist(), strict=True))):
        tables = block.agents[(block.deal == deal) & (block.lineup == lineup)]
        expected = Counter(schedule.lineups[lineup].agents)
        assert all(Counter(table) == expected for table in tables.tolist())
        per_seat = [Counter(seat) for seat in tables.T.tolist()]
        assert all(counts == per_seat[0] for counts in per_seat)
        assert len({tuple(table) for table in tables.tolist()}) == len(tables)


@given(schedules())
def test_every_lineup_is_played_equally_often(schedule):
    counts = np.bincount(whole(schedule).lineup, minlength=len(schedule.lineups))
    assert len(set(counts.tolist())) == 1


@pytest.mark.parametrize("num_players", [2, 3])
def test_up_to_three_seats_all_orders_are_played(num_players):
    schedule = Schedule(NAMES[:num_players], num_players, 2, seed=1)
    tables = schedule.block(1, 2).agents.tolist()
    assert sorted(map(tuple, tables)) == sorted(itertools.permutations(range(num_players)))


def test_from_four_seats_on_a_cyclic_order_is_drawn_and_rotated():
    schedule = Schedule(NAMES[:4], 4, 60, seed=3)
    orders = set()
    for deal in range(60):
        tables = schedule.block(deal, deal + 1).agents
        left = [{table[s]: table[(s + 1) % 4] for s in range(4)} for table in tables.tolist()]
        assert all(neighbours == left[0] for neighbours in left)
        assert sorted(tables[:, 0].tolist()) == [0, 1, 2, 3]
        orders.add(tuple(sorted(left[0].items())))
    assert len(orders) == 6  # all cyclic orders of four, so each has been drawn


def test_a_pair_is_one_among_the_others_both_ways_round():
    schedule = Schedule(("a", "b"), 4, 1, seed=0)
    tables = sorted(map(tuple, whole(schedule).agents.tolist()))
    one_a = [tuple(0 if seat == one else 1 for seat in range(4)) for one in range(4)]
    one_b = [tuple(1 if seat == one else 0 for seat in range(4)) for one in range(4)]
    assert tables == sorted(one_a + one_b)


def test_design_auto_is_pairs_where_agents_are_fewer_than_seats():
    assert Schedule(NAMES[:3], 4, 1, 0).plays_pairs
    assert not Schedule(NAMES[:4], 4, 1, 0).plays_pairs
    assert Schedule(NAMES[:4], 4, 1, 0, "pairs").plays_pairs


@given(st.integers(1, 500), st.integers(2, 12), st.integers(1, 300))
def test_shares_divide_the_deals_and_are_no_smaller_than_the_field(lineups, agents, deals):
    shares = num_shares(lineups, agents, deals)
    assert deals % shares == 0
    assert shares == 1 or lineups // shares >= agents


# --- numbers -------------------------------------------------------------------------------------


def test_seeds_and_keys_are_the_same_in_all_versions():
    assert [game_seed(0, deal) for deal in range(3)] == [
        6176957694681719828,
        4408222336645413603,
        10374673053481630536,
    ]
    assert agent_keys(0, 0, "greedy")[:2].tolist() == [16819311493568350071, 547430764065722214]


@given(schedules())
@settings(max_examples=25)
def test_a_game_has_the_seed_of_its_deal_and_the_keys_of_its_agents(schedule):
    block = whole(schedule)
    for row in range(0, len(block.game_id), 7):
        deal = int(block.deal[row])
        assert int(block.seeds[row]) == game_seed(schedule.seed, deal)
        for seat, agent in enumerate(block.agents[row]):
            keys = agent_keys(schedule.seed, deal, schedule.agents[agent])
            assert block.keys[row, seat] == keys[seat]


def test_keys_hang_on_name_seat_deal_and_seed_only():
    small = whole(Schedule(("a", "b"), 2, 1, seed=5))
    large = whole(Schedule(("c", "b", "a"), 2, 1, seed=5))
    keys = {
        (name, seat): small.keys[row, seat]
        for row in range(2)
        for seat, name in enumerate(("ab", "ba")[row])
    }
    for row, table in enumerate(large.agents.tolist()):
        for seat, agent in enumerate(table):
            name = "cba"[agent]
            if name != "c":
                assert large.keys[row, seat] == keys[name, seat]
    assert len({int(word) for word in keys.values()}) == 4
    assert game_seed(5, 0) not in {int(word) for word in keys.values()}
    assert len({game_seed(seed, deal) for seed in range(20) for deal in range(20)}) == 400


@given(schedules(), st.data())
def test_any_cut_gives_the_same_games(schedule, data):
    cuts = data.draw(st.lists(st.integers(0, schedule.num_deals), max_size=4))
    edges = sorted({0, schedule.num_deals, *cuts})
    blocks = [schedule.block(first, stop) for first, stop in itertools.pairwise(edges)]
    for name in ("game_id", "deal", "lineup", "seating", "seeds", "agents", "keys"):
        joined = np.concatenate([getattr(block, name) for block in blocks])
        np.testing.assert_array_equal(joined, getattr(whole(schedule), name))
    np.testing.assert_array_equal(whole(schedule).game_id, np.arange(schedule.num_games))


def test_one_game_of_a_block_is_its_row():
    block = whole(Schedule(NAMES[:3], 3, 4, seed=9))
    one = block.game(10)
    assert one.game_id.tolist() == [10]
    np.testing.assert_array_equal(one.keys[0], block.keys[10])


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"agents": ("a",)}, "at least 2"),
        ({"num_players": 1}, "players=1 is not allowed: use 2 to 8"),
        ({"num_players": 9}, "use 2 to 8"),
        ({"num_deals": 0}, "deals=0 is not allowed: use 1 or more"),
        ({"num_deals": -3}, "deals=-3"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "2\\*\\*64 - 1"),
        ({"design": "swiss"}, "auto, mixed, pairs"),
        ({"design": "mixed", "num_players": 3}, "2 agents for 3 seats"),
    ],
)
def test_what_cannot_be_is_refused(changes, text):
    given_so = {"agents": ("a", "b"), "num_players": 2, "num_deals": 1, "seed": 0} | changes
    with pytest.raises(RunError, match=text):
        Schedule(**given_so)


# --- one against all, sides ----------------------------------------------------------------------


@given(st.integers(2, 7), st.integers(2, 5), st.integers(0, 2**64 - 1))
def test_in_a_gauntlet_the_first_meets_each_other_and_no_others_meet(agents, players, seed):
    gauntlet = Schedule(NAMES[:agents], players, 3, seed, "gauntlet")
    pairs = Schedule(NAMES[:agents], players, 3, seed, "pairs")
    played = {tuple(sorted(set(table))) for table in whole(gauntlet).agents.tolist()}
    assert played == {(0, other) for other in range(1, agents)}
    with_first = [table for table in whole(pairs).agents.tolist() if 0 in table]
    assert whole(gauntlet).agents.tolist() == with_first


def test_each_side_is_one_agent_and_both_sit_on_both_sides():
    schedule = Schedule(NAMES[:3], 4, 2, 0, in_teams=True)
    tables = whole(schedule).agents.tolist()
    assert all(a == c != b == d for a, b, c, d in tables)
    assert Counter(map(tuple, tables)) == Counter(
        (a, b, a, b) for a, b in itertools.permutations(range(3), 2) for _ in range(2)
    )


@pytest.mark.parametrize(
    ("design", "in_teams", "told"),
    [
        ("mixed", True, "they have teams, use teams or auto"),
        ("pairs", True, "they have teams"),
        ("teams", False, "they have no teams"),
        ("swiss", False, "use auto, mixed, pairs, gauntlet, teams"),
    ],
)
def test_a_design_that_does_not_fit_is_refused(design, in_teams, told):
    with pytest.raises(RunError, match=told):
        Schedule(NAMES, 4, 2, 0, design, in_teams)
