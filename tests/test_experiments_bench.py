"""The benchmark: that it measures what it says, notices what is not the game, and tells all."""

import json
import math

import numpy as np
import pytest

from experiments import bench
from experiments.benchmarks import copies, play, report, start, works
from experiments.benchmarks.floors import EmptyAEC, EmptyGame, FloorBatch, mask_words, wrapped
from experiments.benchmarks.harness import Budget, Figure, Group, Ratio, Target, Work, measure
from experiments.benchmarks.play import LENGTHS, BenchError, Tally, round_length
from experiments.benchmarks.works import Bench
from experiments.cli import main
from rummy500_env.batch import BatchGame
from rummy500_env.envs.aec import env as make_env
from tests.support.clock import Clock

PLAN = bench.Plan(seconds=0.01, quick=True, start=False)


@pytest.fixture(scope="module")
def measured():
    return bench._measure_all(PLAN)


@pytest.fixture(params=["float32", "int8"])
def batch(request):
    found = BatchGame("rummy500", 2, 32, seed=3, observation_dtype=request.param)
    for _ in range(40):
        found.step(found.sample_actions())
    return found


# -- how it is measured ----------------------------------------------------------------------------


def test_rates_times_and_ratios_are_taken_turn_by_turn(monkeypatch):
    clock = Clock(monkeypatch)
    fast = clock.work("fast", "decisions/s", [9.0, 0.5, 0.5, 0.25, 0.5])  # the first compiles
    slow = clock.work("slow", "decisions/s", [1.0])
    group = Group([fast, slow], [Ratio("gain", "fast", "slow", Target(">=", 2.5))])
    found = list(measure(group, Budget(3.0, 3)))
    assert [figure.name for figure in found] == ["fast", "slow", "gain"]
    assert clock.order[-6:] == ["fast", "slow"] * 3
    assert found[0].values == (20, 40, 20)
    assert found[1].values == (10, 10, 10)
    assert found[2].values == (2, 4, 2)
    assert (found[2].median, found[2].middle_half) == (2, (2, 3))
    assert found[2].of == ("fast", "slow")
    assert [figure.is_met for figure in found] == [None, None, False]


def test_microseconds_for_each_unit(monkeypatch):
    clock = Clock(monkeypatch)
    found = list(measure(Group([clock.work("copy", "µs/table", [1e-5])]), Budget(1e-3, 3)))
    assert found[0].values == pytest.approx([1.0] * 3)


def test_a_work_fills_its_time(monkeypatch):
    clock = Clock(monkeypatch)
    counts = []
    inner = clock.work("w", "decisions/s", [1e-3])
    work = Work("w", "decisions/s", lambda count: counts.append(count) or inner.run(count))
    list(measure(Group([work]), Budget(1.0, 4)))
    assert counts[-4:] == [250] * 4


def test_targets():
    assert Target(">=", 0.3).is_met(0.3)
    assert not Target(">=", 0.3).is_met(0.29)
    assert not Target("<", 1.0).is_met(1.0)
    assert Target("<", 1.0).is_met(0.99)
    assert str(Target("<", 1.0)) == "< 1.00"


# -- whether it is the game ------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", LENGTHS)
def test_known_lengths_are_those_of_random_rounds(num_players):
    rounds = 1000
    found = round_length(num_players, rounds, seed=99)
    known = LENGTHS[num_players]
    assert abs(found.mean - known.mean) < 5 * known.deviation / math.sqrt(rounds)
    assert found.deviation == pytest.approx(known.deviation, rel=0.2)


@pytest.mark.parametrize("num_players", LENGTHS)
@pytest.mark.parametrize("share", [0, 0.5, 0.9, 1, 1.1, 2])
def test_rounds_per_decision_must_be_in_the_known_range(num_players, share):
    decisions = round(10_000 * LENGTHS[num_players].mean)
    tally = Tally("fake", num_players, 64, decisions, round(10_000 * share))
    if share == 1:
        tally.check()
    else:
        with pytest.raises(BenchError, match="not the game"):
            tally.check()


