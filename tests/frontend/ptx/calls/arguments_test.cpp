// SPDX-License-Identifier: GPL-3.0-or-later
// What calls pass and get back: vector registers, results that nobody wants. As ptxas 13.5 accepts and refuses them.
#include "frontend/ptx/calls/expand_calls.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::errors_of;
using test::header;
using test::kernel;
using test::module_of;

namespace {

// The words that the kernel consists of with its calls expanded; `limits` say whether it shares the bodies.
std::string words(const std::string& text, const ptx::SharingLimits& limits = {}) {
  const ptx::Module module = module_of(text);
  const auto function = ptx::expand_calls(module, module.functions.back(), limits);
  REQUIRE(function.ok());
  std::string all;
  for (const ptx::Instruction& instruction : function->instructions) all += instruction.form->text + " ";
  return all;
}

void refuses(const std::string& text, const std::string& message) {
  const std::string errors = errors_of(header + text);
  INFO(errors);
  CHECK(errors.find(message) != std::string::npos);
}

const std::string pack =
    ".func (.reg .v2 .u32 r) pack (.reg .v2 .u32 v) { add.u32 r.x, v.y, 1; mov.u32 r.y, v.x; ret; }\n";
constexpr ptx::SharingLimits share_all = {0, 0};

}  // namespace

TEST_CASE("vector registers are passed and come back element by element") {
  const std::string text = pack + kernel(".reg .v2 .b32 a; .reg .v2 .u32 b;\ncall (b), pack, (a); ret;");
  CHECK(words(text) == "call mov.b32 mov.b32 add.u32 mov.u32 bra mov.b32 mov.b32 ret ");
  CHECK(words(text, share_all) == "mov.b32 mov.b32 call mov.b32 mov.b32 ret ");
}

TEST_CASE("a vector register is passed as one of as many elements of its width") {
  refuses(pack + kernel(".reg .v4 .u32 a;\ncall (_), pack, (a);"), "argument 1 is not of the type that 'pack' has");
  refuses(pack + kernel(".reg .v2 .u16 a;\ncall (_), pack, (a);"), "argument 1 is not of the type that 'pack' has");
  refuses(pack + kernel("call (_), pack, (%r1);"), "argument 1 is not of the type that 'pack' has");
  refuses(pack + kernel(".reg .v2 .u32 a;\ncall (%r1), pack, (a);"), "result 1 is not of the type that 'pack' has");
  refuses(".func f (.reg .u32 a) { ret; }\n" + kernel(".reg .v2 .u32 a;\ncall f, (a);"),
          "argument 1 is not of the type that 'f' has");
}

TEST_CASE("a result that nobody wants is copied nowhere") {
  const std::string f = ".func (.param .b32 r) f (.param .b32 a) { st.param.b32 [r], 1; ret; }\n";
  const std::string call = kernel("{ .param .b32 x; st.param.b32 [x], 1; call (_), f, (x); } ret;");
  CHECK(words(f + call) == "st.param.b32 call st.param.b32 bra ret ");
  CHECK(words(f + call, share_all) == "st.param.b32 call ret ");
  const std::string g = ".func (.reg .b32 r, .reg .b32 s) g () { mov.b32 r, 1; mov.b32 s, 2; ret; }\n";
  CHECK(words(g + kernel("call (_, %r1), g, (); ret;")) == "call mov.b32 mov.b32 bra mov.b32 ret ");
  refuses(f + kernel("call (_), f, (_);"), "there is nothing to read in '_'");
  refuses(".func h () { ret; }\n" + kernel("call (_), h, ();"), "'h' has 0 results, not 1");
}
