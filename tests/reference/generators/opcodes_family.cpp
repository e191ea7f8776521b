// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that show what single instructions compute: a few of them on corner values and thread numbers, the result as
// a loop bound, a condition and an address. An analysis that computes something else gets a count wrong.
#include <array>

#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/kernel_text.hpp"

namespace warpspan::reference {

namespace {

// An instruction: its words, and the kinds of its result and operands. h, w, d: registers of 16, 32, 64 bits; p: a
// predicate; a: an amount or position (word); t: a table of three-input logic.
struct Shape {
  const char* opcode;
  const char* kinds;
};

constexpr Shape shapes[] = {
    {"add.u32", "www"},          {"add.s32", "www"},         {"add.sat.s32", "www"},
    {"add.u64", "ddd"},          {"add.s16", "hhh"},         {"sub.u32", "www"},
    {"sub.sat.s32", "www"},      {"sub.s64", "ddd"},         {"sub.u16", "hhh"},
    {"mul.lo.u32", "www"},       {"mul.lo.s32", "www"},      {"mul.hi.u32", "www"},
    {"mul.hi.s32", "www"},       {"mul.lo.u64", "ddd"},      {"mul.hi.u64", "ddd"},
    {"mul.hi.s64", "ddd"},       {"mul.lo.u16", "hhh"},      {"mul.hi.u16", "hhh"},
    {"mul.hi.s16", "hhh"},       {"mul.wide.u32", "dww"},    {"mul.wide.s32", "dww"},
    {"mul.wide.u16", "whh"},     {"mul.wide.s16", "whh"},    {"mul24.lo.u32", "www"},
    {"mul24.lo.s32", "www"},     {"mul24.hi.u32", "www"},    {"mul24.hi.s32", "www"},
    {"mad.lo.u32", "wwww"},      {"mad.hi.u32", "wwww"},     {"mad.hi.s32", "wwww"},
    {"mad.hi.sat.s32", "wwww"},  {"mad.lo.s64", "dddd"},     {"mad.hi.u64", "dddd"},
    {"mad.wide.u32", "dwwd"},    {"mad.wide.s32", "dwwd"},   {"mad.wide.u16", "whhw"},
    {"mad.lo.u16", "hhhh"},      {"mad24.lo.s32", "wwww"},   {"mad24.hi.u32", "wwww"},
    {"sad.u32", "wwww"},         {"sad.s32", "wwww"},        {"sad.u64", "dddd"},
    {"sad.s64", "dddd"},         {"sad.s16", "hhhh"},        {"div.u32", "www"},
    {"div.s32", "www"},          {"div.u64", "ddd"},         {"div.s64", "ddd"},
    {"div.u16", "hhh"},          {"div.s16", "hhh"},         {"rem.u32", "www"},
    {"rem.s32", "www"},          {"rem.u64", "ddd"},         {"rem.s64", "ddd"},
    {"rem.s16", "hhh"},          {"abs.s32", "ww"},          {"abs.s64", "dd"},
    {"abs.s16", "hh"},           {"neg.s32", "ww"},          {"neg.s64", "dd"},
    {"neg.s16", "hh"},           {"min.u32", "www"},         {"min.s32", "www"},
    {"max.u32", "www"},          {"max.s32", "www"},         {"min.s64", "ddd"},
    {"max.u64", "ddd"},          {"min.u16", "hhh"},         {"max.s16", "hhh"},
    {"and.b32", "www"},          {"or.b32", "www"},          {"xor.b32", "www"},
    {"not.b32", "ww"},           {"cnot.b32", "ww"},         {"and.b64", "ddd"},
    {"or.b64", "ddd"},           {"xor.b64", "ddd"},         {"not.b64", "dd"},
    {"cnot.b64", "dd"},          {"and.b16", "hhh"},         {"or.b16", "hhh"},
    {"not.b16", "hh"},           {"cnot.b16", "hh"},         {"shl.b32", "wwa"},
    {"shr.u32", "wwa"},          {"shr.s32", "wwa"},         {"shl.b64", "dda"},
    {"shr.u64", "dda"},          {"shr.s64", "dda"},         {"shl.b16", "hha"},
    {"shr.u16", "hha"},          {"shr.s16", "hha"},         {"shr.b32", "wwa"},
    {"shf.l.clamp.b32", "wwwa"}, {"shf.l.wrap.b32", "wwwa"}, {"shf.r.clamp.b32", "wwwa"},
    {"shf.r.wrap.b32", "wwwa"},  {"bfe.u32", "wwaa"},        {"bfe.s32", "wwaa"},
    {"bfe.u64", "ddaa"},         {"bfe.s64", "ddaa"},        {"bfi.b32", "wwwaa"},
    {"bfi.b64", "dddaa"},        {"brev.b32", "ww"},         {"brev.b64", "dd"},
    {"clz.b32", "ww"},           {"clz.b64", "wd"},          {"popc.b32", "ww"},
    {"popc.b64", "wd"},          {"bfind.u32", "ww"},        {"bfind.s32", "ww"},
    {"bfind.u64", "wd"},         {"bfind.s64", "wd"},        {"bfind.shiftamt.u32", "ww"},
    {"prmt.b32", "wwww"},        {"lop3.b32", "wwwwt"},      {"set.lt.u32.s32", "www"},
    {"set.gt.s32.u32", "www"},   {"set.eq.u32.u64", "wdd"},  {"set.le.and.u32.s32", "wwwp"},
    {"slct.u32.s32", "wwww"},    {"slct.b64.s32", "dddw"},   {"selp.b32", "wwwp"},
    {"selp.b64", "dddp"},        {"selp.b16", "hhhp"},       {"cvt.u32.u16", "wh"},
    {"cvt.s32.s16", "wh"},       {"cvt.u16.u32", "hw"},      {"cvt.s16.s32", "hw"},
    {"cvt.u32.s16", "wh"},       {"cvt.u8.u32", "ww"},       {"cvt.s8.s32", "ww"},
    {"cvt.s32.s8", "ww"},        {"cvt.u32.u8", "ww"},       {"cvt.s64.s8", "dw"},
    {"cvt.u64.u32", "dw"},       {"cvt.s64.s32", "dw"},      {"cvt.u64.s32", "dw"},
    {"cvt.u32.u64", "wd"},       {"cvt.s32.s64", "wd"},      {"cvt.sat.s16.s32", "hw"},
    {"cvt.sat.u16.s32", "hw"},   {"cvt.sat.u8.s32", "ww"},   {"cvt.sat.s8.u32", "ww"},
    {"cvt.sat.u32.s32", "ww"},   {"cvt.sat.s32.u32", "ww"},  {"cvt.sat.s32.s64", "wd"},
    {"cvt.sat.u32.s64", "wd"},   {"cvt.sat.u64.s32", "dw"},  {"cvt.s16.s8", "hh"},
    {"cvt.u16.u8", "hh"},        {"mov.u32", "ww"},          {"mov.b64", "dd"},
    {"mov.u16", "hh"},           {"setp.eq.u32", "pww"},     {"setp.ne.b32", "pww"},
    {"setp.lt.s32", "pww"},      {"setp.le.u32", "pww"},     {"setp.gt.s32", "pww"},
    {"setp.ge.u32", "pww"},      {"setp.lo.u32", "pww"},     {"setp.ls.u32", "pww"},
    {"setp.hi.u32", "pww"},      {"setp.hs.u32", "pww"},     {"setp.lt.s64", "pdd"},
    {"setp.gt.u64", "pdd"},      {"setp.lt.s16", "phh"},     {"setp.ge.u16", "phh"},
    {"setp.lt.and.s32", "pwwp"}, {"setp.gt.or.u32", "pwwp"}, {"setp.eq.xor.b32", "pwwp"},
    {"and.pred", "ppp"},         {"or.pred", "ppp"},         {"xor.pred", "ppp"},
    {"not.pred", "pp"},
};

constexpr std::array<const char*, 16> corners = {"0",  "1",  "2",   "-1",  "-2",    "3",      "7",     "31",
                                                 "32", "33", "255", "256", "32767", "-32768", "65535", "100"};
constexpr std::array<const char*, 6> word_corners = {"0x80000000", "0x7fffffff", "0xffff0000",
                                                     "0x12345678", "0xfffffff0", "0x00ffffff"};
constexpr std::array<const char*, 6> wide_corners = {"0x8000000000000000", "0x7fffffffffffffff", "0xffffffff00000000",
                                                     "0x0123456789abcdef", "0x100000000",        "0xfffffffffffffff0"};
constexpr std::array<const char*, 12> amounts = {"0", "1", "4", "5", "8", "16", "31", "32", "33", "63", "64", "255"};

class Opcodes {
 public:
  explicit Opcodes(Random& random) : random_(random), body_("O") {}
  std::string write();

