# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of expansions: a row for each form, a column for each architecture."""
import itertools

from machine_code import FIELDS

KEY = ("opcode", "types", "modifiers", "vector")
CELLS = ("registers", "immediate", "guarded")
NOTHING, AS_LEFT, NO_SHAPE = ".", "=", "-"


def counts_text(counts):
    """Without the last numbers where they are 0."""
    if not counts:
        return NO_SHAPE
    last = max((i for i, number in enumerate(counts) if number), default=0)
    return "/".join(map(str, counts[:last + 1]))


def read_counts(text):
    counts = tuple(int(number) for number in text.split("/"))
    return counts + (0,) * (len(FIELDS) - len(counts))


def text_of(comments, architectures, figures):
    """comments: lines without '#'. architectures: of the columns, in their order. figures: those of each architecture by
    (row key, cell), a cell that is missing being a shape that there is not."""
    lines = [f"# {text}".rstrip() for text in comments]
    lines.append("\t".join(KEY + tuple(map(str, architectures))))
    for key in sorted({key for of_one in figures.values() for key, _ in of_one}):
        columns, left = [], None
        for architecture in architectures:
            found = [figures[architecture].get((key, name)) for name in CELLS]
            column = " ".join(map(counts_text, found)) if any(found) else NOTHING
            columns.append(AS_LEFT if column == left and column != NOTHING else column)
            left = column
        lines.append("\t".join(key + tuple(columns)))
    return "\n".join(lines) + "\n"


def read(text):
    """Comments, architectures and figures, as text_of has them."""
    lines = text.splitlines()
    comments = [line.removeprefix("#").removeprefix(" ") for line in lines if line.startswith("#")]
    header, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    architectures = [int(name) for name in header[len(KEY):]]
    figures = {architecture: {} for architecture in architectures}
    for row in rows:
        key, left = tuple(row[:len(KEY)]), NOTHING
        for architecture, column in itertools.zip_longest(architectures, row[len(KEY):]):
            left = left if column == AS_LEFT else column
            if left == NOTHING:
                continue
            for name, counts in zip(CELLS, left.split(" "), strict=True):
                if counts != NO_SHAPE:
                    figures[architecture][key, name] = read_counts(counts)
    return comments, architectures, figures
