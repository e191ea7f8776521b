# SPDX-License-Identifier: GPL-3.0-or-later
"""How far expected cycles are from measured ones, and tables of it."""
import math

HEADER = ["launches", "number", "geometric mean", "spread", "tau", "within 30 %", "within a factor of 2",
          "half are off by less than"]


def tau(pairs):
    """Kendall's tau-b; 1 where nothing can be ordered."""
    agree = tied_a = tied_b = 0
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[:i]:
            x, y = (a > c) - (a < c), (b > d) - (b < d)
            agree += x * y
            tied_a += x == 0
            tied_b += y == 0
    count = len(pairs) * (len(pairs) - 1) / 2
    untied = math.sqrt((count - tied_a) * (count - tied_b))
    return agree / untied if untied else 1


def geometric_mean(values):
    """Of none, not a number."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def geometric(values):
    """Mean and standard deviation."""
    logs = [math.log(each) for each in values]
    mean = sum(logs) / len(logs)
    return math.exp(mean), math.exp(math.sqrt(sum((each - mean) ** 2 for each in logs) / len(logs)))


def summary(name, found):
    """A row of the table. found: (expected, measured)"""
    if not found:
        return [name, "0", "", "", "", "", "", ""]
    mean, spread = geometric([expected / measured for expected, measured in found])
    off = sorted(abs(math.log(expected / measured)) for expected, measured in found)
    within = [sum(each < math.log(most) for each in off) / len(off) for most in (1.3, 2)]
    return [name, str(len(found)), f"{mean:.2f}", f"{spread:.2f}", f"{tau(found):.3f}",
            *(f"{100 * part:.0f} %" for part in within), f"{100 * (math.exp(off[len(off) // 2]) - 1):.0f} %"]


def table(header, rows, left=1):
    """In Markdown; the first columns are words."""
    lines = [header, ["---"] * left + ["---:"] * (len(header) - left), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
