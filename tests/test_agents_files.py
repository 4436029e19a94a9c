"""Agents out of a file of one's own."""

import pytest

import agents
from experiments.cli import main
from rummy500_env.errors import UnknownNameError

TEXT = """
from agents import Agent, TurnAgent


class Mine(TurnAgent):
    def __init__(self, place="0"):
        super().__init__()
        self.place = int(place)

    def choose(self, view, legal):
        return legal[self.place % len(legal)]


def made(number="1"):
    return Mine(number)


ready = Mine(2)
number = 5
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    ("rest", "place"), [(":Mine", 0), ("", 0), (":Mine:place=3", 3), (":made", 1), (":ready", 2)]
)
def test_a_class_a_maker_or_an_agent(file, rest, place):
    agent = agents.make(f"{file}{rest}")
    assert agent.name == f"{file}{rest}"
    assert getattr(agent, "place", None) == place


def test_a_file_that_was_changed_is_read_again(file):
    assert not hasattr(agents.make(f"{file}:Mine"), "extra")
    file.write_text(TEXT.replace("self.place =", "self.extra = self.place ="))
    assert hasattr(agents.make(f"{file}:Mine"), "extra")


@pytest.mark.parametrize(
    ("text", "rest", "told"),
    [
        (TEXT, ":Other", "Allowed: Mine"),
        (TEXT, ":number", "is int, and no agent"),
        (TEXT, ":Mine:speed=3", "its settings: place"),
        (TEXT, ":Mine:place=x", "invalid literal for int"),
        (TEXT, ":ready:place=1", "takes no settings"),
        ("import nothing_of_this_name", ":Mine", "No module named 'nothing_of_this_name'"),
        ("def broken(:", ":Mine", "SyntaxError"),
        ("x = 1", "", "it has none"),
        (TEXT + "\n\nclass Two(Mine):\n    pass\n", "", "it has Mine, Two"),
        ("class Odd:\n    pass\n", ":Odd", r"has no act\(\)"),
        (
            "class Odd:\n    def __init__(self):\n        raise OSError('no')\n",
            ":Odd",
            "OSError: no",
        ),
        (None, ":Mine", "No such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(file, text, rest, told, capsys):
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    with pytest.raises((ValueError, UnknownNameError), match=told):
        agents.make(f"{file}{rest}")
    assert main(["tournament", "--agents", f"{file}{rest},random", "--deals", "1"]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.startswith("rummy500: error: ")
    assert said.err.count("\n") == 1


def test_the_command_plays_it(file, tmp_path, capsys):
    words = ["tournament", "--agents", f"{file}:Mine,greedy", "--deals", "4", "--no-pictures"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    assert f"{file}:Mine" in capsys.readouterr().out