def test_tables_may_be_in_the_midst_of_a_round():
    Tally("start", 2, tables=1024, decisions=40 * 1024).check()
    with pytest.raises(BenchError):
        Tally("start", 2, tables=1024, decisions=400 * 1024).check()


@pytest.mark.parametrize(("skipped", "is_game"), [(False, True), (True, False)])
def test_a_batch_that_skips_forced_moves_is_noticed(monkeypatch, skipped, is_game):
    made = Bench(2)
    size = 64

    def fake(size, dtype, threads):
        return BatchGame("rummy500", 2, size, 1, episode="round", skip_forced=skipped)

    monkeypatch.setattr(made, "make_batch", fake)
    made.batch(size, "float32").works[0].run(1500)
    assert made.tallies[0].decisions == size * (1500 + works.SPIN_UP)
    if is_game:
        made.tallies[0].check()
    else:
        with pytest.raises(BenchError):
            made.tallies[0].check()


def test_a_run_that_is_not_the_game_fails(monkeypatch, capsys):
    monkeypatch.setattr(works, "note_rows", lambda observation, *_: len(observation))
    assert main(["bench", "--quick", "--seconds", "0.01", "--json"]) == 1
    said = capsys.readouterr()
    assert not said.out
    assert said.err.startswith("rummy500: error: BatchGame 1024 float32, one core: ")
    assert len(said.err.splitlines()) == 1


def test_everything_that_plays_at_random_is_counted(measured):
    _, tallies = measured
    names = " ".join(tally.name for tally in tallies)
    for part in ("BatchGame 1024 float32", "BatchGame 1024 int8", "Game:", "AEC:", "Arena random"):
        assert part in names
    assert all(tally.decisions > 0 for tally in tallies)


# -- floors ----------------------------------------------------------------------------------------


def test_the_floor_of_a_batch_writes_as_many_bytes(batch):
    floor = FloorBatch(batch)
    for name in ("observation", "action_mask"):
        mine, other = getattr(floor, name), getattr(batch, name)
        assert (mine.shape, mine.dtype) == (other.shape, other.dtype)
        mine[:] = 99
    floor.step(floor.sample_actions())
    assert not (floor.observation == 99).any()
    assert (floor.observation == batch.observation[0]).all()
    assert (floor.action_mask == np.roll(batch.action_mask, -1, axis=0)).all()
    assert floor.action_mask.sum() == batch.action_mask.sum()


def test_the_floor_of_a_batch_samples_legal_actions(batch):
    floor = FloorBatch(batch)
    seen = set()
    for _ in range(20):
        actions = floor.sample_actions()
        assert floor.action_mask[np.arange(32), actions].all()
        seen.update(actions.tolist())
        floor.step(actions)
    assert len(seen) > 20


