"""Records: what was played is what is replayed, in every preset, phase and place to begin."""

from __future__ import annotations

import gzip
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy500_env import Game, RecordError, Rules, records
from rummy500_env.presets import presets
from tests.support.games import middle_game
from tests.support.moments import MOMENTS, at_moment
from tests.support.presets import preset_tables
from tests.support.recording import lines_of, played, replayed


def assert_same(again: Game, game: Game) -> None:
    """Compare all that two games show."""
    assert again == game
    assert again.history == game.history
    assert again.rounds == game.rounds
    assert (again.scores, again.winners) == (game.scores, game.winners)
    assert again.truncated_by == game.truncated_by
    assert again.position() == game.position()


@pytest.mark.parametrize(("name", "num_players"), preset_tables())
def test_a_round_of_every_preset_is_replayed(name, num_players, tmp_path):
    path = tmp_path / "rounds.r500"
    games = [played(Game(name, num_players, seed, "round"), seed) for seed in range(2)]
    games += [played(Game(name, num_players, seed), seed, 30 * num_players) for seed in (2, 3)]
    records.write(path, games)
    for again, game in zip(replayed(path), games, strict=True):
        assert_same(again.game, game)


@pytest.mark.parametrize("name", presets())
def test_a_game_of_every_preset_is_replayed(name, tmp_path):
    path = tmp_path / "game.r500"
    game = played(Game(name, max(Rules.preset(name).player_counts()[0], 2), seed=5), seed=5)
    records.write(path, game)
    (again,) = replayed(path)
    assert_same(again.game, game)
    header, *rounds = lines_of(path)
    assert header["rules_digest"] == game.rules.digest
    assert [line["scores"] for line in rounds] == [list(each.scores) for each in game.rounds]
    assert rounds[-1]["totals"] == game.scores
    assert rounds[-1]["winners"] == game.winners


