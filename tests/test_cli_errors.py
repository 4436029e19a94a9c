"""Whatever a user does wrong is one line on stderr that says what was given and what may be."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rummy500_env as r5
from experiments.cli import main


@pytest.fixture(autouse=True)
def _signals_as_before():
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def failure(capsys, *words: str):
    """The one line a command fails with."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1
    assert said.err.startswith("rummy500: error: ")
    return said.err


FAULTS = {
    "tournament --rules rumy500": ["'rumy500'", "'rummy500'", "`rummy500 rules`"],
    "tournament --agents random,gredy": ["'gredy'", "'greedy'", "`rummy500 agents`"],
    "tournament --rules zzz": ["'zzz'", "rummy500_online", "`rummy500 rules`"],
    "tournament --agents random,": ["'random,'", "comma too many"],
    "tournament --agents random,,greedy": ["comma too many"],
    "tournament --agents random,greedy:digs=often": ["greedy:digs=often", "'gain' and 'never'"],
    "tournament --agents random,greedy:dig=never": ["greedy:dig=never", "setting"],
    "tournament --agents random": ["agents=random", "at least 2"],
    "tournament --deals 0": ["deals=0", "1 or more"],
    "tournament --deals -5": ["deals=-5", "1 or more"],
    "tournament --deals many": ["'many'", "--deals", "whole number"],
    "tournament --deals": ["--deals"],
    "tournament --players 1": ["1", "2 to 8"],
    "tournament --players 0": ["0", "2 to 8"],
    "tournament --players 9": ["9", "2 to 8"],
    "tournament --workers 0": ["workers=0", "1 or more"],
    "tournament --seed -1": ["seed=-1", "2**64 - 1"],
    "tournament --episode set": ["'set'", "round or game"],
    "tournament --design swiss": ["'swiss'", "auto, mixed, pairs"],
    "tournament --design mixed --agents random,greedy --players 4": ["2 agents for 4 seats"],
    "tournament --players 4 --set hand_size=13": ["4", "13", "52"],
    "tournament --set hand_size": ["'hand_size'", "option=value"],
    "tournament --set =3": ["'=3'", "option=value"],
    "tournament --set hand_size=": ["'hand_size='", "option=value"],
    "tournament --set hand_sise=3": ["'hand_sise'", "hand_size"],
    "tournament --set hand_size=99": ["99", "1 to 53"],
    "tournament --set hand_size=many": ["many"],
    'tournament --set hand_size={"2":13': ["JSON", '{"2": 13, "3": 7}'],
    "tournament --set target_score=300 --set target_score=400": ["twice"],
    "tournament --set joker_role=wld --set hand_size=99": ["'wld'", "99", "wild"],
    "tournament --rules partnership_500 --players 4 --design pairs": ["pairs", "teams"],
    "tournament --design teams": ["teams", "no teams"],
    "tournament --game-seconds -1": ["game_seconds=-1", "above 0"],
    "tournament --control gredy --deals 100": ["'gredy'", "'greedy'"],
    "tournament --control greedy,": ["--control 'greedy,'", "comma too many"],
    "tournament --control greedy --deals 99": ["100 deals or more", "99"],
    "tournament --detect 0": ["detect=0", "above 0"],
    "tournament --detect -2": ["detect=-2", "above 0"],
    "tournament --detect few": ["'few'", "--detect"],
    "tournament --detect 2 --deals 1": ["2 deals or more"],
    "compare": ["'A'"],
    "compare greedy": ["'B'"],
    "compare greedy greedy": ["two different agents", "'greedy'"],
    "compare greedy gredy": ["'gredy'", "'greedy'"],
    "compare greedy random --delta 0": ["delta=0", "above 0"],
    "compare greedy random --delta -3": ["delta=-3", "above 0"],
    "compare greedy random --max-deals 99": ["max_deals=99", "100 or more"],
    "compare greedy random --max-deals many": ["'many'", "--max-deals"],
    "compare greedy random --alpha 0": ["alpha=0", "between 0 and 1"],
    "compare greedy random --alpha 1": ["alpha=1", "between 0 and 1"],
    "compare greedy random --beta 1.5": ["beta=1.5", "between 0 and 1"],
    "compare greedy random --detect 0": ["detect=0", "above 0"],
    "compare greedy random --players 1": ["players=1", "2 to 8"],
    "compare greedy random --episode set": ["'set'", "round or game"],
    "compare greedy random --rules nope": ["'nope'"],
    "audit": ["'AGENT'"],
    "audit gredy": ["'gredy'", "'greedy'"],
    "audit greedy:digs=often": ["greedy:digs=often", "'gain' and 'never'"],
    "audit mc:4": ["'mc:4'", "not compiled", "greedy, advisor or learned"],
    "audit greedy --rounds 0": ["rounds=0", "1 or more"],
    "audit greedy --deals 1": ["deals=1", "2 or more"],
    "audit greedy --players many": ["'many'", "--players"],
    "audit greedy --players 9": ["9", "2 to 8"],
    "audit greedy --rules rumy500": ["'rumy500'", "'rummy500'"],
    "audit greedy --start nowhere": ["'nowhere'", "no such file"],
    "audit learned --rules mini": ["no weights for these rules", "rummy500-2"],
    "audit greedy --states some.npz": ["--states", "without --regret"],
    "audit greedy --regret --rounds 5": ["--rounds", "with --regret"],
    "audit greedy --regret --states some.npz": ["'some.npz'", "no such file"],
    "tournament --agents mc:4,goal=wn,greedy": ["goal='wn'", "points and win"],
    "tournament --agents mc:4,goal=win,greedy --players 3": ["2 players, not for 3"],
    "tournament --deel 5": ["--deel", "--deals"],
    "tournament 5": ["5"],
    "torunament": ["'torunament'", "tournament"],
    "plai": ["'plai'", "Commands: tournament, compare, tune, replay, "],
    "rules rummy50": ["'rummy50'", "'rummy500'"],
    "rules rummy500 persian": ["'persian'"],
    "rules a b c": ["3 names", "none, one or two"],
}


