// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of loops that hostile kernels have.
#include "tests/reference/generators/hostile_writer.hpp"

namespace warpspan::reference {

// One that counts by a constant, or by something.
void HostileWriter::counted(int depth) {
  const std::string counter = copy(random_.chance(50) ? value() : made());
  const std::string limit = random_.chance(50) ? copy(value()) : made();
  const bool rises = random_.chance(65);
  const std::string by = random_.chance(80) ? number(1, 9) : random_.chance(50) ? constant() : copy(value());
  const bool sometimes = random_.chance(12);
  const auto step = [&] { change(rises ? "add.s" : "sub.s", counter, by); };
  const std::string added = random_.chance(15) ? number(-4, 4) : "";
  const auto stays = [&] {
    const std::string tested = added.empty() ? counter : result("add.s", counter, added);
    return rises ? condition(tested, limit, {"lt", "lt", "le", "ne"})
                 : condition(tested, limit, {"gt", "gt", "ge", "ne"});
  };
  known().push_back(counter);
  loop(depth, stays, [&] {
    if (sometimes)
      either(step, [&] { change("add.s", counter, rises ? "1" : "-1"); });
    else
      step();
  });
}

void HostileWriter::halved(int depth) {
  const std::string low = copy(random_.chance(70) ? "0" : value());
  const std::string high = copy(value());
  const auto middle = [&] {
    const std::string whole = random_.chance(50) ? result("add.s", low, high) : "";
    if (!whole.empty()) {
      if (random_.chance(20)) return result("div." + sign(), whole, "2");
      return result("shr." + sign(), whole, "1");
    }
    const std::string half = result("shr." + sign(), result("sub.s", high, low), "1");
    return random_.chance(70) ? result("add.s", low, half) : result("sub.s", high, half);
  };
  const std::string after = number(0, 1), before = number(0, 1);
  const bool selects = random_.chance(50);
  const auto turn = [&] {
    const std::string half = middle();
    const auto right = [&] { body_.line({"add.s", bits(), " ", low, ", ", half, ", ", after}); };
    const auto left = [&] { body_.line({"sub.s", bits(), " ", high, ", ", half, ", ", before}); };
    if (!selects) return either(right, left);
    const std::string p = unknown(), next = result("add.s", half, after), last = result("sub.s", half, before);
    move(low, picked(p, next, low));
    move(high, picked(p, high, last));
  };
  const std::string apart = random_.chance(20) ? number(0, 2) : "";
  known().push_back(low);
  loop(
      depth,
      [&] {
        return apart.empty() ? condition(low, high, {"lt", "le", "ne"})
                             : condition(result("sub.s", high, low), apart, {"gt", "ge"});
      },
      turn);
}

void HostileWriter::merged(int depth) {
  const std::string i = copy(value()), j = copy(value()), end = copy(value()), other_end = copy(value());
  const std::string step = random_.chance(70) ? "1" : number(1, 5);
  const bool selects = random_.chance(40);
  const bool same_end = random_.chance(20);
  known().push_back(i);
  loop(
      depth,
      [&] {
        const std::string p = condition(i, end, {"lt", "lt", "ne", "le"});
        const std::string q = condition(j, same_end ? i : other_end, {"lt", "lt", "ne", "le"});
        const std::string both = body_.predicate();
        body_.line({random_.pick({"and", "and", "or"}), ".pred ", both, ", ", p, ", ", q});
        return both;
      },
      [&] {
        if (!selects) return either([&] { change("add.s", i, "1"); }, [&] { change("add.s", j, step); });
        const std::string p = unknown();
        move(i, picked(p, result("add.s", i, "1"), i));
        move(j, picked(p, j, result("add.s", j, step)));
      });
}

void HostileWriter::rests(int depth) {
  const std::string a = copy(value()), b = copy(value());
  const std::string kind = sign();
  known().push_back(a);
  loop(
      depth,
      [&] {
        return condition(b, random_.chance(90) ? "0" : constant(), {"ne", "gt"});
      },
      [&] {
        const std::string divided = random_.chance(60) ? result("rem." + kind, a, b) : "";
        if (!divided.empty()) {
          move(a, b);
          move(b, divided);
          return;
        }
        either([&] { change("sub.s", a, b); }, [&] { change("sub.s", b, a); });
      });
}

void HostileWriter::cleared(int depth) {
  const std::string x = copy(value());
  const auto turn = [&] {
    if (random_.chance(60)) return change("and.b", x, result("add.s", x, "-1"));
    const std::string lowest = result("and.b", x, result("sub.s", copy("0"), x));
    change(random_.pick({"sub.s", "xor.b"}), x, lowest);
  };
  known().push_back(x);
  loop(
      depth,
      [&] {
        return condition(x, "0", {"ne", "gt"});
      },
      turn);
}

void HostileWriter::shifted(int depth) {
  const std::string x = copy(value()), few = number(1, 9);
  const std::string amount = body_.word();
  body_.line({"and.b32 ", amount, ", ", loaded("u32"), ", ", random_.pick({"1", "7", "63", "31"})});
  if (random_.chance(50)) body_.line({"add.u32 ", amount, ", ", amount, ", ", random_.pick({"1", "1", "31", "60"})});
  const auto turn = [&] {
    switch (random_.below(6)) {
      case 0: return change("shr." + sign(), x, few);
      case 1: return change("div." + sign(), x, number(2, 10));
      case 2: return change("shr." + sign(), x, amount);
      case 3: return change("shl.b", x, few);
      case 4: return change("shl.b", x, amount);
      default: return change("mul.lo.s", x, number(2, 5));
    }
  };
  known().push_back(x);
  loop(
      depth,
      [&] {
        return condition(x, random_.chance(60) ? "0" : constant(), {"ne", "gt", "ge"});
      },
      turn);
}

// Two counters that come nearer to each other.
void HostileWriter::approached(int depth) {
  const std::string i = copy(value()), j = copy(value());
  const std::string up = number(0, 3), down = number(0, 3);
  known().push_back(j);
  loop(
      depth,
      [&] {
        return condition(i, j, {"lt", "lt", "le", "ne"});
      },
      [&] {
        switch (random_.below(3)) {
          case 0:
            change("add.s", i, up);
            change("sub.s", j, down);
            return;
          case 1: return either([&] { change("add.s", i, up); }, [&] { change("sub.s", j, down); });
          default: {
            const std::string p = unknown();
            change("add.s", i, picked(p, copy("1"), copy(up)));
            change("sub.s", j, down);
          }
        }
      });
}

// A counter that goes on where it was left.
void HostileWriter::carried(int depth) {
  const std::string outer = copy("0"), turns = random_.chance(70) ? number(1, 12) : copy(value());
  const std::string counter = copy(value()), limit = copy(value()), by = number(1, 4);
  const unsigned width = bits_;
  const bool clamps = random_.chance(30);
  known().push_back(counter);
  loop(
      depth,
      [&] {
        return condition(outer, turns, {"lt", "ne"});
      },
      [&] {
        const auto stays = [&] { return condition(counter, limit, {"lt", "lt", "ne", "le"}); };
        loop(
            2,
            [&] {
              const std::string p = stays();
              if (random_.chance(60)) return p;
              const std::string both = body_.predicate();
              body_.line({"and.pred ", both, ", ", p, ", ", unknown()});
              return both;
            },
            [&] { change("add.s", counter, by); });
        bits_ = width;
        if (clamps) either([&] { change("add.s", counter, "1"); }, [&] {});
        change("add.s", outer, "1");
      });
}

// A window that is cut off.
void HostileWriter::clamped(int depth) {
  const std::string middle = random_.chance(70) ? copy(value()) : made(), radius = number(0, 9);
  const std::string kind = sign();
  const std::string first = result("max." + kind, result("sub.s", middle, radius), random_.chance(80) ? "0" : value());
  const std::string last = result("min." + kind, result("add.s", middle, radius), value());
  const std::string counter = copy(first), step = random_.chance(70) ? "1" : number(1, 4);
  known().push_back(counter);
  loop(
      depth,
      [&] {
        return condition(counter, last, {"lt", "le", "le", "ne"});
      },
      [&] { change("add.s", counter, step); });
}

// By so many at once, and the rest.
void HostileWriter::unrolled(int depth) {
  const std::string limit = copy(value()), start = copy(random_.chance(60) ? "0" : value());
  const std::string by = random_.pick({"2", "4", "8", "3"});
  const std::string counter = copy(start);
  const std::string whole =
      random_.chance(50) ? result("and.b", limit, "-" + by) : result("sub.s", limit, number(0, 8));
  loop(
      depth,
      [&] {
        return condition(counter, whole, {"lt", "ne", "le"});
      },
      [&] { change("add.s", counter, by); });
  if (random_.chance(50)) {
    const std::string rest =
        random_.chance(50) ? result("and.b", limit, number(1, 7)) : result("sub.s", limit, counter);
    known().push_back(rest);
    const std::string skip = body_.label();
    if (random_.chance(70)) body_.line({"@", condition(rest, "0", {"eq", "le"}), " bra ", skip});
    loop(
        depth,
        [&] {
          return condition(rest, "0", {"ne", "gt"});
        },
        [&] {
          change("add.s", rest, "-1");
          change("add.s", counter, "1");
        });
    body_.place(skip);
  } else {
    loop(
        depth,
        [&] {
          return condition(counter, limit, {"lt", "ne"});
        },
        [&] { change("add.s", counter, "1"); });
  }
  known().push_back(counter);
}

// In steps of something, from the number of a thread or a block on, with parts of what is left.
void HostileWriter::chunked(int depth) {
  const std::string size = number(1, 64), limit = copy(value()), first = copy(value());
  loop(
      depth,
      [&] {
        return condition(first, limit, {"lt", "lt", "ne"});
      },
      [&] {
        const std::string end = result("min." + sign(), result("add.s", first, size), limit);
        const std::string counter = copy(first), step = random_.chance(70) ? "1" : number(1, 4);
        const unsigned width = bits_;
        loop(
            2,
            [&] {
              return condition(counter, end, {"lt", "lt", "ne"});
            },
            [&] { change("add.s", counter, step); });
        bits_ = width;
        change("add.s", first, size);
      });
}

// Along the array, until something that nobody knows.
void HostileWriter::walked(int depth) {
  const std::string counter = copy(random_.chance(60) ? number(0, 3) : value());
  const std::string by = random_.chance(80) ? number(1, 3) : random_.chance(50) ? "-1" : constant();
  const std::string kind = sign(), bytes = random_.pick({"4", "4", "8", "12"}), wide = body_.wide();
  const bool is_late = random_.chance(40), adds = random_.chance(30), is_pointer = bits_ == 64 || random_.chance(20);
  if (is_pointer) body_.line({"add.s64 ", wide, ", ", array_, ", ", number(0, 8) + "0"});
  const auto load = [&] {
    const std::string place = is_pointer ? wide : body_.wide();
    if (!is_pointer) {
      const std::string index = adds ? result("add.s", counter, value()) : counter;
      const std::string word = bits_ == 32 ? index : body_.word();
      if (bits_ == 16) body_.line({"cvt.", kind, "32.", kind, "16 ", word, ", ", index});
      body_.line({"mul.wide.", kind, "32 ", place, ", ", word, ", ", bytes});
      body_.line({"add.s64 ", place, ", ", place, ", ", array_});
    }
    body_.line({"ld.global.u32 ", body_.word(), ", [", place, "]"});
  };
  known().push_back(counter);
  const auto goes_on = [&] { return random_.chance(60) ? unknown() : condition(counter, value(), {"lt", "ne", "gt"}); };
  loop(depth, goes_on, [&] {
    if (!is_late) load();
    change("add.s", counter, by);
    if (is_pointer) body_.line({"add.s64 ", wide, ", ", wide, ", ", bytes});
    if (is_late) load();
  });
}

// Anything that arithmetic makes of two counters.
void HostileWriter::mixed(int depth) {
  const Registers counters = {copy(value()), copy(value())};
  const auto operation = [&](const std::string& r) {
    const std::string& other = random_.chance(50) ? counters[0] : counters[1];
    switch (random_.below(14)) {
      case 0: return change("shr." + sign(), r, number(1, 3));
      case 1: return change("and.b", r, random_.chance(50) ? other : constant());
      case 2: return change("or.b", r, number(0, 3));
      case 3: return change("min." + sign(), r, value());
      case 4: return change("max." + sign(), r, value());
      case 5: return change("div." + sign(), r, number(2, 5));
      case 6: return change("rem." + sign(), r, random_.chance(50) ? other : number(2, 9));
      case 7: return change("sub.s", r, other);
      case 8: return change("xor.b", r, random_.chance(50) ? other : constant());
      case 9: return change("mul.lo.s", r, number(-1, 3));
      case 10: return move(r, picked(compared(r, value(), {"lt", "gt", "ne"}), copy(other), copy(constant())));
      case 11: return change("sub.s", r, number(1, 4));
      default: return change("add.s", r, number(1, 4));
    }
  };
  const std::string limit = copy(value());
  known().push_back(counters[0]);
  loop(
      depth,
      [&] {
        return condition(random_.of(counters), random_.chance(50) ? limit : constant(), {"lt", "gt", "ne", "le", "ge"});
      },
      [&] {
        for (int64_t i = random_.between(1, 3); i > 0; --i) {
          const std::string& r = random_.of(counters);
          if (random_.chance(25))
            either([&] { operation(r); }, [&] { operation(random_.of(counters)); });
          else
            operation(r);
        }
      });
}

}  // namespace warpspan::reference
