"""The progress bar: on a terminal only, after a while only, and gone at the end."""

import io
import sys
import time

from experiments import progress
from experiments.progress import Bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def as_on_a_terminal(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_it_appears_after_a_while(monkeypatch):
    screen = as_on_a_terminal(monkeypatch)
    with Bar("deals") as bar:
        assert not screen.getvalue()
        time.sleep(0.5)
        bar(3, 7)
        time.sleep(0.3)
    assert "deals" in screen.getvalue()
    assert "3/7" in screen.getvalue()


def test_nobody_need_know_how_much_there_is(monkeypatch):
    screen = as_on_a_terminal(monkeypatch)
    with Bar("games") as bar:
        time.sleep(0.5)
        bar(3, None)
        time.sleep(0.3)
    assert "3/?" in screen.getvalue()


def test_short_work_shows_none(monkeypatch):
    screen = as_on_a_terminal(monkeypatch)
    with Bar("deals") as bar:
        bar(7, 7)
    time.sleep(0.2)
    assert not screen.getvalue()


def test_nor_does_work_that_is_not_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Bar("deals") as bar:
        bar(3, 7)
        time.sleep(0.1)
    assert not capsys.readouterr().err
