// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/fact_kind.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace warpspan;
using namespace warpspan::app;

namespace {

// What such a fact may be given as.
const char* example_of(ir::UserFact fact) {
  switch (fact) {
    case ir::UserFact::block: return "32,2";
    case ir::UserFact::grid: return "7";
    case ir::UserFact::registers: return "40";
    case ir::UserFact::shared: return "48K";
    case ir::UserFact::argument: return "n=1..4096";
    case ir::UserFact::global: return "table[3]=u32:7";
    case ir::UserFact::initialisers: return "";
    case ir::UserFact::buffer: return "x=64M";
    case ir::UserFact::interference: return "0.3";
    case ir::UserFact::loop_bound: return "k.cu:42 from k.cu:9=16";
    case ir::UserFact::wait: return "k.cu:43=2us";
    case ir::UserFact::call_cost: return "vprintf=20us";
    case ir::UserFact::recursion: return "fibonacci=12";
  }
  return "";
}

ir::Launch given(const FactKind& kind, const std::string& text, const ir::Origin& origin = {"--option"}) {
  ir::Launch launch;
  const support::Diagnostics errors = kind.read({kind.option, text, origin}, launch);
  for (const support::Diagnostic& error : errors) UNSCOPED_INFO(error.message);
  CHECK(errors.empty());
  return launch;
}

}  // namespace

TEST_CASE("each kind of fact has a row, and a spelling of its own") {
  std::set<std::string_view> options, keys;
  for (size_t i = 0; i < fact_kinds().size(); ++i) {
    const FactKind& kind = fact_kinds()[i];
    INFO(kind.option);
    CHECK(kind.fact == static_cast<ir::UserFact>(i));
    CHECK(&kind_of(kind.fact) == &kind);
    CHECK(std::string_view(kind.option).starts_with("--"));
    CHECK(options.insert(kind.option).second);
    CHECK(keys.insert(kind.key).second);
    CHECK(std::string_view(kind.help).size() > 20);
    CHECK((kind.form == FactKind::Form::flag) == std::string_view(kind.value).empty());
    CHECK((kind.form == FactKind::Form::pairs) == (kind.named_by != nullptr));
    CHECK((kind.form == FactKind::Form::pairs) == (kind.key_form == FactKind::Key::pairs));
  }
}

TEST_CASE("what is read changes the launch, and a fact is the same wherever it was given") {
  for (const FactKind& kind : fact_kinds()) {
    INFO(kind.option);
    const ir::Launch launch = given(kind, example_of(kind.fact));
    CHECK(launch != ir::Launch());
    CHECK(launch == given(kind, example_of(kind.fact), {"", {"budgets.toml", 3, 1}, "line"}));
    if (kind.named_by == nullptr) continue;
    const std::string text = example_of(kind.fact);
    CHECK(kind.named_by(text) == text.substr(0, text.rfind('=')));
  }
}

TEST_CASE("errors begin with what gave the fact") {
  for (const FactKind& kind : fact_kinds()) {
    if (kind.form == FactKind::Form::flag) continue;
    ir::Launch launch;
    for (const char* wrong : {"", "x", "=", "=1", "x=", "x=-", "0x", "-1"}) {
      const support::Diagnostics errors = kind.read({"'key'", wrong, {}}, launch);
      INFO(kind.option << " " << wrong);
      REQUIRE(errors.size() == 1);
      CHECK(errors.front().message.starts_with("'key': "));
      CHECK(errors.front().cause == support::Cause::usage);
    }
  }
}

TEST_CASE("facts of a launch are appended list by list") {
  ir::Launch all;
  size_t lists = 0;
  for (const FactKind& kind : fact_kinds()) ir::append_facts(all, given(kind, example_of(kind.fact)));
  ir::for_each_list(all, [&lists](const auto& facts) {
    CHECK(!facts.empty());
    ++lists;
  });
  CHECK(lists == 6);
  CHECK(all.loop_bounds.size() == 2);
  CHECK_FALSE(all.block);
}
