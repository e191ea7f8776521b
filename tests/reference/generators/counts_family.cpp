// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with loops that count in every way: up, down, in strides of the block or of the grid, by shifts and products,
// in integers of each width; from and to any value; tested by every comparison, at the top or at the bottom. Some wrap
// around, some never end: what must not happen is that one is said to end sooner than it does.
#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/kernel_text.hpp"

namespace warpspan::reference {

namespace {

class Counts {
 public:
  explicit Counts(Random& random) : random_(random), body_("C") {}
  std::string write();

 private:
  // Integers of the loop at hand: "16", "32" or "64", and a register of that width.
  std::string fresh() { return width_ == "16" ? body_.half() : width_ == "64" ? body_.wide() : body_.word(); }
  std::string converted(const std::string& word);
  std::string constant();
  std::string value();
  void advance(const std::string& counter);
  std::string goes_on(const std::string& counter, const std::string& limit, bool upwards);
  void loop(int depth);
  void body(int depth);

  Random& random_;
  Body body_;
  std::string width_;
  std::string pointer_;
  std::vector<std::string> words_;  // what counters may begin with, step by, and go to
  bool upwards_ = true;
};

std::string Counts::converted(const std::string& word) {
  if (width_ == "32") return word;
  const std::string r = fresh();
  const std::string sign = random_.pick({"u", "s"});
  body_.line({"cvt.", sign, width_, ".", sign, "32 ", r, ", ", word});
  return r;
}

std::string Counts::constant() {
  if (random_.chance(75)) return std::to_string(random_.between(0, 40));
  if (width_ == "16") return random_.pick({"32767", "32760", "-32768", "65535", "65500", "-5"});
  if (width_ == "64") return random_.pick({"0x7fffffffffffffff", "-1", "-7", "0xffffffff", "0x100000000"});
  return random_.pick({"0x7fffffff", "0x7ffffff0", "0x80000000", "0xffffffff", "0xfffffff0", "-5"});
}

// A value of the width: a constant, or one of the words changed a little.
std::string Counts::value() {
  const std::string r = fresh();
  if (random_.chance(45)) {
    body_.line({"mov.b", width_, " ", r, ", ", constant()});
    return r;
  }
  const std::string word = converted(random_.of(words_));
  const std::string by = std::to_string(random_.between(1, 5));
  switch (random_.below(4)) {
    case 0: body_.line({"add.s", width_, " ", r, ", ", word, ", ", constant()}); break;
    case 1: body_.line({"sub.s", width_, " ", r, ", ", std::to_string(random_.between(0, 40)), ", ", word}); break;
    case 2: body_.line({"mul.lo.s", width_, " ", r, ", ", word, ", ", by}); break;
    default: return word;
  }
  return r;
}

void Counts::advance(const std::string& counter) {
  const auto change = [&](const std::string& opcode, const std::string& by) {
    body_.line({opcode, width_, " ", counter, ", ", counter, ", ", by});
  };
  const std::string few = std::to_string(random_.between(1, 3));
  upwards_ = true;
  switch (random_.below(12)) {
    case 0: return change("add.s", converted(words_[random_.below(2)]));
    case 1: return change("shl.b", few);
    case 2: return change("mul.lo.s", random_.pick({"2", "3", "5"}));
    case 3: upwards_ = false; return change(random_.pick({"shr.u", "shr.s"}), few);
    case 4:
    case 5: upwards_ = false; return change("sub.s", few);
    case 6: upwards_ = false; return change("add.s", "-" + few);
    case 7: {  // takes the lowest bit away
      upwards_ = false;
      const std::string less = fresh();
      body_.line({"add.s", width_, " ", less, ", ", counter, ", -1"});
      return change("and.b", less);
    }
    case 8: return change("add.s", width_ == "16" ? "4096" : width_ == "64" ? "0x1000000000000000" : "0x10000000");
    default: return change("add.s", std::to_string(random_.between(1, 7)));
  }
}

// A predicate under which the loop goes on; mostly one that ends some time.
std::string Counts::goes_on(const std::string& counter, const std::string& limit, bool upwards) {
  const std::string p = body_.predicate();
  const std::string type = random_.pick({"s", "u"}) + width_;
  const std::string compare = random_.chance(20)   ? random_.pick({"ne", "eq", "lt", "gt"})
                              : random_.chance(20) ? "ne"
                              : upwards            ? random_.pick({"lt", "le"})
                                                   : random_.pick({"gt", "ge"});
  body_.line({"setp.", compare, ".", type, " ", p, ", ", counter, ", ", limit});
  return p;
}

void Counts::body(int depth) {
  for (int64_t i = random_.between(0, 2); i > 0; --i) {
    body_.line({"st.global.u32 [", pointer_, "], ", random_.of(words_)});
  }
  if (depth < 2 && random_.chance(25)) loop(depth + 1);
}

void Counts::loop(int depth) {
  const std::string width = width_ = random_.pick({"16", "32", "32", "32", "64"});
  const std::string counter = fresh();
  const std::string first = value();
  const std::string limit = value();
  const std::string head = body_.label();
  const std::string out = body_.label();
  body_.line({"mov.b", width_, " ", counter, ", ", first});
  const auto go_back = [&] {
    width_ = width;  // that of the counter, not of a loop inside
    advance(counter);
    body_.line({"@", goes_on(counter, limit, upwards_), " bra ", head});
  };
  const bool guarded = random_.chance(40);
  const bool upwards = random_.chance(70);
  switch (random_.below(3)) {
    case 0:
      if (guarded) body_.line({"@!", goes_on(counter, limit, upwards), " bra ", out});
      body_.place(head);
      body(depth);
      go_back();
      break;
    case 1:
      body_.place(head);
      body_.line({"@!", goes_on(counter, limit, upwards), " bra ", out});
      body(depth);
      width_ = width;
      advance(counter);
      body_.line({"bra ", head});
      break;
    default:  // two ways out
      body_.place(head);
      body(depth);
      width_ = "32";
      body_.line({"@!", goes_on(random_.of(words_), random_.of(words_), true), " bra ", out});
      go_back();
      break;
  }
  body_.place(out);
  if (width == "32") words_.push_back(counter);
}

std::string Counts::write() {
  pointer_ = body_.wide();
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  const auto give = [&](const std::string& instruction, const std::string& from) {
    words_.push_back(body_.word());
    body_.line({instruction, " ", words_.back(), ", ", from});
    return words_.back();
  };
  const std::string threads = give("mov.u32", "%ntid.x");
  const std::string blocks = give("mov.u32", "%nctaid.x");
  const std::string tid = give("mov.u32", "%tid.x");
  const std::string block = give("mov.u32", "%ctaid.x");
  give("ld.param.u32", "[m]");
  const std::string linear = body_.word();
  body_.line({"mad.lo.u32 ", linear, ", ", block, ", ", threads, ", ", tid});
  words_.push_back(linear);
  body_.line({"mul.lo.u32 ", blocks, ", ", blocks, ", ", threads});
  if (random_.chance(10)) give("ld.param.u32", "[n]");
  for (int64_t i = random_.between(1, 2); i > 0; --i) loop(1);
  return body_.text();
}

}  // namespace

Experiment count_experiment(uint64_t seed) {
  Random random(seed);
  const std::string body = Counts(random).write();
  Experiment experiment = experiment_of(kernel_text("", body), random);
  experiment.launch.grid = experiment.launch.grid.value_or(ir::Extent{2, 1, 1});
  experiment.most_steps = 20'000;
  return experiment;
}

}  // namespace warpspan::reference