 private:
  std::string fresh(char kind);
  std::string constant(char kind);
  std::string operand(char kind);
  void give(char kind, const std::string& instruction, const std::string& from);
  void compute();
  void compute_with_carry();
  void repack();
  std::string to_word(char kind, const std::string& value);
  void use(const std::string& word);
  void count_to(const std::string& word);
  void shift_away(const std::string& word);
  void choose_by(const std::string& word);
  void store_at(const std::string& word);

  Random& random_;
  Body body_;
  std::string pointer_;
  std::vector<std::pair<char, std::string>> values_;
};

std::string Opcodes::fresh(char kind) {
  switch (kind) {
    case 'h': return body_.half();
    case 'd': return body_.wide();
    case 'p': return body_.predicate();
    default: return body_.word();
  }
}

std::string Opcodes::constant(char kind) {
  if (kind == 'a') return random_.of(amounts);
  if (kind == 't') return std::to_string(random_.below(256));
  if (kind == 'd' && random_.chance(40)) return random_.of(wide_corners);
  if (kind == 'w' && random_.chance(40)) return random_.of(word_corners);
  return random_.of(corners);
}

// A value that is there already, mostly, or a constant.
std::string Opcodes::operand(char kind) {
  if (kind == 't') return constant(kind);
  const char wanted = kind == 'a' ? 'w' : kind;
  std::vector<std::string> fitting;
  for (const auto& [k, name] : values_) {
    if (k == wanted) fitting.push_back(name);
  }
  if (kind == 'p' || (!fitting.empty() && random_.chance(kind == 'a' ? 30 : 65))) return random_.of(fitting);
  return constant(kind);
}

void Opcodes::give(char kind, const std::string& instruction, const std::string& from) {
  const std::string name = fresh(kind);
  body_.line({instruction, " ", name, ", ", from});
  values_.emplace_back(kind, name);
}

void Opcodes::compute() {
  const Shape& shape = random_.of(shapes);
  const std::string kinds = shape.kinds;
  std::string text;
  for (size_t i = 1; i < kinds.size(); ++i) text += ", " + operand(kinds[i]);
  const std::string result = fresh(kinds[0]);
  const bool pair = kinds[0] == 'p' && std::string_view(shape.opcode).substr(0, 4) == "setp" && random_.chance(30);
  const std::string other = pair ? body_.predicate() : "";
  body_.line({shape.opcode, " ", result, pair ? "|" : "", other, text});
  values_.emplace_back(kinds[0], result);
  if (pair) values_.emplace_back('p', other);
}

void Opcodes::compute_with_carry() {
  const bool subtract = random_.chance(50);
  const std::string low = body_.word();
  const std::string high = body_.word();
  const std::string a = operand('w');
  const std::string b = operand('w');
  body_.line({subtract ? "sub.cc.u32 " : "add.cc.u32 ", low, ", ", a, ", ", b});
  body_.line({subtract ? "subc.u32 " : "addc.u32 ", high, ", ", operand('w'), ", ", operand('w')});
  values_.emplace_back('w', low);
  values_.emplace_back('w', high);
}

// Registers into a wider one, and back.
void Opcodes::repack() {
  const std::string d = body_.wide();
  const std::string w = body_.word();
  const std::string x = body_.word();
  const std::string h = body_.half();
  const std::string g = body_.half();
  body_.line({"mov.b64 ", d, ", {", operand('w'), ", ", operand('w'), "}"});
  body_.line({"mov.b32 {", h, ", ", g, "}, ", operand('w')});
  body_.line({"mov.b32 ", w, ", {", g, ", ", h, "}"});
  body_.line({"mov.b64 {_, ", x, "}, ", d});
  for (const std::string& word : {w, x}) values_.emplace_back('w', word);
  values_.emplace_back('d', d);
  values_.emplace_back('h', g);
}

std::string Opcodes::to_word(char kind, const std::string& value) {
  const std::string w = body_.word();
  switch (kind) {
    case 'h': body_.line({"cvt.u32.u16 ", w, ", ", value}); break;
    case 'd': {
      const std::string low = body_.word();
      const std::string high = body_.word();
      body_.line({"mov.b64 {", low, ", ", high, "}, ", value});
      body_.line({"xor.b32 ", w, ", ", low, ", ", high});
      break;
    }
    case 'p': body_.line({"selp.u32 ", w, ", 5, 2, ", value}); break;
    default: return value;
  }
  return w;
}

// A loop that runs as often as three bits of the word say, and once more.
void Opcodes::count_to(const std::string& word) {
  const std::string limit = body_.word();
  const std::string counter = body_.word();
  const std::string p = body_.predicate();
  const std::string head = body_.label();
  body_.line({"bfe.u32 ", limit, ", ", word, ", ", random_.pick({"0", "0", "1", "5", "29", "16"}), ", 3"});
  body_.line({"mov.u32 ", counter, ", 0"});
  body_.place(head);
  body_.line({"add.u32 ", counter, ", ", counter, ", 1"});
  body_.line({"setp.le.u32 ", p, ", ", counter, ", ", limit});
  body_.line({"@", p, " bra ", head});
}

// A loop that runs until no bit of the word is left.
void Opcodes::shift_away(const std::string& word) {
  const std::string rest = body_.word();
  const std::string p = body_.predicate();
  const std::string head = body_.label();
  body_.line({"mov.u32 ", rest, ", ", word});
  body_.place(head);
  body_.line({"shr.u32 ", rest, ", ", rest, ", ", random_.pick({"1", "2", "3"})});
  body_.line({"setp.ne.u32 ", p, ", ", rest, ", 0"});
  body_.line({"@", p, " bra ", head});
}

void Opcodes::choose_by(const std::string& word) {
  const std::string bit = body_.word();
  const std::string p = body_.predicate();
  const std::string other = body_.label();
  const std::string join = body_.label();
  body_.line({"and.b32 ", bit, ", ", word, ", ", random_.pick({"1", "2", "16", "-1"})});
  body_.line({"setp.ne.u32 ", p, ", ", bit, ", 0"});
  body_.line({"@", p, " bra ", other});
  body_.line({"st.global.u32 [", pointer_, "], ", word});
  body_.line({"bra ", join});
  body_.place(other);
  body_.line({"st.global.u32 [", pointer_, "+4], ", word});
  body_.line({"st.global.u32 [", pointer_, "+8], ", word});
  body_.place(join);
}

void Opcodes::store_at(const std::string& word) {
  const std::string index = body_.word();
  const std::string d = body_.wide();
  body_.line({"and.b32 ", index, ", ", word, ", ", random_.pick({"0xffff", "0xff", "7", "0xf0"})});
  body_.line({"mad.wide.u32 ", d, ", ", index, ", 4, ", pointer_});
  body_.line({"st.global.u32 [", d, "], ", word});
}

void Opcodes::use(const std::string& word) {
  switch (random_.below(4)) {
    case 0: return count_to(word);
    case 1: return shift_away(word);
    case 2: return choose_by(word);
    default: return store_at(word);
  }
}

std::string Opcodes::write() {
  pointer_ = body_.wide();
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  give('w', "mov.u32", random_.pick({"%tid.x", "%tid.x", "%laneid", "%tid.y"}));
  if (random_.chance(40)) give('w', "ld.param.u32", random_.pick({"[n]", "[m]"}));
  give('w', "mov.u32", constant('w'));
  give('d', "mov.u64", constant('d'));
  give('h', "mov.u16", constant('h'));
  give('p', "setp.lt.u32", operand('w') + ", " + operand('w'));
  for (int round = 0; round < 4; ++round) {
    for (int64_t i = random_.between(1, 4); i > 0; --i) compute();
    if (random_.chance(15)) compute_with_carry();
    if (random_.chance(15)) repack();
    const auto& [kind, value] = random_.chance(70) ? values_.back() : random_.of(values_);
    use(to_word(kind, value));
  }
  return body_.text();
}

}  // namespace

Experiment opcode_experiment(uint64_t seed) {
  Random random(seed);
  const std::string body = Opcodes(random).write();
  return experiment_of(kernel_text("", body), random);
}

}  // namespace warpspan::reference
