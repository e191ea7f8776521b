#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks certificates, from docs/certificates.md ("Writing a verifier") alone: standard library, exact integers.

    verify_certificate.py FILE [--warps N]

Prints "valid: slope S, intercept I, W from A to B" and, with --warps, the bound, with status 0; or "refused: reason"
with status 1. A certificate that is too large for it is "too large", with status 2.
"""

import itertools
import sys
from collections import Counter, namedtuple
from fractions import Fraction

from certificate_document import (
    CLASSES,
    LARGEST,
    LETTERS,
    Refused,
    StringReader,
    Summary,
    demand,
    in_order,
    integer,
    items,
    joined,
    members,
    parse_document,
    text,
)

FINISHED = "finished"
MOST_STEPS = 3_000_000

Line = namedtuple("Line", "slope intercept least most")
Pattern = namedtuple("Pattern", "followed others few")  # context, frozenset of contexts, frozenset of classes
Move = namedtuple("Move", "origin to other followed")
Step = namedtuple("Step", "followed others few stay")  # where it leads, and in which contexts others stay
Outcome = namedtuple("Outcome", "stay arrived counts")  # of one class: counts of arrivals at told classes


class TooLarge(Exception):
    """Nobody knows."""


class Certificate:
    def __init__(self, document):
        (schema, string, sigma, self.least, most, self.tells_few, self.denominator, contexts, moves, views,
         patterns) = members(document, "schema", "string", "sigma", "least_warps", "most_warps", "tells_few",
                             "denominator", "contexts", "moves", "views", "patterns")
        demand(schema == "warpspan.certificate/1", "another schema")
        self.servers = dict(zip(CLASSES, (integer(s, 1, 64) for s in members(sigma, *CLASSES))))
        integer(self.least, 2)
        self.most = LARGEST if most is None else integer(most, self.least)
        demand(type(self.tells_few) is bool, "tells_few is neither true nor false")
        self.told = [k for k in CLASSES if self.tells_few and self.servers[k] >= 2]
        integer(self.denominator, 1)
        self.read_contexts(text(string), [text(context) for context in items(contexts, 32)])
        self.read_moves(items(moves))
        self.read_views(items(views))
        self.read_patterns(items(patterns))
        self.steps_followed = 0
        self.outcomes = {}

    def read_contexts(self, string, contexts):
        demand(contexts, "no contexts")
        m = len(contexts[0])
        demand(1 <= m <= 16 and all(len(context) == m for context in contexts), "lengths of contexts")
        demand(all(letter in LETTERS for context in contexts for letter in context), "letters of contexts")
        is_merged = any("*" in context for context in contexts)
        string = StringReader(string, m).read()
        demand(string.first, "the string is empty")
        windows = joined(string, Summary("$" * m, "$" * m, Counter()), m).windows

        def context(symbols):
            merged = "".join(letter if letter == symbols[0] else "*" for letter in symbols)
            return merged if is_merged else symbols

        self.counts = Counter()
        for window, count in windows.items():
            if window[0] != "$":
                to = FINISHED if window[1] == "$" else context(window[1:])
                self.counts[context(window[:m]), to] += count
        demand(sum(self.counts.values()) <= LARGEST, "the string is too long")
        occurring = sorted({origin for origin, _ in self.counts}, key=in_order)
        demand(occurring == contexts, "contexts are not those of the string")
        self.contexts = contexts
        self.first = context((string.first + "$" * m)[:m])
        self.classes = [k for k in CLASSES if any(c[0] == k for c in contexts)]

    def read_moves(self, moves):
        self.moves = []
        for entry in moves:
            origin, to, other, followed = members(entry, "from", "to", "other", "followed")
            self.moves.append(Move(text(origin), text(to), integer(other), integer(followed)))
        order = [FINISHED] + self.contexts
        expected = sorted(self.counts, key=lambda ends: [order.index(end) for end in ends])
        demand([(move.origin, move.to) for move in self.moves] == expected, "moves are not those of the string")

    def read_views(self, views):
        demand(len(views) == len(self.classes), "not one view for each class")
        self.offsets = {}
        for k, view in zip(self.classes, views):
            (offsets,) = members(view, "offsets")
            demand(len(items(offsets)) == len(self.contexts), "not one offset for each context")
            self.offsets[k] = dict(zip(self.contexts, map(integer, offsets)))
            self.offsets[k][FINISHED] = 0

    def subset(self, value, of):
        places = [of.index(text(entry)) for entry in items(value) if text(entry) in of]
        demand(len(places) == len(value) and places == sorted(set(places)), "a set with an unknown or unordered entry")
        return frozenset(value)

    def read_patterns(self, patterns):
        self.potentials = {}
        keys = ["followed", "others", "potentials"] + (["few"] if self.tells_few else [])
        for entry in patterns:
            followed, others, potentials, *few = members(entry, *keys)
            demand(text(followed) in self.contexts + [FINISHED], "a pattern with an unknown context")
            others = self.subset(others, self.contexts)
            few = self.subset(few[0], CLASSES) if few else frozenset()
            for k in few:
                occupied = len(self.of_class(others, k))
                demand(k in self.told and 1 <= occupied < self.servers[k], "few where they are not")
            demand(len(items(potentials)) == len(self.classes), "not one potential for each view")
            values = [value if value is None else integer(value) for value in potentials]
            pattern = Pattern(followed, others, few)
            demand(pattern not in self.potentials, "a pattern stands twice")
            demand(followed != FINISHED or None not in values, "an end without potential")
            self.potentials[pattern] = dict(zip(self.classes, values))

    @staticmethod
    def of_class(contexts, k):
        return frozenset(c for c in contexts if c[0] == k)

    def start(self):
        k = self.first[0]
        few = frozenset()
        if k in self.told:
            demand(self.most <= self.servers[k] or self.least > self.servers[k], "few at the start is not known")
            few = frozenset(k if self.most <= self.servers[k] else "")
        return Pattern(self.first, frozenset([self.first]), few)

    def needed(self, others, few):
        total = 0
        for k in self.classes:
            c = len(self.of_class(others, k))
            total += max(c, self.servers[k]) if c > 0 and k in self.told and k not in few else c
        return total

    def class_outcomes(self, occupied, k, is_few, followed, source, view):
        """What the others of class k may do, with the least sum of other_t + h_i(a) - h_j(b) and h_i(c) - h_j(c)."""
        key = (occupied, k, is_few, followed, source, view)
        if key not in self.outcomes:
            self.outcomes[key] = self.find_outcomes(*key)
        return self.outcomes[key]

    def allowed(self, k, is_few, followed):
        """Pairs of a number of executions and whether somebody stays (None: either).

        The followed worker is "away", "waits" or "executes".
        """
        servers, is_told = self.servers[k], k in self.told
        if followed == "waits":
            return [] if is_few else [(servers, None)]
        full = servers if followed == "away" else servers - 1
        if is_few:
            return [(n, False) for n in range(servers)]
        if is_told:
            return [(full, None if followed == "away" else True)]
        return [(full, None)] + [(n, False) for n in range(full)]

    def find_outcomes(self, occupied, k, is_few, followed, source, view):
        if not occupied:
            return {} if followed == "waits" else {Outcome(frozenset(), frozenset(), ()): 0}
        h, after = self.offsets[source], self.offsets[view]
        moves = [move for move in self.moves if move.origin in occupied]
        # (contexts executed from, contexts arrived in, arrivals at told classes) -> least sum, for n executions
        executed = {(frozenset(), frozenset(), (0,) * len(self.told)): 0}
        found = {}
        for n in range(self.servers[k] + 1):
            for count, stays in self.allowed(k, is_few, followed):
                if count == n:
                    self.add_outcomes(found, executed, occupied, stays, h, after)
            longer = {}
            for (origins, arrived, counts), weight in executed.items():
                for move in moves:
                    self.spend()
                    to = frozenset() if move.to == FINISHED else frozenset([move.to])
                    state = (origins | {move.origin}, arrived | to, self.one_more(counts, move.to))
                    total = weight + move.other + h[move.origin] - after[move.to]
                    longer[state] = min(total, longer.get(state, total))
            executed = longer
        return found

    def one_more(self, counts, to):
        """Arrivals at told classes, each counted up to its servers."""
        return tuple(min(c + (to[0] == k), self.servers[k]) for c, k in zip(counts, self.told))

    def add_outcomes(self, found, executed, occupied, stays, h, after):
        for (origins, arrived, counts), weight in executed.items():
            for size in range(len(origins) + 1):
                for left in itertools.combinations(sorted(origins), size):
                    stay = occupied - origins | frozenset(left)
                    if stays is not None and stays != bool(stay):
                        continue
                    outcome = Outcome(stay, arrived, counts)
                    total = weight + sum(h[c] - after[c] for c in stay)
                    found[outcome] = min(total, found.get(outcome, total))

    def spend(self):
        self.steps_followed += 1
        if self.steps_followed > MOST_STEPS:
            raise TooLarge()

    def steps(self, pattern, source, view):
        """Pairs of a step and its sum without potentials; of each step at least the one with the least sum."""
        own = pattern.followed[0]
        choices = [(pattern.followed, "waits", 0)]
        choices += [(move.to, "executes", move.followed) for move in self.moves if move.origin == pattern.followed]
        for followed, action, weight in choices:
            by_class = [
                self.class_outcomes(
                    self.of_class(pattern.others, k), k, k in pattern.few, action if k == own else "away", source, view
                ).items()
                for k in self.classes
            ]
            for combination in itertools.product(*by_class):
                self.spend()
                outcomes = [outcome for outcome, _ in combination]
                stay = frozenset().union(*(outcome.stay for outcome in outcomes))
                others = stay.union(*(outcome.arrived for outcome in outcomes))
                if followed == FINISHED and others:
                    continue
                total = weight + sum(part for _, part in combination)
                for few in self.few_after(stay, outcomes):
                    if self.needed(others, few) <= self.most - 1:
                        yield Step(followed, others, few, stay), total

    def few_after(self, stay, outcomes):
        certain, perhaps = [], []
        for index, k in enumerate(self.told):
            q = len(self.of_class(stay, k))
            a = sum(outcome.counts[index] for outcome in outcomes if outcome.counts)
            if 0 < q + a < self.servers[k]:
                (certain if q == 0 else perhaps).append(k)
        for size in range(len(perhaps) + 1):
            for more in itertools.combinations(perhaps, size):
                yield frozenset(certain).union(more)

    def is_busy(self, k, followed, others):
        return (followed != FINISHED and followed[0] == k) or bool(self.of_class(others, k))

    def counts_after(self, pattern, step, view):
        if step.followed == FINISHED:
            return view == pattern.followed[0]
        return self.is_busy(view, step.followed, step.others)

    def holds(self, pattern, source, view):
        before = self.potentials.get(pattern, {}).get(source)
        h, after = self.offsets[source], self.offsets[view]
        for step, total in self.steps(pattern, source, view):
            if not self.counts_after(pattern, step, view):
                continue
            potential = self.potentials.get(Pattern(*step[:3]), {}).get(view)
            if potential is None:
                continue
            if before is None or any(h[c] < after[c] for c in step.stay):
                return False
            if total + before - potential < self.denominator:
                return False
        return True

    def check_pattern(self, pattern):
        busy = [k for k in self.classes if self.is_busy(k, pattern.followed, pattern.others)]
        for view in self.classes:
            demand(any(self.holds(pattern, source, view) for source in busy), f"no view leads to {view} from {pattern}")

    def check_patterns(self):
        pending = [pattern for pattern in self.potentials if pattern.followed != FINISHED]
        seen = set(pending)
        while pending:
            pattern = pending.pop()
            self.check_pattern(pattern)
            for step, _ in self.steps(pattern, self.classes[0], self.classes[0]):
                after = Pattern(*step[:3])
                if after.followed != FINISHED and after not in seen:
                    seen.add(after)
                    pending.append(after)

    def line(self):
        start, end = self.start(), Pattern(FINISHED, frozenset(), frozenset())
        demand(start in self.potentials, "the start pattern is missing")
        demand(end in self.potentials, "the end pattern is missing")
        self.check_patterns()
        view = self.first[0]
        at_start = self.potentials[start][view]
        demand(at_start is not None, "the start pattern has no potential")
        times = [self.counts[move.origin, move.to] for move in self.moves]
        other = sum(n * move.other for n, move in zip(times, self.moves)) + self.offsets[view][self.first]
        followed = sum(n * move.followed for n, move in zip(times, self.moves))
        followed += at_start - min(self.potentials[end].values())
        slope, intercept = Fraction(other, self.denominator), Fraction(followed - other, self.denominator)
        line = Line(slope, intercept, self.least, self.most)
        demand(max(abs(line.slope.numerator), abs(line.intercept.numerator)) <= LARGEST, "the line is too large")
        return line


def verify(source):
    """The line that the certificate in the text proves. Raises Refused or TooLarge."""
    return Certificate(parse_document(source)).line()


def value_at(line, warps):
    demand(line.least <= warps <= line.most, "not for that many warps")
    value = (line.slope * warps + line.intercept).__floor__()
    demand(value <= LARGEST, "the bound is too large")
    return value


def main(arguments):
    path, *rest = arguments
    with open(path, encoding="utf-8") as file:
        source = file.read()
    try:
        line = verify(source)
        print(f"valid: slope {line.slope}, intercept {line.intercept}, W from {line.least} to {line.most}")
        if rest:
            print(value_at(line, int(rest[1])))
    except Refused as reason:
        print(f"refused: {reason}")
        return 1
    except TooLarge:
        print("too large")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