@pytest.mark.parametrize("command", FAULTS)
def test_faults_are_one_line(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    line = failure(capsys, *command.split(" "))
    for part in FAULTS[command]:
        assert part in line
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    for name in ("file", "file/inside"):
        out = str(tmp_path / name)
        assert repr(out) in failure(capsys, "tournament", "--deals", "1", "--out", out)


def test_a_folder_of_something_else(capsys, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    line = failure(capsys, "tournament", "--deals", "1", "--out", str(tmp_path))
    assert "holds no run" in line
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_no_words_show_the_help(capsys):
    assert main([]) == 0
    assert "tournament" in capsys.readouterr().out


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rummy500 {r5.__version__}\n"


def test_help_of_each_command(capsys):
    for command in ("tournament", "compare", "audit", "agents", "rules", "bench"):
        assert main([command, "--help"]) == 0
        assert f"rummy500 {command}" in capsys.readouterr().out


def test_as_a_module_and_as_a_program():
    module = [sys.executable, "-m", "experiments.cli"]
    found = subprocess.run([*module, "rules", "nope"], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    program = Path(sys.executable).with_name("rummy500")
    if program.exists():
        again = subprocess.run(
            [program, "rules", "nope"], capture_output=True, text=True, check=False
        )
        assert (again.returncode, again.stderr) == (2, found.stderr)


def test_help_is_there_at_once():
    heavy = ("pandas", "numpy", "matplotlib", "numba", "pyarrow", "agents")
    code = (
        "import sys, experiments.cli as cli\n"
        "cli.main(['--help'])\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_fault():
    command = f"'{sys.executable}' -m experiments.cli rules --json | head -1"
    found = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("{\n", "")
