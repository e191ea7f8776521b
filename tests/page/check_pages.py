#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a page of every kind in Chromium: on narrow and wide screens, on light and dark ground, with and without script.

Usage: check_pages.py WARPSPAN SOURCE_FOLDER [PICTURES]

With PICTURES, a folder, each page is drawn there in all four ways, and printed. Says 'skipped:' where there is no Chromium.
"""
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

import browser
import make_pages

WIDTHS = [375, 1600]
PAPER = 718  # pixels between the margins of A4
LEAST_CONTRAST = 4.5
MOST_SECONDS = 2.0

# Boxes that stand out on the right, but of what scrolls by itself.
OVERFLOW = """(function () {
  var wide = document.documentElement.scrollWidth - window.innerWidth;
  return wide > 0 ? wide : 0;
})()"""

# The text with the least contrast to what lies under it: each colour on what it lies on, down to the page.
CONTRAST = """(function () {
  var parse = function (text) {
    var parts = text.match(/[0-9.]+/g).map(Number);
    return parts.length > 3 ? parts : parts.concat([1]);
  };
  var over = function (top, under) {
    return [0, 1, 2].map(function (i) { return top[i] * top[3] + under[i] * (1 - top[3]); }).concat([1]);
  };
  var light = function (colour) {
    var parts = colour.slice(0, 3).map(function (v) { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  var ground = function (element) {
    if (!element) return [255, 255, 255, 1];
    var own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(element.parentElement));
  };
  var least = { contrast: 99 }, seen = 0;
  var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && seen < 4000) {
    var element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("svg, script, style")) continue;
    if (!element.checkVisibility()) continue;
    ++seen;
    var under = ground(element), ink = over(parse(getComputedStyle(element).color), under);
    var a = light(under), b = light(ink), contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < least.contrast) least = { contrast: contrast, text: walker.currentNode.textContent.trim().slice(0, 40) };
  }
  return least;
})()"""

# What stands out of paper, or is cut by a box that scrolls.
CUT = """(function () {
  var found = [];
  document.querySelectorAll("body *").forEach(function (element) {
    if (element.closest("details:not([open]) > :not(summary)")) return;
    var box = element.getBoundingClientRect(), style = getComputedStyle(element);
    var what = element.tagName + "." + element.getAttribute("class") + " " + element.textContent.trim().slice(0, 30);
    if (box.width > 0 ? box.right > window.innerWidth + 1 : false) found.push(what + " ends at " + Math.round(box.right));
    if (style.overflowY !== "visible" ? element.scrollHeight > element.clientHeight + 1 : false)
      if (!element.closest("svg")) found.push(what + " is cut");
  });
  return found.slice(0, 3);
})()"""

# By page: what must be true of it.
SHOWN = {
    "timeline": {
        "a row for each warp": "document.querySelectorAll('svg.warps text[x=\"0\"]').length === 5",
        "spans that are as long as their warp": """(function () {
            var ends = {};
            document.querySelectorAll("svg.warps rect").forEach(function (bar) {
              var row = bar.getAttribute("y"), x = Number(bar.getAttribute("x"));
              if (row in ends ? Math.abs(ends[row] - x) > 0.05 : false) ends.broken = true;
              ends[row] = x + Number(bar.getAttribute("width"));
            });
            return ends.broken ? false : Object.keys(ends).length === 4;
          })()""",
        "bars that say which instruction is waited for": """Array.from(document.querySelectorAll("svg.warps title"))
            .some(function (title) { return title.textContent.match(/^memory, .*: 0x[0-9a-f]+ /); })""",
        "a legend of the colours in it": "document.querySelectorAll('.legend span').length > 5"},
    "simulate": {
        "not more bars than can be told apart": """(function () {
            var bars = document.querySelectorAll("svg.warps rect").length;
            return bars > 100 ? bars < 32 * 192 : false;
          })()""",
        "rows that say that they are not all": "document.body.textContent.includes(' warps at a time, 32 are shown')"},
    "check": {
        "code of what fails": "document.querySelectorAll('#r1 .pane').length > 0",
        "no code of what passes": "document.querySelectorAll('#r3 .pane').length === 0"},
    "grown": {
        "lines that grew": "document.querySelectorAll('#r1 .rose').length > 0",
        "heat on the source": "document.querySelectorAll('#r1 .panes > div:first-child tr.h8').length > 0"},
    "solve": {"a schedule": "document.querySelectorAll('svg.schedule rect').length === 15"},
}
RECORD = "document.querySelectorAll('.run pre.command').length === 1"

SORTED = """(function () {
  var table = document.querySelector("table.sorts");
  var head = table.tHead.rows[0].cells[2];
  head.click();
  var down = table.tBodies[0].rows[0].cells[0].textContent;
  head.click();
  return down !== table.tBodies[0].rows[0].cells[0].textContent ? head.getAttribute("aria-sort") : "unsorted";
})()"""

LIT = """(function () {
  var row = document.querySelector(".pane tr[data-k]");
  row.click();
  var panes = Array.from(document.querySelectorAll(".pane")).filter(function (pane) { return pane.querySelector("tr.on"); });
  return panes.length;
})()"""

FOUND = """(function () {
  var input = document.querySelector("input.find");
  input.value = "st.global";
  input.dispatchEvent(new Event("input"));
  return Array.from(document.querySelectorAll("table.sorts")).some(function (table) {
    var rows = Array.from(table.tBodies[0].rows);
    return rows.some(function (row) { return row.hidden; });
  });
})()"""


def document_errors(name, text):
    """What is wrong with a page as a file."""
    found = []
    try:
        root = xml.etree.ElementTree.fromstring(text.split("\n", 1)[1])
    except xml.etree.ElementTree.ParseError as error:
        return [f"{name}: no XML: {error}"]
    names = [element.get("id") for element in root.iter() if element.get("id")]
    for one in sorted({one for one in names if names.count(one) > 1} if len(names) < 3000 else
                      ["?"] * (len(names) != len(set(names)))):
        found.append(f"{name}: the name {one} stands twice")
    known = set(names)
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "href" and value.startswith("#") and value[1:] not in known:
                found.append(f"{name}: a link leads to {value}, which is nowhere")
            elif key in ("src", "href") and not value.startswith(("#", "data:")):
                found.append(f"{name}: {key} leads out of the page: {value}")
    if re.search(r"url\((?!#)|@import", text):
        found.append(f"{name}: a style leads out of the page")
    return found[:5]


def shown_errors(chromium, name, path, pictures):
    found = []
    for width in WIDTHS:
        for dark in (False, True):
            where = f"{name} at {width}, {'dark' if dark else 'light'}"
            chromium.look(width, dark)
            chromium.open(path)
            found += [f"{where}: {complaint}" for complaint in chromium.complaints()]
            if over := chromium.evaluate(OVERFLOW):
                found.append(f"{where}: {over} pixels wider than the screen")
            least = chromium.evaluate(CONTRAST)
            if least["contrast"] < LEAST_CONTRAST:
                found.append(f"{where}: '{least['text']}' has a contrast of {least['contrast']:.2f}")
            if chromium.evaluate("window.hurt") is not None:
                found.append(f"{where}: text of the report was executed")
            if pictures:
                chromium.picture(pictures / f"{name}-{width}-{'dark' if dark else 'light'}.png")
                if not dark:
                    chromium.picture(pictures / f"{name}-{width}-whole.png", whole=True)
    return found


def printed_errors(chromium, name, path, pictures):
    """On paper nothing can be scrolled, and the ground is white whatever the reader has chosen."""
    chromium.look(PAPER, dark=True, paper=True)
    chromium.open(path)
    found = [f"{name} on paper: {cut}" for cut in chromium.evaluate(CUT)]
    least = chromium.evaluate(CONTRAST)
    if least["contrast"] < LEAST_CONTRAST:
        found.append(f"{name} on paper: '{least['text']}' has a contrast of {least['contrast']:.2f}")
    if pictures and name != "long":
        chromium.print(pictures / f"{name}.pdf")
    return found


def has_words(chromium, path):
    """Without script, all that there is to read."""
    chromium.look(1600, script=False)
    chromium.open(path)
    words = chromium.evaluate("document.body.innerText")
    chromium.look(1600)
    chromium.open(path)
    return [word for word in set(words.split()) if word not in chromium.evaluate("document.body.innerText")] == []


def seconds_to_open(chromium, path):
    """From the begin of loading until the page is laid out, and what the processor worked for that: on a machine that does
    other things too, time passes without work."""
    chromium.look(1600)
    before = chromium.seconds_of_work()
    chromium.open(path)
    passed = chromium.evaluate(
        "(function () { document.body.getBoundingClientRect(); return performance.now(); })()") / 1000
    return passed, chromium.seconds_of_work() - before


def main():
    if browser.find() is None:
        print("skipped: there is no chromium")
        return 0
    program, source = sys.argv[1:3]
    pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory() as folder:
        pages, errors = make_pages.make(program, source, folder)
        for name, path in pages.items():
            errors += document_errors(name, path.read_text())
        with browser.Browser() as chromium:
            for name, path in pages.items():
                errors += shown_errors(chromium, name, path, pictures)
                chromium.look(1600)
                chromium.open(path)
                for what, expression in {"how to make it again": RECORD, **SHOWN.get(name, {})}.items():
                    if chromium.evaluate(expression) is not True:
                        errors.append(f"{name}: lacks {what}")
                errors += printed_errors(chromium, name, path, pictures)
            chromium.look(1600)
            errors += [f"{name}: something is not to be read without script" for name in ("analyze", "check")
                       if name in pages and not has_words(chromium, pages[name])]
            if "many" in pages:
                chromium.open(pages["many"])
                if (state := chromium.evaluate(SORTED)) != "ascending":
                    errors.append(f"many: its table was not sorted: {state}")
            if "source" in pages:
                chromium.open(pages["source"])
                if (lit := chromium.evaluate(LIT)) < 2:
                    errors.append(f"source: a line of code shows {lit} panes")
            if "loops" in pages:
                chromium.open(pages["loops"])
                if not chromium.evaluate(FOUND):
                    errors.append("loops: no row was left out that was not looked for")
        if "long" in pages:
            with browser.Browser() as chromium:  # that has done nothing yet
                passed, worked = seconds_to_open(chromium, pages["long"])
                rows = chromium.evaluate("document.querySelectorAll('.pane tr').length")
            print(f"a kernel of 10,000 lines: {rows} rows of code open in {passed:.2f} s, of which {worked:.2f} s are work")
            if rows < 20000:
                errors.append(f"long: {rows} rows of code")
            if min(passed, worked) > MOST_SECONDS:
                errors.append(f"long: opens in {passed:.2f} s, of which {worked:.2f} s are work")
    for error in errors:
        print(error)
    print(f"{len(pages)} pages, {len(errors)} faults")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
