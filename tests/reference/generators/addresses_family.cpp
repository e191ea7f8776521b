// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose accesses stand at addresses of every form: linear in the thread, masked, shifted, scaled, wrapped at 32
// and at 64 bits, with strides of structures, or anywhere in a window; in each space.
#include <bit>

#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/kernel_text.hpp"
#include "tests/reference/generators/statements.hpp"

namespace warpspan::reference {

namespace {

class Addresses {
 public:
  explicit Addresses(Random& random) : random_(random), body_("A") {}

  std::string write();

 private:
  std::string leaf();
  std::string step(const std::string& x);
  std::string change(const std::string& opcode, const std::string& x, const std::string& by);
  std::string narrowed(const std::string& x);
  std::string index();
  std::string offset(int bytes, bool small);
  std::string place(int bytes, std::string& space);
  void access();
  void accesses();
  void give_loaded();

  Random& random_;
  Body body_;
  std::string pointer_;
  std::vector<std::string> leaves_;
};

std::string Addresses::leaf() { return random_.of(leaves_); }

std::string Addresses::change(const std::string& opcode, const std::string& x, const std::string& by) {
  const std::string r = body_.word();
  body_.line({opcode, " ", r, ", ", x, ", ", by});
  return r;
}

// Through a narrower integer and back.
std::string Addresses::narrowed(const std::string& x) {
  const std::string h = body_.half();
  const std::string r = body_.word();
  body_.line({"cvt.u16.u32 ", h, ", ", x});
  body_.line({random_.pick({"cvt.u32.u16 ", "cvt.s32.s16 ", "cvt.s32.s8 ", "cvt.u32.u8 "}), r, ", ", h});
  return r;
}

std::string Addresses::step(const std::string& x) {
  const std::string small = std::to_string(random_.between(1, 9));
  switch (random_.below(16)) {
    case 0: return change("add.u32", x, random_.pick({"1", "3", "32", "1000", "-1", "-5", "0x7ffffff0", "0xfffffff8"}));
    case 1: return change("add.u32", x, leaf());
    case 2: return change("sub.u32", x, leaf());
    case 3:
      return change("mul.lo.u32", x, random_.pick({"2", "3", "5", "8", "12", "17", "33", "100", "-1", "0x10000001"}));
    case 4: return change("shl.b32", x, small);
    case 5: return change("shr.u32", x, small);
    case 6: return change("shr.s32", x, small);
    case 7: return change("and.b32", x, random_.pick({"1", "3", "7", "15", "31", "48", "96", "0x55", "-4", "-16"}));
    case 8: return change("or.b32", x, random_.pick({"1", "4", "64", "5"}));
    case 9: return change("xor.b32", x, random_.pick({"1", "5", "31", "-1", "16"}));
    case 10: return change("rem.u32", x, random_.pick({"3", "5", "7", "16", "33"}));
    case 11: return change("div.u32", x, random_.pick({"2", "3", "4", "7"}));
    case 12:
      return change(random_.pick({"min.u32", "max.u32", "min.s32", "max.s32"}), x, random_.pick({"5", "16", "40"}));
    case 13: return change("bfe.u32", x, small + ", " + std::to_string(random_.between(1, 8)));
    case 14: return narrowed(x);
    default: {
      const std::string r = body_.word();
      body_.line({"mad.lo.u32 ", r, ", ", x, ", ", small, ", ", leaf()});
      return r;
    }
  }
}

std::string Addresses::index() {
  std::string x = leaf();
  for (int64_t i = random_.between(0, 3); i > 0; --i) x = step(x);
  return x;
}

// A wide multiple of `bytes`; below 4096 if it must be small.
std::string Addresses::offset(int bytes, bool small) {
  std::string x = index();
  const std::string d = body_.wide();
  const std::string shift = std::to_string(std::countr_zero(static_cast<unsigned>(bytes)));
  if (small) x = change("and.b32", x, std::to_string(4096 / bytes - 1));
  const std::string scale = std::to_string(bytes * (small ? 1 : random_.pick({1, 1, 1, 2, 3, 5, 32})));
  switch (random_.below(4)) {
    case 0: {
      const std::string wrapped = change("shl.b32", x, shift);
      body_.line({random_.pick({"cvt.u64.u32 ", small ? "cvt.u64.u32 " : "cvt.s64.s32 "}), d, ", ", wrapped});
      break;
    }
    case 1:
      body_.line({random_.pick({"mul.wide.u32 ", small ? "mul.wide.u32 " : "mul.wide.s32 "}), d, ", ", x, ", ", scale});
      break;
    case 2: {
      const std::string e = body_.wide();
      body_.line({random_.pick({"cvt.u64.u32 ", small ? "cvt.u64.u32 " : "cvt.s64.s32 "}), e, ", ", x});
      body_.line({"mul.lo.s64 ", d, ", ", e, ", ", scale});
      break;
    }
    default: {
      const std::string e = body_.wide();
      body_.line({"cvt.u64.u32 ", e, ", ", x});
      body_.line({"shl.b64 ", d, ", ", e, ", ", shift});
      break;
    }
  }
  return d;
}

// Where an access of so many bytes goes, and in which space.
std::string Addresses::place(int bytes, std::string& space) {
  const std::string d = body_.wide();
  switch (random_.below(8)) {
    case 0:
    case 1: {
      space = ".shared";
      const std::string x = change("and.b32", index(), random_.pick({"63", "127", "255"}));
      const std::string r = body_.word();
      const std::string t = body_.word();
      body_.line({"mov.u32 ", t, ", tile"});
      body_.line(
          {"mad.lo.u32 ", r, ", ", x, ", ", std::to_string(bytes * random_.pick({1, 1, 2, 3, 4, 8, 33})), ", ", t});
      return r;
    }
    case 2:
      space = ".const";
      body_.line({"mov.u64 ", d, ", table"});
      break;
    case 3:
      space = ".local";
      body_.line({"mov.u64 ", d, ", frame"});
      break;
    case 4: {
      space = "";
      const std::string e = body_.wide();
      body_.line({"mov.u64 ", e, ", tile"});
      body_.line({"cvta.shared.u64 ", d, ", ", e});
      break;
    }
    case 5: {
      space = ".global";
      const std::string e = body_.wide();
      body_.line({"mul.wide.u32 ", e, ", ", leaves_[1], ", ", std::to_string(bytes * random_.pick({1, 3}))});
      body_.line({"add.s64 ", d, ", ", pointer_, ", ", e});
      break;
    }
    default:
      space = ".global";
      body_.line({"mov.u64 ", d, ", ", pointer_});
      break;
  }
  const std::string o = offset(bytes, space != ".global");
  const std::string sum = body_.wide();
  body_.line({"add.s64 ", sum, ", ", d, ", ", o});
  return sum;
}

void Addresses::access() {
  const int bytes = random_.pick({1, 2, 4, 4, 4, 8, 8, 16});
  std::string space;
  const std::string where = place(bytes, space);
  const std::string plus = random_.chance(30) ? "+" + std::to_string(bytes * random_.between(1, 40)) : "";
  const bool load = space == ".const" || random_.chance(50);
  const std::string values = bytes == 16  ? ".v4.u32 "
                             : bytes == 8 ? random_.pick({".u64 ", ".v2.u32 "})
                             : bytes == 4 ? ".u32 "
                             : bytes == 2 ? ".u16 "
                                          : ".u8 ";
  const std::string w = body_.word();
  std::string value = bytes == 8 ? body_.wide() : w;
  if (values == ".v4.u32 ") value = "{" + w + ", " + body_.word() + ", " + body_.word() + ", " + body_.word() + "}";
  if (values == ".v2.u32 ") value = "{" + w + ", " + body_.word() + "}";
  if (bytes == 2) value = body_.half();
  if (load) {
    body_.line({"ld", space, values, value, ", [", where, plus, "]"});
  } else {
    body_.line({"st", space, values, "[", where, plus, "], ", value});
  }
}

void Addresses::accesses() {
  for (int64_t i = random_.between(1, 3); i > 0; --i) access();
}

// Of which nobody knows more than what is done with them: addresses within windows.
void Addresses::give_loaded() {
  const std::string d = body_.wide(), sum = body_.wide(), loaded = body_.word();
  body_.line({"mul.wide.u32 ", d, ", ", leaves_[0], ", 4"});
  body_.line({"add.s64 ", sum, ", ", pointer_, ", ", d});
  body_.line({"ld.global.u32 ", loaded, ", [", sum, "]"});
  for (const char* bits : {"3", "7", "31", "63", "255"}) leaves_.push_back(change("and.b32", loaded, bits));
}

std::string Addresses::write() {
  pointer_ = body_.wide();
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  const auto give = [&](const std::string& instruction, const std::string& from) {
    leaves_.push_back(body_.word());
    body_.line({instruction, " ", leaves_.back(), ", ", from});
  };
  give("mov.u32", "%tid.x");
  give("ld.param.u32", "[n]");
  give("mov.u32", "%tid.x");
  give("mov.u32", random_.pick({"%tid.y", "%tid.z", "%laneid", "%ctaid.x", "%ntid.x"}));
  const std::string linear = body_.word();
  body_.line({"mad.lo.u32 ", linear, ", ", leaves_[3], ", ", random_.pick({"8", "16", "33", "256"}), ", ", leaves_[0]});
  leaves_.push_back(linear);
  if (random_.chance(50)) give_loaded();
  accesses();
  const std::string counter = body_.word();
  const std::string p = body_.predicate();
  const std::string label = body_.label();
  leaves_.push_back(counter);
  body_.line({"mov.u32 ", counter, ", ", random_.pick({"0", "1", "%ctaid.x"})});
  if (random_.chance(50)) {
    body_.line({"and.b32 ", counter, ", ", counter, ", 1"});
    body_.place(label);
    accesses();
    body_.line({"add.u32 ", counter, ", ", counter, ", ", random_.pick({"1", "2", "3"})});
    body_.line({"setp.lt.u32 ", p, ", ", counter, ", ", std::to_string(random_.between(2, 6))});
    body_.line({"@", p, " bra ", label});
  } else {
    const std::string bit = body_.word();
    body_.line({"and.b32 ", bit, ", ", leaf(), ", ", random_.pick({"1", "2", "3"})});
    body_.line({"setp.ne.u32 ", p, ", ", bit, ", 0"});
    body_.line({"@", p, " bra ", label});
    accesses();
    body_.place(label);
  }
  accesses();
  return body_.text();
}

}  // namespace

Experiment address_experiment(uint64_t seed) {
  Random random(seed);
  const std::string body = Addresses(random).write();
  return experiment_of(kernel_text("", body), random);
}

}  // namespace warpspan::reference
