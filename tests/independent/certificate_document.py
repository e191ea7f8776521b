# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates as documents: strict JSON, and the string's windows, from docs/certificates.md alone."""

import json
from collections import Counter, namedtuple

CLASSES = "LCS"
LETTERS = "*$LCS"  # in ascending order
LARGEST = 2**63 - 1


class Refused(Exception):
    """The certificate proves nothing."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


# --- The document.


def no_duplicates(pairs):
    members = dict(pairs)
    demand(len(members) == len(pairs), "a member stands twice")
    return members


def no_number(text):
    raise Refused(f"{text} is no integer")


def integer(value, least=-(2**63), most=LARGEST):
    demand(type(value) is int and least <= value <= most, f"{value!r} is no integer from {least} to {most}")
    return value


def items(value, most=None):
    demand(type(value) is list and (most is None or len(value) <= most), "no array, or too long")
    return value


def text(value):
    demand(type(value) is str, f"{value!r} is no text")
    return value


def members(value, *keys):
    demand(type(value) is dict and set(value) == set(keys), f"expected the members {', '.join(keys)}")
    return [value[key] for key in keys]


def parse_document(source):
    try:
        return json.loads(
            source, object_pairs_hook=no_duplicates, parse_float=no_number, parse_constant=no_number
        )
    except (ValueError, RecursionError) as error:
        raise Refused(f"no JSON: {error}") from error


# --- The string. A summary knows a string's first and last m symbols and its windows of m+1 symbols.

Summary = namedtuple("Summary", "first last windows")


def joined(a, b, m):
    middle = a.last + b.first
    windows = a.windows + b.windows
    for i in range(len(middle) - m):
        windows[middle[i : i + m + 1]] += 1
    return Summary((a.first + b.first)[:m], (a.last + b.last)[-m:], windows)


def repeated(summary, times, m):
    result = Summary("", "", Counter())
    while times > 0:
        if times % 2 == 1:
            result = joined(result, summary, m)
        summary = joined(summary, summary, m)
        times //= 2
    return result


class StringReader:
    def __init__(self, source, m):
        self.source, self.m, self.at = source, m, 0

    def read(self):
        summary = self.sequence(0)
        demand(self.at == len(self.source), "')' without '('")
        return summary

    def skip_blanks(self):
        while self.next() in (" ", "\t", "\r", "\n"):
            self.at += 1

    def next(self):
        return self.source[self.at : self.at + 1]

    def number(self):
        begin = self.at
        while self.next() != "" and self.next() in "0123456789":
            self.at += 1
        demand(self.at > begin, "expected a number")
        digits = self.source[begin : self.at].lstrip("0")
        demand(len(digits) <= 19, "a repetition is too large")
        return integer(int(digits or "0"), 1)

    def sequence(self, depth):
        summary = Summary("", "", Counter())
        self.skip_blanks()
        while self.next() not in ("", ")"):
            summary = joined(summary, self.item(depth), self.m)
            self.skip_blanks()
        return summary

    def item(self, depth):
        letter = self.next()
        self.at += 1
        if letter != "(":
            demand(letter in CLASSES, "an unknown symbol")
            times = self.number() if self.next() != "" and self.next() in "0123456789" else 1
            return repeated(Summary(letter, letter, Counter()), times, self.m)
        demand(depth < 200, "groups are nested too deeply")
        body = self.sequence(depth + 1)
        demand(self.next() == ")", "'(' is never closed")
        self.at += 1
        self.skip_blanks()
        demand(self.next() == "^", "expected '^'")
        self.at += 1
        self.skip_blanks()
        return repeated(body, self.number(), self.m)


def in_order(context):
    return [LETTERS.index(letter) for letter in context]
