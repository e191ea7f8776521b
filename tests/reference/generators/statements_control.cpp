// SPDX-License-Identifier: GPL-3.0-or-later
// Statements with control flow.
#include <functional>

#include "tests/reference/generators/statements.hpp"

namespace warpspan::reference {

namespace {

constexpr int64_t most_turns = 150;  // of nested loops together
constexpr int64_t most_turns_of_a_loop = 5;

}  // namespace

Statements::Statements(Random& random, const Style& style, Body& body, Given given,
                       const std::vector<Callable>& callables)
    : random_(random),
      style_(style),
      body_(body),
      given_(std::move(given)),
      callables_(callables),
      left_(style.statements * 4) {
  for (int i = 0; i < 4; ++i) {
    variables_.push_back(body_.word());
    body_.line({"mov.u32 ", variables_.back(), ", ", (random_.chance(25) ? operand() : number(0, 9))});
  }
  for (int i = 0; i < 2; ++i) {
    const std::string p = test(variables_[static_cast<size_t>(i)]);
    predicates_.push_back(body_.predicate());
    body_.line({"mov.pred ", predicates_.back(), ", ", p});
  }
}

void Statements::write() { sequence(style_.statements, 0); }

void Statements::sequence(int64_t statements, int depth) {
  sequences_.push_back({body_.label(), false});
  for (int64_t i = 0; i < statements && left_ > 0; ++i) statement(depth);
  const Sequence done = sequences_.back();
  sequences_.pop_back();
  if (done.used) body_.place(done.end);
}

void Statements::statement(int depth) {
  --left_;
  const bool deep = depth >= style_.deepest;
  const bool has_turns = turns_ * most_turns_of_a_loop <= most_turns;
  const std::vector<std::pair<uint64_t, std::function<void()>>> choices = {
      {style_.assignments, [&] { assign(); }},
      {style_.accesses, [&] { access(); }},
      {deep ? 0 : style_.branches, [&] { branch(depth + 1); }},
      {deep || !has_turns ? 0 : style_.loops, [&] { loop(depth + 1); }},
      {style_.jumps, [&] { jump(); }},
      {loops_.empty() ? 0 : style_.loop_exits, [&] { loop_exit(); }},
      {style_.ends, [&] { end_thread(); }},
      {deep ? 0 : style_.switches, [&] { switch_case(depth + 1); }},
      {style_.warp_wide, [&] { warp_wide(); }},
      {callables_.empty() ? 0 : style_.calls, [&] { call(); }},
      {style_.chains, [&] { chain(); }},
      {style_.decisions, [&] { decision(); }},
      {given_.in_kernel ? style_.slots : 0, [&] { slot(); }},
  };
  uint64_t sum = 0;
  for (const auto& choice : choices) sum += choice.first;
  uint64_t at = random_.below(sum);
  size_t chosen = 0;
  while (at >= choices[chosen].first) at -= choices[chosen++].first;
  choices[chosen].second();
}

void Statements::branch(int depth) {
  const std::string other = body_.label();
  const std::string join = body_.label();
  body_.line({guard(), "bra ", other});
  sequence(random_.between(1, 4), depth);
  if (random_.chance(50)) {
    body_.place(other);
    return;
  }
  body_.line({"bra ", join});
  body_.place(other);
  sequence(random_.between(1, 4), depth);
  body_.place(join);
}

// One to four blocks that lead to a value.
void Statements::side(const std::string& outcome) {
  for (int64_t i = random_.between(0, 3); i > 0; --i) {
    if (random_.chance(60)) {
      body_.line({"mov.u32 ", outcome, ", ", number(0, 9)});
      chain();
    } else {
      const std::string skip = body_.label();
      body_.line({guard(), "bra ", skip});
      body_.line({"add.u32 ", variable(), ", ", number(0, 9), ", 1"});
      body_.place(skip);
    }
  }
  body_.line({"mov.u32 ", outcome, ", ", number(0, 9)});
}

void Statements::decision() {
  const std::string other = body_.label();
  const std::string join = body_.label();
  const std::string outcome = body_.word();
  body_.line({guard(), "bra ", other});
  side(outcome);
  body_.line({"bra ", join});
  body_.place(other);
  side(outcome);
  body_.place(join);
  keep(outcome);
}

// From here on the value may decide; often it does at once.
void Statements::keep(const std::string& outcome) {
  outcomes_.push_back(outcome);
  if (random_.chance(40)) return;
  if (random_.chance(40)) {
    const std::string index = body_.word();
    const std::string d = body_.wide();
    body_.line({"and.b32 ", index, ", ", outcome, ", 15"});
    body_.line({"mad.wide.u32 ", d, ", ", index, ", 128, ", given_.pointer});
    body_.line({"st.global.u32 [", d, "], ", outcome});
    return;
  }
  const std::string other = body_.label();
  const std::string join = body_.label();
  const std::string p = test(outcome);
  body_.line({"@", p, " bra ", other});
  for (int64_t i = random_.between(1, 3); i > 0; --i) access();
  body_.line({"bra ", join});
  body_.place(other);
  for (int64_t i = random_.between(1, 3); i > 0; --i) assign();
  body_.place(join);
}

void Statements::switch_case(int depth) {
  const std::string table = body_.label();
  const std::string join = body_.label();
  const std::string index = body_.word();
  std::vector<std::string> cases;
  for (int i = 0; i < 4; ++i) cases.push_back(random_.chance(25) ? join : body_.label());
  const uint64_t who = random_.below(100);
  const std::string by = who < style_.by_lane                        ? given_.lane
                         : who < style_.by_lane + style_.by_variable ? observed()
                                                                     : given_.shared;
  body_.line({"and.b32 ", index, ", ", by, ", 3"});
  body_.line({table, ": .branchtargets ", cases[0], ", ", cases[1], ", ", cases[2], ", ", cases[3]});
  body_.line({"brx.idx ", index, ", ", table});
  for (const std::string& label : cases) {
    if (label == join) continue;
    body_.place(label);
    sequence(random_.between(1, 2), depth);
    if (random_.chance(75)) body_.line({"bra ", join});
  }
  body_.place(join);
}

void Statements::chain() {
  const std::string next = body_.label();
  body_.line({"bra ", next});
  body_.place(next);
}

void Statements::jump() {
  Sequence& target = sequences_[random_.below(sequences_.size())];
  target.used = true;
  body_.line({guard(), "bra ", target.end});
}

void Statements::loop_exit() {
  const Loop& loop = random_.chance(75) ? loops_.back() : random_.of(loops_);
  const std::string target = random_.chance(50) ? loop.out : loop.next;
  body_.line({guard(), "bra ", target});
}

void Statements::end_thread() { body_.line({guard(), given_.end}); }

Statements::Count Statements::choose_count() {
  const std::string few = number(1, 4);
  const std::string limit = body_.word();
  switch (random_.below(8)) {
    case 0: body_.line({"and.b32 ", limit, ", ", given_.lane, ", 3"}); return {"0", limit, "add.u32", "1", "le.u32"};
    case 1: body_.line({"and.b32 ", limit, ", ", observed(), ", 3"}); return {"0", limit, "add.u32", "1", "le.u32"};
    case 2: body_.line({"and.b32 ", limit, ", ", given_.shared, ", 3"}); return {"0", limit, "add.u32", "1", "le.u32"};
    case 3: return {"0", given_.bound, "add.u32", "1", "lt.s32"};
    case 4: return {few, "0", "sub.u32", "1", "gt.s32"};
    case 5: return {"1", "16", "shl.b32", "1", "lt.u32"};
    case 6: return {"0", "8", "add.u32", "2", "ne.u32"};
    default: return {"0", few, "add.u32", "1", "lt.u32"};
  }
}

// Three shapes: tested at the bottom, at the top, or counted at the top so that the header is where a continue goes.
void Statements::write_loop(const Loop& loop, const Count& count, int depth) {
  const std::string head = body_.label();
  const auto keep_count = [&] {
    if (!loop.slot.empty()) body_.line({"st.local.u32 ", loop.slot, ", ", loop.counter});
  };
  const auto advance = [&] {
    if (!loop.slot.empty()) body_.line({"ld.local.u32 ", loop.counter, ", ", loop.slot});
    body_.line({count.step_opcode, " ", loop.counter, ", ", loop.counter, ", ", count.step});
    keep_count();
  };
  const auto stays = [&] {
    const std::string p = body_.predicate();
    body_.line({"setp.", count.stay, " ", p, ", ", loop.counter, ", ", count.limit});
    return p;
  };
  body_.line({"mov.u32 ", loop.counter, ", ", count.first});
  keep_count();
  switch (random_.below(3)) {
    case 0:
      body_.place(head);
      sequence(random_.between(1, 4), depth);
      body_.place(loop.next);
      advance();
      body_.line({"@", stays(), " bra ", head});
      break;
    case 1:
      body_.place(head);
      body_.line({"@!", stays(), " bra ", loop.out});
      sequence(random_.between(1, 4), depth);
      body_.place(loop.next);
      advance();
      body_.line({"bra ", head});
      break;
    default:
      body_.place(loop.next);
      advance();
      body_.line({"@!", stays(), " bra ", loop.out});
      sequence(random_.between(1, 4), depth);
      body_.line({"bra ", loop.next});
      break;
  }
  body_.place(loop.out);
}

void Statements::loop(int depth) {
  const Count count = choose_count();
  const int64_t before = turns_;
  turns_ *= most_turns_of_a_loop;
  const bool in_slot = given_.in_kernel && style_.slots > 0 && random_.chance(60);
  const std::string slot = in_slot ? "[frame+" + std::to_string(64 + 4 * counter_slots_++) + "]" : "";
  loops_.push_back({body_.label(), body_.label(), body_.word(), slot});
  const Loop loop = loops_.back();
  write_loop(loop, count, depth);
  loops_.pop_back();
  turns_ = before;
  keep(loop.counter);
}

}  // namespace warpspan::reference