def test_masks_as_words(batch):
    words = mask_words(batch.action_mask)
    width = batch.action_mask.shape[1]
    assert words.shape == (32, -(-width // 64))
    bits = words[:, :, None].view(np.uint64) >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    assert (bits.reshape(32, -1)[:, :width] == batch.action_mask).all()


def test_the_floor_of_a_game_hands_out_as_many_bytes():
    observation, mask = Bench(2).typical("float32")
    game = EmptyGame(observation, mask, 3)
    for _ in range(3):
        assert not game.is_over
        assert (game.action_mask() == mask).all()
        assert (game.observe(0) == observation).all()
        assert game.observe(0).dtype == np.float32
        game.step(int(mask.argmax()))
    assert game.is_over
    with pytest.raises(ValueError, match="illegal"):
        game.step(int(mask.argmin()))


@pytest.mark.parametrize("outside", [lambda env: env, wrapped])
def test_the_empty_environment_takes_turns(outside):
    real = make_env(num_players=3)
    real.reset(seed=1)
    observation, mask = Bench(3).typical("float32")
    env = outside(EmptyAEC(real, observation, mask, 7))
    for _ in range(2):
        env.reset(seed=5)
        movers = []
        for agent in env.agent_iter():
            seen, reward, termination, truncation, _ = env.last()
            assert env.observation_space(agent).contains(seen)
            assert (seen["observation"] == observation).all()
            assert seen["observation"] is not observation
            assert (reward, truncation) == (0, False)
            done = termination or truncation
            movers.append(None if done else agent)
            env.step(None if done else int(seen["action_mask"].argmax()))
        names = [f"player_{k % 3}" for k in range(7)]
        assert movers == [*names, None, None, None]


def test_a_typical_mask_has_about_as_many_ones_as_masks_have():
    batch = BatchGame("rummy500", 2, 512, seed=8)
    for _ in range(100):
        batch.step(batch.sample_actions())
    _, mask = Bench(2).typical("float32")
    assert abs(mask.sum() - batch.action_mask.sum(axis=1).mean()) < 1


def test_a_clone_is_held_against_all_bytes_it_copies():
    batch = BatchGame("rummy500", 2, 8, seed=0)
    least = batch.observation.nbytes + batch.action_mask.nbytes + batch._states.nbytes
    assert least < copies.batch_bytes(batch) < 2 * least


# -- starts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edited", [False, True])
def test_cold_start_has_an_empty_cache_and_warm_start_the_same(monkeypatch, edited):
    monkeypatch.setattr(
        start,
        "_SCRIPT",
        "import os, pathlib, sys\n"
        "cache = pathlib.Path(os.environ['NUMBA_CACHE_DIR'])\n"
        "found = len(list(cache.glob('*'))) if cache.exists() else 0\n"
        "cache.mkdir(exist_ok=True)\n"
        f"(cache / f'kernel{{found if {edited} else 0}}').touch()\n"
        "print('text', found)\n",
    )
    cold, warm, imported = start.starts()
    assert cold.about == {"import_seconds": 0, "new_cache_files": 1}
    assert warm.about == {"import_seconds": 1, "new_cache_files": int(edited)}
    assert warm.name.startswith("not warm" if edited else "warm start")
    assert {figure.unit for figure in (cold, warm, imported)} == {"s"}
    assert cold.median > 0


def test_a_start_that_fails_is_said(monkeypatch):
    monkeypatch.setattr(start, "_SCRIPT", "raise SystemExit('broken')")
    with pytest.raises(BenchError, match="broken"):
        list(start.starts())


def test_the_packages_are_where_the_start_looks_for_them():
    for name in ("rummy500_env", "agents", "experiments"):
        assert (start._ROOT / name / "__init__.py").exists()
    compile(start._SCRIPT, "script", "exec")


# -- what is told ----------------------------------------------------------------------------------


def test_json_tells_everything(measured):
    figures, tallies = measured
    found = report.as_json(report.machine(), PLAN.settings(), figures, tallies)
    found = json.loads(json.dumps(found, allow_nan=False))
    for key in ("date", "cpu", "cores", "system", "python", "numpy", "numba", "pettingzoo"):
        assert found["machine"][key]
    assert found["settings"]["skip_forced"] is False
    assert len(found["figures"]) == len(figures)
    names = {figure["name"] for figure in found["figures"]}
    for figure in found["figures"]:
        assert figure["unit"].startswith(("decisions/s", "rounds/s", "µs/", "ratio"))
        assert 0 < figure["lowest"] <= figure["lower_quartile"] <= figure["median"]
        assert figure["median"] <= figure["upper_quartile"] <= figure["highest"]
        assert (figure["turns"], figure["num_players"]) == (PLAN.turns, 2)
        assert (figure["of"] is not None) == (figure["unit"] == "ratio")
        assert names.issuperset(figure["of"] or [])
        assert (figure["met"] is None) == (figure["target"] is None)
    aims = {f["name"]: f["target"] for f in found["figures"] if f["target"]}
    assert aims["of its floor"] == {"is": ">=", "value": 0.3}
    assert aims["of an empty environment"] == {"is": ">=", "value": 0.4}
    assert aims["to an empty one in three wrappers"] == {"is": ">=", "value": 3.0}
    assert aims["BatchGame.clone, a table of 1024"] == {"is": "<", "value": 1.0}
    for played in found["played"]:
        low, high = played["allowed_rounds"]
        assert low <= played["rounds"] <= high


def test_tables_have_80_columns(measured, capsys):
    figures, tallies = measured
    start_figures = [Figure("cold start: import and tournament", "s", (61.2,))]
    both = [*figures, *((None, figure) for figure in start_figures)]
    bench._show(report.machine(), PLAN, both, tallies)
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 80
    assert "skip_forced=False" in said
    for title in ("Decisions a second, 2 players", "Microseconds", "Rounds a second", "Seconds"):
        assert title in said
    for figure in [one for _, one in figures] + start_figures:
        assert figure.name.strip() in said
    assert "61.20" in said


def test_groups_are_counted_for_the_bar():
    made = Bench(2, sizes=(16, 32), dtypes=("int8",))
    assert len(list(made.groups())) == made.num_groups


@pytest.mark.parametrize(("value", "check", "status"), [(2, True, 0), (1, True, 1), (1, False, 0)])
def test_check_makes_a_missed_target_an_exit_status(monkeypatch, capsys, value, check, status):
    figure = Figure("of it", "ratio", (value,), of=("a", "b"), target=Target(">=", 1.5))
    rate = Figure("a", "decisions/s", (1.0,))
    monkeypatch.setattr(bench, "_measure_all", lambda plan: ([(2, rate), (2, figure)], []))
    assert main(["bench", *(["--check"] if check else [])]) == status
    said = capsys.readouterr().out
    assert (">= 1.50 met" if value == 2 else ">= 1.50 MISSED") in said


def test_options_of_the_command(monkeypatch, capsys):
    plans = []
    monkeypatch.setattr(bench, "_measure_all", lambda plan: plans.append(plan) or ([], []))
    words = ["--players", "2,3", "--players", "2", "--seconds", "0.5", "--seed", "7", "--no-start"]
    assert main(["bench", "--json", *words]) == 0
    assert main(["bench", "--json", "--quick"]) == 0
    assert main(["bench", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.split("}\n{")[0] + "}")["figures"] == []
    assert plans[0] == bench.Plan((2, 3), 0.5, quick=False, start=False, seed=7)
    assert (plans[1].seconds, plans[1].start, plans[1].sizes) == (0.1, False, (1024,))
    assert (plans[2].seconds, plans[2].start, plans[2].sizes) == (1.0, True, (64, 1024, 4096))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "9"], "players=9 is not allowed: use 2 to 8"),
        (["--players", "two"], "'two' is no whole number"),
        (["--seconds", "0"], "seconds=0.0 is not allowed"),
        (["--seconds", "inf"], "seconds=inf is not allowed"),
        (["--seed", "-1"], "seed=-1 is not allowed"),
        (["--rules", "rummy500,rumy"], "unknown preset 'rumy'"),
    ],
)
def test_faults_are_one_line(capsys, words, said):
    assert main(["bench", *words]) == 2
    found = capsys.readouterr()
    assert said in found.err
    assert len(found.err.splitlines()) == 1


def test_kernels_with_checks_are_not_measured(monkeypatch, capsys):
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert main(["bench", "--quick"]) == 2
    assert "NUMBA_BOUNDSCHECK" in capsys.readouterr().err


def test_lengths_are_known_for_all_players_of_the_preset():
    assert play.length_of(2).mean == pytest.approx(87.2)
    assert sorted(LENGTHS) == list(range(2, 9))