@pytest.mark.parametrize("name", MOMENTS)
@given(seed=st.integers(0, 5), more=st.integers(0, 60))
def test_games_begin_and_stop_at_every_moment(name, seed, more, tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.r500"
    reached = at_moment(name, seed)
    set_down = Game.from_state(at_moment(name, seed).state(), reached.rules, reached.num_players)
    world = reached.determinize(reached.current_seat, seed)
    games = [reached, *(played(game, seed, more) for game in (set_down, world))]
    records.write(path, games)
    for again, game in zip(replayed(path), games, strict=True):
        assert again.game.history == game.history
        assert again.game.rounds == game.rounds
        assert again.game.position() == game.position()


def test_scores_and_dealer_may_be_others_from_the_start(tmp_path):
    position = Game(seed=1).position() | {"scores": [480, 490], "dealer": 0, "seat": 1}
    game = played(Game.from_position(position), seed=1)
    records.write(tmp_path / "game.r500", game)
    header, first, *_ = lines_of(tmp_path / "game.r500")
    assert header["position"]["scores"] == [480, 490]
    assert not {"rules", "seed", "num_players", "single_round"} & set(header["position"])
    assert first["totals"] == [480 + first["scores"][0], 490 + first["scores"][1]]
    (again,) = replayed(tmp_path / "game.r500")
    assert again.game.scores == game.scores
    assert again.game.winners == game.winners


def test_a_position_in_a_later_round_keeps_its_number(tmp_path):
    game = Game.from_position({"hands": ["7c 8c", "2h 3h"], "seed": 3, "round_number": 4})
    records.write(tmp_path / "game.r500", played(game, seed=2))
    (again,) = replayed(tmp_path / "game.r500")
    assert [each.round for each in again.record.rounds] == list(range(4, 4 + len(game.rounds)))
    assert next(again.steps()).round == 4


def test_clones_pickles_and_untouched_games_are_recorded(tmp_path):
    game = middle_game(3, 1)
    twin = played(game.clone(), seed=1)
    records.write(tmp_path / "a.r500", [game, twin, Game("rummy500", 2, seed=2)])
    again = replayed(tmp_path / "a.r500")
    assert_same(again[0].game, game)
    assert_same(again[1].game, twin)
    assert len(again[2]) == 0
    assert again[2].record.rounds == (records.Round(1, (), None, None, None, (0, 0)),)


def test_all_chance_words_and_seeds_fit(tmp_path):
    games = [played(Game(seed=seed), 1, 30) for seed in (0, 2**53 + 1, 2**64 - 1)]
    records.write(tmp_path / "a.r500", games)
    assert [again.game.seed for again in replayed(tmp_path / "a.r500")] == [0, 2**53 + 1, 2**64 - 1]


# --- files ---------------------------------------------------------------------------------------


def test_a_header_says_what_is_needed(tmp_path):
    path = tmp_path / "game.r500"
    rules = Rules.preset("michigan_rum").replace(target_score=300)
    records.write(path, played(Game(rules, 3, 8, "round"), 1), ["a", "b ü", "greedy:digs=never"])
    header = lines_of(path)[0]
    assert header == {
        "format_version": 1,
        "package_version": header["package_version"],
        "game_id": 0,
        "rules": rules.to_dict(full=False),
        "rules_digest": rules.digest,
        "num_players": 3,
        "episode": "round",
        "seed": 8,
        "players": ["a", "b ü", "greedy:digs=never"],
    }
    (again,) = replayed(path)
    assert again.header.players == ("a", "b ü", "greedy:digs=never")
    assert again.header.rules == rules


def test_compressed_files_hold_the_same_and_hang_on_the_games_only(tmp_path):
    games = [played(Game(seed=seed), seed, 200) for seed in range(3)]
    plain, small = tmp_path / "a.r500", tmp_path / "a.r500.gz"
    records.write(plain, games)
    records.write(small, games)
    first = small.read_bytes()
    assert gzip.decompress(first) == plain.read_bytes()
    assert len(first) < len(plain.read_bytes()) / 2
    (tmp_path / "other").mkdir()
    records.write(tmp_path / "other" / "b.r500.gz", games)
    assert (tmp_path / "other" / "b.r500.gz").read_bytes() == first
    assert [again.game for again in replayed(small)] == games
    renamed = small.rename(tmp_path / "without_suffix")
    assert [again.game for again in replayed(renamed)] == games


@pytest.mark.parametrize("suffix", [".r500", ".r500.gz"])
def test_files_can_be_joined(suffix, tmp_path):
    parts = [tmp_path / f"{number}{suffix}" for number in range(2)]
    for number, path in enumerate(parts):
        records.write(path, played(Game(seed=number), number, 50))
    joined = tmp_path / f"joined{suffix}"
    joined.write_bytes(b"".join(path.read_bytes() for path in parts))
    assert [again.header.seed for again in replayed(joined)] == [0, 1]


def test_a_writer_streams_numbers_games_and_finds_them(tmp_path):
    path = tmp_path / "a.r500"
    with records.Writer(path) as file:
        for seed in range(3):
            file.add(played(Game(seed=seed, episode="round"), seed))
        file.add(played(Game(seed=9, episode="round"), 9), ["x", "y"], game_id=77)
        assert file.num_games == 4
    assert [again.header.game_id for again in replayed(path)] == [0, 1, 2, 77]
    (found,) = records.replay(path, game_id=77)
    assert found.header.seed == 9
    assert list(records.replay(path, game_id=5)) == []
    first = next(records.read(path))
    with records.Writer(tmp_path / "b.r500") as file:
        file.add(first)
    assert (tmp_path / "b.r500").read_text() == "".join(path.read_text().splitlines(True)[:2])


def test_games_before_a_damaged_one_are_there(tmp_path):
    path = tmp_path / "a.r500"
    records.write(path, [played(Game(seed=seed, episode="round"), seed) for seed in range(2)])
    path.write_bytes(path.read_bytes()[:-40])
    found = records.replay(path)
    assert next(found).header.seed == 0
    with pytest.raises(RecordError, match=r"a.r500, line 4: the last line is cut off$"):
        next(found)


# --- step by step --------------------------------------------------------------------------------


def test_steps_show_each_position_before_its_move(tmp_path):
    game = played(Game("rummy500", 3, seed=4), 4, 300)
    records.write(tmp_path / "a.r500", game)
    (again,) = replayed(tmp_path / "a.r500")
    beside = Game("rummy500", 3, seed=4)
    for number, step in enumerate(again.steps()):
        assert step.game == beside
        assert (step.number, step.round) == (number, beside.round_number)
        assert step.seat == beside.current_seat
        assert again.at(number) == beside
        beside.play(step.move)
    assert beside == again.game == again.at(len(again))
    for wrong in (-1, len(again) + 1):
        with pytest.raises(IndexError, match=f"{wrong} moves: the game has 0 to {len(again)}"):
            again.at(wrong)


def test_a_start_is_a_game_of_its_own():
    game = played(Game(seed=3), 3, 40)
    start = game.start()
    assert start == Game(seed=3)
    assert start.history == []
    played(start, 5, 10)
    assert game.start() == Game(seed=3)
    assert len(game.history) == 40


# --- what cannot be recorded ---------------------------------------------------------------------


@pytest.mark.parametrize("players", ["ab", ["a"], ["a", "b", "c"], []])
def test_names_must_be_one_a_seat(players, tmp_path):
    with pytest.raises(RecordError, match="2 names are needed, one a seat"):
        records.write(tmp_path / "a.r500", Game(), players)


def test_a_game_that_began_at_its_end_is_refused():
    over = played(Game(seed=1, episode="round"), 1)
    again = Game.from_bytes(over.to_bytes(), over.rules, 2)
    with pytest.raises(RecordError, match="over before its first move"):
        records.record_of(again)


def test_a_game_that_its_history_does_not_lead_to_is_refused():
    game = played(Game(seed=1), 1, 20)
    game.history.pop()
    with pytest.raises(RecordError, match="does not play the same"):
        records.record_of(game)
    game = played(Game(seed=1), 1, 20)
    game.history[0] = 10_000
    with pytest.raises(RecordError, match="does not play the same from its position: "):
        records.record_of(game)


@given(chooser=st.randoms(use_true_random=False), num_moves=st.integers(0, 250))
def test_what_is_written_is_read(chooser: random.Random, num_moves: int, tmp_path_factory: Any):
    path = tmp_path_factory.mktemp("records") / "a.r500"
    name, num_players = chooser.choice(preset_tables())
    game = played(
        Game(name, num_players, chooser.randrange(2**64)), chooser.randrange(99), num_moves
    )
    record = records.record_of(game, game_id=7)
    records.Writer(path).close()
    with records.Writer(path) as file:
        file.add(record)
    (found,) = records.read(path)
    assert (found.header, found.rounds) == (record.header, record.rounds)
    assert found.num_moves == num_moves or game.is_over
