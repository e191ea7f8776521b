// SPDX-License-Identifier: GPL-3.0-or-later
// Statements without control flow, and conditions.
#include "tests/reference/generators/statements.hpp"

namespace warpspan::reference {

// A variable, or what loops and decisions left behind.
std::string Statements::observed() {
  return !outcomes_.empty() && random_.chance(50) ? random_.of(outcomes_) : variable();
}

std::string Statements::operand() {
  switch (random_.below(6)) {
    case 0: return given_.lane;
    case 1: return given_.shared;
    case 2: return loops_.empty() ? number(0, 40) : random_.of(loops_).counter;
    case 3: return variable();
    default: return number(0, 9);
  }
}

// A predicate that asks something of a value, which is mostly not above `largest`.
std::string Statements::test(const std::string& value, int64_t largest) {
  const std::string p = body_.predicate();
  const std::string r = body_.word();
  if (random_.chance(60)) {
    body_.line({"and.b32 ", r, ", ", value, ", ", random_.pick({"1", "1", "2", "4", "3"})});
    body_.line({"setp.", random_.pick({"eq", "ne"}), ".u32 ", p, ", ", r, ", 0"});
  } else {
    body_.line({"setp.", random_.pick({"lt", "ge"}), ".s32 ", p, ", ", value, ", ", number(1, largest)});
  }
  return p;
}

std::string Statements::lane_condition() {
  const std::string r = body_.word();
  switch (random_.below(4)) {
    case 0: body_.line({"mov.u32 ", r, ", %laneid"}); return test(r);
    case 1: {
      const std::string d = body_.wide();
      body_.line({"mad.wide.u32 ", d, ", ", given_.lane, ", 4, ", given_.pointer});
      body_.line({"ld.global.u32 ", r, ", [", d, "]"});
      return test(r);
    }
    default: return test(given_.lane, 31);
  }
}

// A word computed from the lane that may be the same for all lanes of each warp, as the shape of the block will have
// it.
std::string Statements::of_warp() {
  const std::string r = body_.word();
  switch (random_.below(4)) {
    case 0: body_.line({"shr.u32 ", r, ", ", given_.lane, ", ", number(4, 6)}); break;
    case 1: body_.line({"div.u32 ", r, ", ", given_.lane, ", ", random_.pick({"32", "16", "64", "33"})}); break;
    case 2: body_.line({"shr.u32 ", r, ", ", given_.lane, ", 5"}); break;
    default: {
      const std::string masked = body_.word();
      body_.line({"and.b32 ", masked, ", ", given_.lane, ", ", random_.pick({"32", "-32", "96", "48"})});
      body_.line({"shr.u32 ", r, ", ", masked, ", ", number(4, 5)});
      break;
    }
  }
  return r;
}

std::string Statements::shared_condition() {
  const std::string r = body_.word();
  switch (random_.below(5)) {
    case 0: body_.line({"mov.u32 ", r, ", %ctaid.x"}); return test(r);
    case 1:
      body_.line({"ld.global.u32 ", r, ", [", given_.pointer, "+", std::to_string(4 * random_.below(16)), "]"});
      return test(r);
    case 2: return test(of_warp());
    case 3: return test(loops_.empty() ? given_.shared : loops_.back().counter);
    default: return test(given_.shared);
  }
}

std::string Statements::variable_condition() {
  if (random_.chance(25)) return random_.of(predicates_);
  return test(observed());
}

std::string Statements::condition() {
  const uint64_t who = random_.below(100);
  if (who < style_.by_lane) return lane_condition();
  return who < style_.by_lane + style_.by_variable ? variable_condition() : shared_condition();
}

std::string Statements::guard() {
  const std::string sign = random_.chance(50) ? "@" : "@!";
  return sign + condition() + " ";
}

void Statements::assign() {
  const std::string v = variable();
  if (random_.chance(style_.constants)) {
    body_.line({random_.chance(20) ? guard() : "", "mov.u32 ", v, ", ", number(0, 9)});
    return;
  }
  switch (random_.below(5)) {
    case 0:
    case 1:
      body_.line({random_.pick({"add.u32 ", "xor.b32 ", "sub.u32 ", "or.b32 "}), v, ", ", v, ", ", operand()});
      break;
    case 2: body_.line({"mul.lo.u32 ", v, ", ", v, ", ", operand()}); break;
    case 3: {
      const std::string p = condition();
      body_.line({"selp.b32 ", v, ", ", operand(), ", ", number(0, 9), ", ", p});
      break;
    }
    default: {
      const std::string p = condition();
      body_.line({"mov.pred ", random_.of(predicates_), ", ", p});
      break;
    }
  }
}

// Of four bytes, aligned: the same for all lanes, or by lane, or by a variable.
std::string Statements::address() {
  const std::string d = body_.wide();
  const std::string index = body_.word();
  switch (random_.below(4)) {
    case 0: return given_.pointer + "+" + std::to_string(4 * random_.below(64));
    case 1: body_.line({"and.b32 ", index, ", ", given_.lane, ", ", random_.pick({"31", "3", "63"})}); break;
    default: body_.line({"and.b32 ", index, ", ", observed(), ", ", random_.pick({"31", "3", "7"})}); break;
  }
  body_.line({"mad.wide.u32 ", d, ", ", index, ", ", random_.pick({"4", "128", "32"}), ", ", given_.pointer});
  return d;
}

// Of memory that is not global: shared, constant; and an atomic operation, whose result each lane has for itself.
void Statements::access_elsewhere() {
  const std::string index = body_.word();
  const std::string address = body_.word();
  const std::string d = body_.wide();
  body_.line(
      {"and.b32 ", index, ", ", random_.chance(50) ? observed() : given_.lane, ", ", random_.pick({"0", "7", "31"})});
  switch (random_.below(given_.in_kernel ? 5 : 2)) {
    case 0:
      body_.line({"mov.u64 ", d, ", table"});
      body_.line({"mad.wide.u32 ", d, ", ", index, ", 4, ", d});
      body_.line({"ld.const.u32 ", variable(), ", [", d, "]"});
      break;
    case 1:
      body_.line({"atom.global.", random_.pick({"add", "exch", "max"}), ".u32 ", variable(), ", [", given_.pointer,
                  "], ", operand()});
      break;
    default:
      body_.line({"mov.u32 ", address, ", tile"});
      body_.line({"mad.lo.u32 ", address, ", ", index, ", ", random_.pick({"4", "8", "128"}), ", ", address});
      if (random_.chance(50)) {
        body_.line({"ld.shared.u32 ", variable(), ", [", address, "]"});
      } else {
        body_.line({"st.shared.u32 [", address, "], ", operand()});
      }
      break;
  }
}

void Statements::access() {
  if (random_.chance(style_.elsewhere)) return access_elsewhere();
  const std::string where = address();
  const std::string guarded = random_.chance(20) ? guard() : "";
  if (random_.chance(style_.loads)) {
    body_.line({guarded, "ld.global.u32 ", variable(), ", [", where, "]"});
  } else {
    body_.line({guarded, "st.global.u32 [", where, "], ", operand()});
  }
}

// One of four words of the frame, or the one that a variable chooses.
void Statements::slot_anywhere() {
  const std::string index = body_.word();
  const std::string frame = body_.word();
  const std::string address = body_.word();
  body_.line({"and.b32 ", index, ", ", observed(), ", 3"});
  body_.line({"mov.u32 ", frame, ", frame"});
  body_.line({"mad.lo.u32 ", address, ", ", index, ", 4, ", frame});
  if (random_.chance(50)) {
    body_.line({"st.local.u32 [", address, "], ", operand()});
  } else {
    body_.line({"ld.local.u32 ", variable(), ", [", address, "]"});
  }
}

void Statements::slot() {
  if (random_.chance(style_.escapes)) return slot_anywhere();
  const std::string word = "[frame+" + std::to_string(4 * random_.below(4)) + "]";
  const std::string part = "[frame+" + std::to_string(2 * random_.below(8)) + "]";
  const std::string pair = "[frame+" + std::to_string(8 * random_.below(2)) + "]";
  const std::string w = body_.word();
  switch (random_.below(8)) {
    case 0:
    case 1: body_.line({random_.chance(25) ? guard() : "", "st.local.u32 ", word, ", ", operand()}); break;
    case 2:
    case 3: body_.line({"ld.local.u32 ", variable(), ", ", word}); break;
    case 4:
      body_.line({"mov.u32 ", w, ", ", operand()});
      body_.line({random_.pick({"st.local.u16 ", "st.local.u8 "}), part, ", ", w});
      break;
    case 5:
      body_.line(
          {random_.pick({"ld.local.u16 ", "ld.local.s8 ", "ld.local.u8 ", "ld.local.s16 "}), variable(), ", ", part});
      break;
    case 6: body_.line({"st.local.v2.u32 ", pair, ", {", variable(), ", ", variable(), "}"}); break;
    default: body_.line({"ld.local.v2.u32 {", variable(), ", ", w, "}, ", pair}); break;
  }
}

void Statements::warp_wide() {
  const std::string p = condition();
  const std::string q = body_.predicate();
  const std::string r = body_.word();
  switch (random_.below(5)) {
    case 0: body_.line({"vote.sync.ballot.b32 ", variable(), ", ", p, ", -1"}); break;
    case 1:
      body_.line(
          {random_.pick({"vote.sync.any.pred ", "vote.sync.all.pred ", "vote.sync.uni.pred "}), q, ", ", p, ", -1"});
      body_.line({"mov.pred ", random_.of(predicates_), ", ", q});
      break;
    case 2:
      body_.line({"shfl.sync.", random_.pick({"idx", "bfly", "down", "up"}), ".b32 ", r, ", ", operand(), ", ",
                  number(0, 9), ", ", random_.pick({"31", "0"}), ", -1"});
      body_.line({"mov.u32 ", variable(), ", ", r});
      break;
    case 3: body_.line({"activemask.b32 ", variable()}); break;
    default: body_.line({"redux.sync.add.s32 ", variable(), ", ", operand(), ", -1"}); break;
  }
}

void Statements::call() {
  const std::string guarded = random_.chance(25) ? guard() : "";
  const Callable& callee = random_.of(callables_);
  const std::string a = operand();
  const std::string b = operand();
  const std::string wa = body_.word();
  const std::string wb = body_.word();
  body_.line({"mov.u32 ", wa, ", ", a});
  body_.line({"mov.u32 ", wb, ", ", b});
  const bool is_nested = !given_.left.empty();
  const std::string skip = is_nested ? body_.label() : "";
  if (is_nested) {
    const std::string none = body_.predicate();
    body_.line({"setp.le.s32 ", none, ", ", given_.left, ", 0"});
    body_.line({"@", none, " bra ", skip});
  }
  body_.raw("{\n.param .b32 a0;\n.param .b32 a1;\n.param .b64 a2;\n.param .b32 got;");
  if (is_nested) body_.raw(".param .b32 a3;");
  body_.line({"st.param.b32 [a0], ", wa});
  body_.line({"st.param.b32 [a1], ", wb});
  body_.line({"st.param.b64 [a2], ", given_.pointer});
  if (random_.chance(style_.computed_calls)) {
    const std::string address = body_.wide();
    const std::string other = body_.wide();
    const std::string chosen = guard();
    body_.line({"mov.u64 ", address, ", ", callee.name});
    body_.line({"mov.u64 ", other, ", ", random_.of(callables_).name});
    body_.line({chosen, "mov.u64 ", address, ", ", other});
    body_.raw("kind : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _, .param .b64 _);");
    body_.line({guarded, "call (got), ", address, ", (a0, a1, a2), kind"});
  } else {
    if (is_nested) {
      const std::string less = body_.word();
      body_.line({"sub.s32 ", less, ", ", given_.left, ", 1"});
      body_.line({"st.param.b32 [a3], ", less});
    }
    body_.line({guarded, "call (got), ", callee.name, is_nested ? ", (a0, a1, a2, a3)" : ", (a0, a1, a2)"});
  }
  body_.line({"ld.param.b32 ", variable(), ", [got]"});
  body_.raw("}");
  if (is_nested) body_.place(skip);
}

}  // namespace warpspan::reference
