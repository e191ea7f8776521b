// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/generators/hostile_writer.hpp"

namespace warpspan::reference {

uint64_t corner(Random& random, unsigned bits) {
  const uint64_t few = random.below(7) - 3;
  switch (random.below(9)) {
    case 0: return (uint64_t{1} << (bits - 1)) + few;
    case 1: return mask_of(bits) + few;
    case 2: return (uint64_t{1} << (bits / 2)) + few;
    case 3: return (uint64_t{1} << (bits - 2)) + few;
    case 4: return random.below(2000);
    case 5: return uint64_t{1} << random.below(bits);
    default: return random.below(20);
  }
}

std::string HostileWriter::constant() {
  const uint64_t value = random_.chance(60) ? random_.below(12) : corner(random_, bits_) & mask_of(bits_);
  const auto number = static_cast<int64_t>(value << (64 - bits_)) >> (64 - bits_);
  return number == INT64_MIN ? "0x8000000000000000" : std::to_string(number);
}

std::string HostileWriter::result(const std::string& opcode, const std::string& a, const std::string& b) {
  const std::string r = fresh();
  body_.line({opcode, bits(), " ", r, ", ", a, ", ", b});
  return r;
}

void HostileWriter::change(const std::string& opcode, const std::string& r, const std::string& by) {
  body_.line({opcode, bits(), " ", r, ", ", r, ", ", by});
}

void HostileWriter::move(const std::string& to, const std::string& from) {
  body_.line({"mov.b", bits(), " ", to, ", ", from});
}

std::string HostileWriter::copy(const std::string& from) {
  const std::string r = fresh();
  move(r, from);
  return r;
}

// What is at another place of memory each time.
std::string HostileWriter::loaded(const char* type) {
  const std::string place = body_.word(), address = body_.wide();
  body_.line({"mad.lo.u32 ", state_, ", ", state_, ", 1664525, 1013904223"});
  body_.line({"shr.u32 ", place, ", ", state_, ", 14"});
  body_.line({"mad.wide.u32 ", address, ", ", place, ", 8, ", pointer_});
  const std::string kind = type;
  const std::string r = kind.ends_with("64") ? body_.wide() : kind.ends_with("32") ? body_.word() : body_.half();
  body_.line({"ld.global.", type, " ", r, ", [", address, "]"});
  return r;
}

std::string HostileWriter::to_width(const std::string& word, unsigned from) {
  if (from == bits_) return word;
  const std::string r = fresh();
  const std::string kind = sign();
  body_.line({"cvt.", kind, bits(), ".", kind, std::to_string(from), " ", r, ", ", word});
  return r;
}

// Of what there is already, or a constant.
std::string HostileWriter::value() {
  if (random_.chance(15)) return constant();
  if (random_.chance(85)) return random_.of(known());
  const size_t other = random_.below(values_.size());
  return values_[other].empty() ? constant() : to_width(random_.of(values_[other]), 16U << other);
}

// Something new.
std::string HostileWriter::made() {
  const std::string a = copy(value()), few = number(1, 4);
  switch (random_.below(18)) {
    case 14: return result("mul.hi." + sign(), a, value());
    case 15: return result("shl.b", a, few);
    case 16: return result("max.s", result("min.s", a, value()), value());
    case 17: return result("xor.b", a, "-1");
    case 0: return result("min." + sign(), a, value());
    case 1: return result("max." + sign(), a, value());
    case 2: return result("and.b", a, random_.pick({"1", "3", "7", "15", "-4", "-8", "255"}));
    case 3: return result("shr." + sign(), a, few);
    case 4: return result("rem." + sign(), a, number(2, 9));
    case 5: return result("div." + sign(), a, number(2, 9));
    case 6: return result("mul.lo.s", a, number(2, 5));
    case 7:
    case 8: return result("add.s", a, constant());
    case 9: return result("sub.s", copy(value()), a);
    case 10: return picked(condition(a, value(), {"lt", "le", "gt", "ne"}), a, copy(value()));
    case 11: return to_width(loaded(random_.pick({"u8", "s8", "u16", "s16"})), 16);
    case 12: return to_width(loaded("u32"), 32);
    default: return result("add.s", a, value());
  }
}

std::string HostileWriter::compared(const std::string& a, const std::string& b,
                                    std::initializer_list<const char*> usual) {
  const std::string p = body_.predicate();
  const std::string relation =
      random_.chance(90) ? random_.pick(usual) : random_.pick({"eq", "ne", "lt", "le", "gt", "ge"});
  const std::string first = a[0] == '%' ? a : copy(a);
  body_.line({"setp.", relation, ".", sign(), bits(), " ", p, ", ", first, ", ", b});
  return p;
}

// A predicate that nobody knows.
std::string HostileWriter::unknown() {
  const std::string word = loaded("u32"), low = body_.word(), p = body_.predicate();
  body_.line({"and.b32 ", low, ", ", word, ", ", random_.pick({"1", "1", "3"})});
  body_.line({"setp.", random_.pick({"eq", "ne"}), ".u32 ", p, ", ", low, ", 0"});
  return p;
}

// Perhaps with something else.
std::string HostileWriter::condition(const std::string& a, const std::string& b,
                                     std::initializer_list<const char*> usual) {
  const std::string p = compared(a, b, usual);
  if (random_.chance(85)) return p;
  const std::string both = body_.predicate();
  if (random_.chance(30)) {
    const std::string join = body_.label();
    body_.line({"mov.pred ", both, ", ", random_.pick({"0", "0", "-1"})});
    body_.line({random_.pick({"@!", "@!", "@"}), p, " bra ", join});
    body_.line({"mov.pred ", both, ", ", random_.chance(50) ? unknown() : compared(a, value(), usual)});
    body_.place(join);
    return both;
  }
  const std::string other = random_.chance(50) ? unknown() : compared(a, value(), usual);
  body_.line({random_.pick({"and", "or"}), ".pred ", both, ", ", p, ", ", other});
  return both;
}

std::string HostileWriter::picked(const std::string& p, const std::string& a, const std::string& b) {
  const std::string r = fresh();
  body_.line({"selp.b", bits(), " ", r, ", ", a, ", ", b, ", ", p});
  return r;
}

// Does one of both, as nobody knows which.
void HostileWriter::either(const std::function<void()>& one, const std::function<void()>& other) {
  if (random_.chance(25)) {
    const std::string p = unknown();
    body_.guard("@" + p + " ", one);
    return body_.guard("@!" + p + " ", other);
  }
  const std::string else_part = body_.label(), join = body_.label();
  body_.line({"@", unknown(), " bra ", else_part});
  one();
  body_.line({"bra ", join});
  body_.place(else_part);
  other();
  body_.place(join);
}

void HostileWriter::loop(int depth, const std::function<std::string()>& stays, const std::function<void()>& turn) {
  const unsigned width = bits_;
  const std::string head = body_.label(), out = body_.label();
  outs_.push_back(out);
  const auto all_of_turn = [&] {
    const bool before = random_.chance(50);
    if (before) inside(depth);
    bits_ = width;
    // A turn that ends at once may not end at all.
    if (random_.chance(4)) body_.line({"@", unknown(), " bra ", head});
    turn();
    if (!before && random_.chance(50)) inside(depth);
    bits_ = width;
  };
  using Tests = Body::Tests;
  const Tests tests = random_.pick({Tests::last, Tests::first, Tests::first, Tests::both});
  body_.loop(tests, head, out, stays, [&] {
    if (tests == Tests::first) leave_early();
    all_of_turn();
  });
  outs_.pop_back();
}

// Perhaps out of this loop, of one around it, or of the kernel.
void HostileWriter::leave_early() {
  if (random_.chance(10)) body_.line({"@", unknown(), " bra ", random_.of(outs_)});
  if (random_.chance(10))
    body_.line({"@", compared(random_.of(known()), value(), {"eq", "gt", "ge"}), " bra ", random_.of(outs_)});
  if (random_.chance(3)) body_.line({"@", unknown(), " exit"});
}

void HostileWriter::inside(int depth) {
  if (random_.chance(40)) access();
  if (depth < 3 && random_.chance(depth == 1 ? 25 : 10)) any_loop(depth + 1);
}

// At a place that some of what there is tells.
void HostileWriter::access() {
  const unsigned width = bits_;
  bits_ = 32;
  std::string index = random_.chance(60) ? random_.of(known()) : copy(value());
  if (random_.chance(50)) index = result("add.s", index, random_.chance(50) ? value() : constant());
  if (random_.chance(30)) {
    const std::string sum = body_.word();
    body_.line({"mad.lo.s32 ", sum, ", ", random_.of(known()), ", ", number(2, 300), ", ", index});
    index = sum;
  }
  const std::string skip = body_.label(), place = body_.wide();
  if (random_.chance(60)) {
    const std::string tested = random_.chance(60) ? index : random_.of(known());
    body_.line({"@!", condition(tested, value(), {"lt", "le", "gt", "ne"}), " bra ", skip});
  }
  body_.line({"mul.wide.", sign(), "32 ", place, ", ", index, ", ", random_.pick({"4", "4", "8", "256"})});
  body_.line({"add.s64 ", place, ", ", place, ", ", random_.chance(90) ? pointer_ : array_});
  body_.line({"ld.global.u32 ", body_.word(), ", [", place, "]"});
  body_.place(skip);
  bits_ = width;
}

// What leads past a loop.
void HostileWriter::guard(const std::string& out) {
  const std::string p = condition(random_.of(known()), value(), {"lt", "le", "gt", "ge", "ne", "eq"});
  body_.line({"@", p, " bra ", random_.chance(70) ? out : end_});
}

void HostileWriter::any_loop(int depth) {
  using Form = void (HostileWriter::*)(int);
  constexpr std::array<Form, 18> forms = {&HostileWriter::walked,     &HostileWriter::walked,  &HostileWriter::counted,
                                          &HostileWriter::counted,    &HostileWriter::counted, &HostileWriter::halved,
                                          &HostileWriter::merged,     &HostileWriter::merged,  &HostileWriter::rests,
                                          &HostileWriter::cleared,    &HostileWriter::shifted, &HostileWriter::carried,
                                          &HostileWriter::approached, &HostileWriter::clamped, &HostileWriter::unrolled,
                                          &HostileWriter::unrolled,   &HostileWriter::mixed,   &HostileWriter::chunked};
  const unsigned width = bits_;
  if (random_.chance(15)) {
    bits_ = random_.pick({16U, 32U, 64U});
    if (known().empty()) known().push_back(copy(constant()));
  }
  const auto before = values_;
  const std::string out = body_.label();
  bool has_guards = false;
  for (; random_.chance(25); has_guards = true) guard(out);
  (this->*random_.of(forms))(depth);
  body_.place(out);
  if (has_guards && random_.chance(50)) values_ = before;
  bits_ = width;
}

std::string HostileWriter::write() {
  pointer_ = body_.wide();
  array_ = body_.wide();
  state_ = body_.word();
  end_ = "END";
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  body_.line({"ld.param.u64 ", array_, ", [q]"});
  body_.line({"mov.u32 ", state_, ", ", random_.pick({"%tid.x", "0"})});
  const auto give = [&](unsigned bits, const std::string& instruction, const std::string& from) {
    bits_ = bits;
    known().push_back(fresh());
    body_.line({instruction, " ", known().back(), ", ", from});
  };
  give(32, "ld.param.u32", "[n]");
  give(32, "ld.param.u32", "[m]");
  if (random_.chance(35)) give(32, "mov.u32", "%tid.x");
  if (random_.chance(15)) give(32, "mov.u32", "%ctaid.x");
  give(64, "ld.param.u64", "[w]");
  give(16, "ld.param.u16", "[n]");
  bits_ = random_.pick({16U, 32U, 32U, 32U, 32U, 64U});
  for (int64_t i = random_.between(0, 3); i > 0; --i) known().push_back(made());
  while (random_.chance(20)) guard(end_);
  for (int64_t i = random_.between(1, 2); i > 0; --i) any_loop(1);
  body_.place(end_);
  return body_.text();
}

}  // namespace warpspan::reference
