"""Other libraries beside ours: what is measured, and what is told of those that cannot be."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

from experiments.benchmarks.harness import Budget, Target, Work
from experiments.benchmarks.loops import Reader, play_table, reading
from experiments.benchmarks.peers import compare, pettingzoo
from experiments.benchmarks.peers.model import (
    Absent,
    Compared,
    Comparison,
    Loop,
    PeerError,
    with_version,
)
from experiments.benchmarks.peers.ours import OURS, Own
from experiments.benchmarks.play import BenchError
from experiments.benchmarks.works import Bench
from rummy500_env.game import Game
from tests.support.clock import Clock
from tests.support.peers import (
    INSTALLED,
    MISSING,
    failing,
    fake,
    peer,
    replace_ours,
    steady,
    stopping,
)


@pytest.fixture
def own(monkeypatch):
    return replace_ours(monkeypatch)


def compared(comparison):
    return compare.compare(comparison, Bench(2, seed=5), Budget(1e-3, 3))


# -- what is measured ------------------------------------------------------------------------------


def test_ours_to_it_is_how_many_times_as_fast_ours_is(monkeypatch):
    clock = Clock(monkeypatch)
    ours = {
        "batch": Own("Batch", lambda bench: clock.work("many", "decisions/s", [0.25])),
        "game": Own("Game", lambda bench: clock.work("one", "decisions/s", [0.5])),
    }
    monkeypatch.setattr(compare, "OURS", ours)
    slow = clock.work("slow", "decisions/s", [1.0])
    plain = peer("slow", lambda seed: Loop(slow.run, {}), batch=Target(">=", 5), game=None)
    found = compare.compare(fake(plain), Bench(2), Budget(12.0, 3))
    assert (found.title, found.package, found.version) == ("Fake", INSTALLED, np.__version__)
    assert [(figure.name, figure.median) for figure in found.figures] == [
        ("many", 40),
        ("one", 20),
        ("slow", 10),
        ("  Batch to it", 4),
        ("  Game to it", 2),
    ]
    assert clock.order[-9:] == ["many", "one", "slow"] * 3
    assert [figure.is_met for figure in found.figures] == [None, None, None, False, None]
    assert (dict(found.does), found.absent) == ({"slow": "does `slow`"}, ())


def test_of_times_the_longer_one_is_slower(monkeypatch):
    clock = Clock(monkeypatch)
    ours = {"clone": Own("clone", lambda bench: clock.work("copy", "µs/table", [0.25]))}
    monkeypatch.setattr(compare, "OURS", ours)
    theirs = clock.work("theirs", "µs/clone", [1.0])
    copying = peer("theirs", lambda seed: Loop(theirs.run, {}), clone=Target(">=", 4))
    found = compare.compare(fake(copying, unit="µs/clone"), Bench(2), Budget(12.0, 3))
    assert (found.figures[-1].median, found.figures[-1].is_met) == (4, True)


def test_a_loop_is_made_from_the_seed_of_the_run(own):
    seeds = []
    compared(fake(peer("a", lambda seed: seeds.append(seed) or steady(seed), batch=None)))
    assert seeds == [5]


def test_what_takes_part_is_named_with_its_version(own):
    loop = Loop(lambda count: count, {"with": with_version(INSTALLED)})
    found = compared(fake(peer("a", lambda seed: loop, batch=None)))
    assert found.does == {"a": f"does `a`; numpy {np.__version__}"}


@pytest.mark.parametrize("key", OURS)
def test_ours_do_what_they_are_called(key):
    made = Bench(2)
    work = OURS[key].make(made)
    assert work.run(1) > 0
    assert work.target is None
    if "clone" in key:
        assert work.unit.startswith("µs/")
    else:
        assert work.unit == "decisions/s"
        assert made.tallies[0].decisions > 0
    for tally in made.tallies:
        tally.check()


def test_everything_is_held_against_something_of_ours():
    peers = [peer for one in compare.COMPARISONS for peer in one.peers()]
    assert len({peer.name for peer in peers}) == len(peers)
    for one in peers:
        assert one.against.keys() <= OURS.keys()
        assert one.against or one.make is pettingzoo._gone


# -- what is not -----------------------------------------------------------------------------------


def test_what_is_not_installed_is_said_to_be_so():
    def peers():
        raise AssertionError("nothing is looked for in it")

    found = compared(Comparison("Fake", MISSING, peers))
    assert found == Compared("Fake", MISSING, None, absent=(Absent("", "not installed"),))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModuleNotFoundError("No module named 'pygame'", name="pygame"), "not installed: it needs"),
        (ImportError("broken\n  library"), "ImportError: broken library"),
        (SystemExit(1), "SystemExit: 1"),
        (PeerError("it is gone"), "it is gone"),
        (BenchError("masks allowed 3"), "masks allowed 3"),
        (KeyError(), "KeyError"),
        (ValueError("long " * 100), "ValueError: long long"),
    ],
)
@pytest.mark.parametrize("when", ["made", "first", "measured"])
def test_a_loop_that_fails_is_a_line_and_the_others_are_measured(own, error, reason, when):
    make = failing(error) if when == "made" else stopping(0 if when == "first" else 4, error)
    found = compared(fake(peer("bad", make, game=None), peer("good", steady, batch=None)))
    assert [figure.name for figure in found.figures] == ["many", "good", "  Batch to it"]
    assert list(found.does) == ["good"]
    ((name, said),) = found.absent
    assert name == "bad"
    assert said.startswith(reason)
    assert len(said) <= 200
    assert "\n" not in said


def test_where_all_fail_nothing_is_measured(own):
    found = compared(fake(peer("bad", stopping(0, ValueError("no")), batch=None)))
    assert (found.figures, found.does) == ((), {})
    assert found.absent == (Absent("bad", "ValueError: no"),)


def test_a_library_that_cannot_list_its_games_is_a_line():
    def peers():
        raise ImportError("cannot import name 'classic'")

    found = compared(Comparison("Fake", INSTALLED, peers))
    assert found.absent == (Absent("", "ImportError: cannot import name 'classic'"),)


def test_faults_of_ours_are_not_told_as_theirs(own, monkeypatch):
    bad = Own("Batch", lambda bench: Work("many", "decisions/s", failing(BenchError("not ours"))))
    monkeypatch.setitem(own, "batch", bad)
    with pytest.raises(BenchError, match="not ours"):
        compared(fake(peer("good", steady, batch=None)))


def test_what_libraries_print_and_warn_of_is_left_out(own, capsys):
    def noisy(seed):
        print("hello from the library")
        warnings.warn("old", stacklevel=1)
        return steady(seed)

    assert compared(fake(peer("noisy", noisy, batch=None))).figures
    assert capsys.readouterr() == ("", "")


# -- one core --------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no such call here")
def test_all_is_measured_on_one_core():
    before = os.sched_getaffinity(0)
    with compare.one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before
    with pytest.raises(KeyError), compare.one_core():
        raise KeyError
    assert os.sched_getaffinity(0) == before


def test_a_system_that_cannot_do_that_measures_all_the_same(monkeypatch):
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    with compare.one_core() as core:
        assert core is None


# -- the loops -------------------------------------------------------------------------------------


def test_a_reader_draws_all_legal_actions_equally_often():
    mask = np.zeros(50, np.int8)
    mask[[3, 20, 49]] = 1
    for legal in (None, [3, 20, 49]):
        reader = Reader(1)
        drawn = [reader.choose(np.arange(6.0).reshape(2, 3), mask, legal) for _ in range(3000)]
        assert sorted(set(drawn)) == [3, 20, 49]
        assert min(drawn.count(action) for action in (3, 20, 49)) > 900
        assert (reader.decisions, reader.allowed) == (3000, 3000)
        assert reader.checksum == 500 * sum(range(6))


def test_a_mask_that_does_not_allow_what_was_drawn_is_noticed():
    reader = Reader()
    run = reading("fake", reader, lambda _: reader.choose(np.ones(3), np.zeros(5, np.int8), [2]))
    with pytest.raises(BenchError, match="fake: 1 actions were drawn, and masks allowed 0"):
        run(1)


def test_a_game_is_read_at_each_of_its_decisions():
    reader, game = Reader(3), Game("rummy500", 2, seed=3, episode="round")
    run = reading("game", reader, lambda _: play_table(game, reader))
    assert run(1) == len(game.history) == reader.decisions > 20
    assert game.is_over


# -- PettingZoo ------------------------------------------------------------------------------------


@pytest.fixture
def classic(monkeypatch, tmp_path):
    """A folder in place of `pettingzoo.classic`."""
    import pettingzoo.classic as found

    monkeypatch.setattr(found, "__path__", [str(tmp_path)])
    return tmp_path


def test_the_newest_gin_rummy_is_found(classic):
    for name in ("gin_rummy_v9", "gin_rummy_v10", "gin_rummy", "chess_v6", "leduc_holdem_v4"):
        (classic / f"{name}.py").touch()
    assert pettingzoo.games() == {"gin_rummy": "gin_rummy_v10", "leduc_holdem": "leduc_holdem_v4"}
    names = [peer.name for peer in pettingzoo.CARD_GAMES.peers()]
    assert names == ["gin_rummy_v10, env()", "gin_rummy_v10, raw_env()"]


def test_without_gin_rummy_the_other_card_games_are_played(classic, own):
    (classic / "leduc_holdem_v4.py").write_text("raise ImportError('needs cards')")
    gin, leduc = pettingzoo.CARD_GAMES.peers()
    assert leduc.name == "leduc_holdem_v4, env()"
    with pytest.raises(PeerError, match=r"1\.26\.1 was the last version with it"):
        gin.make(0)
    found = compared(pettingzoo.CARD_GAMES)
    assert [absent.name for absent in found.absent] == ["gin_rummy", "leduc_holdem_v4, env()"]
