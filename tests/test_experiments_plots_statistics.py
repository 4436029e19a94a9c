"""Pictures of statistics: they draw what they are given."""

import numpy as np
import pandas as pd
import pytest

from experiments.plots_statistics import (
    plot_alpha_sweep,
    plot_comparison,
    plot_operating_curve,
    plot_power,
    plot_ratings,
)


def points(line, axis):
    """What a line runs through, horizontally or vertically."""
    return np.asarray(line.get_xdata() if axis == "x" else line.get_ydata()).tolist()


def path(alone):
    rows = [
        {"deals": deals, "alone": name, "difference": 2.0 + place, "low": low, "high": high}
        for deals, low, high in ((100, np.nan, np.nan), (111, -1.0, 6.0), (123, 0.5, 4.5))
        for place, name in enumerate(alone)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("names", [["a"], ["a", "b"]])
def test_a_comparison(names, tmp_path):
    figure = plot_comparison(path(names), 3.0)
    assert len(figure.axes) == len(names)
    for place, axes in enumerate(figure.axes):
        line = axes.lines[0]
        assert points(line, "x") == [100, 111, 123]
        assert points(line, "y") == [2.0 + place] * 3
        band = np.asarray(axes.collections[0].get_paths()[0].vertices)
        assert {(123.0, 0.5), (123.0, 4.5)} <= set(map(tuple, band.tolist()))
        assert [points(line, "y")[0] for line in axes.lines[1:]] == [0.0, 3.0]
    figure.savefig(tmp_path / "comparison.png")


def test_ratings(tmp_path):
    frame = pd.DataFrame(
        {
            "agent": ["a", "b", "c"],
            "rating": [120.0, 10.0, -130.0],
            "low": [100.0, np.nan, -150.0],
            "high": [140.0, np.nan, -110.0],
        }
    )
    (axes,) = plot_ratings(frame).axes
    *bars, dots, _ = axes.lines
    assert [points(bar, "x") for bar in bars] == [[100, 140], [-150, -110]]
    assert points(dots, "x") == [120, 10, -130]
    assert points(dots, "y") == [2, 1, 0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    plot_ratings(frame).savefig(tmp_path / "ratings.png")


def test_a_sweep(tmp_path):
    frame = pd.DataFrame({"alpha": [0.01, 0.1, 1.0], "a": [0.5, 0.6, 1.0], "b": [0.5, 0.4, 0.0]})
    (axes,) = plot_alpha_sweep(frame).axes
    assert [line.get_label() for line in axes.lines] == ["a", "b"]
    assert points(axes.lines[1], "y") == [0.5, 0.4, 0.0]
    plot_alpha_sweep(frame).savefig(tmp_path / "sweep.png")


def test_power(tmp_path):
    frame = pd.DataFrame({"deals": [100, 1000], "detectable": [9.0, 2.8]})
    (axes,) = plot_power(frame).axes
    assert points(axes.lines[0], "x") == [100, 1000]
    assert points(axes.lines[0], "y") == [9.0, 2.8]
    plot_power(frame).savefig(tmp_path / "power.png")


def test_an_operating_curve(tmp_path):
    frame = pd.DataFrame(
        {
            "difference": [0.0, 3.0],
            "better": [0.01, 0.98],
            "not_better": [0.97, 0.01],
            "undecided": [0.02, 0.01],
            "mean_deals": [2000.0, 2100.0],
        }
    )
    above, below = plot_operating_curve(frame).axes
    assert [line.get_label() for line in above.lines] == ["better", "not better", "undecided"]
    assert points(above.lines[0], "y") == [0.01, 0.98]
    assert points(below.lines[0], "y") == [2000, 2100]
    plot_operating_curve(frame).savefig(tmp_path / "operating.png")
