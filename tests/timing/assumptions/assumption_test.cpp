// SPDX-License-Identifier: GPL-3.0-or-later
// The table of assumptions.
#include "timing/assumptions/assumption.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace warpspan;
using timing::Assumption;
using timing::AssumptionSet;
using timing::Subject;

TEST_CASE("granting an assumption grants what it contains, and nothing else") {
  for (const std::string_view name : timing::assumption_names()) {
    const Assumption one = *timing::assumption_named(name);
    AssumptionSet assumed;
    assumed.assume(one);
    for (const std::string_view other : timing::assumption_names()) {
      INFO(name << ", " << other);
      const bool is_contained = name == other || ((name == "stream" || name == "few") && other == "spread") ||
                                ((name == "keeps" || name == "recent") && other == "keeps-constants") ||
                                (name == "recent" && other == "keeps");
      CHECK(assumed.has(*timing::assumption_named(other)) == is_contained);
    }
  }
  CHECK_FALSE(timing::assumption_named("spreads"));
}

TEST_CASE("a sentence ends with the option that grants it, and no two assumptions share name or sentence") {
  std::set<std::string_view> names, sentences;
  for (const std::string_view name : timing::assumption_names()) {
    const std::string_view sentence = timing::sentence(*timing::assumption_named(name));
    CHECK(sentence.ends_with("(--assume " + std::string(name) + ")."));
    names.insert(name);
    sentences.insert(sentence);
  }
  CHECK(names.size() == timing::assumptions);
  CHECK(sentences.size() == timing::assumptions);
}

TEST_CASE("identifiers begin sentences, are told apart, and stay what they are") {
  CHECK(timing::identifier_of(Assumption::ptx_order) == "A-01");
  CHECK(timing::identifier_of(Assumption::keeps) == "A-11");
  std::set<std::string_view> identifiers;
  for (const std::string_view name : timing::assumption_names()) {
    const Assumption one = *timing::assumption_named(name);
    CHECK(timing::name_of(one) == name);
    CHECK(identifiers.insert(timing::identifier_of(one)).second);
    CHECK(timing::sentence(one).starts_with(std::string(timing::identifier_of(one)) + ": "));
  }
}

TEST_CASE("a grant has what it names, and on a machine what is usual there, if that is asked for") {
  AssumptionSet usual;
  usual.assume(Assumption::spread);
  timing::Grant grant;
  grant.assume(Assumption::aligned);
  AssumptionSet aligned;
  aligned.assume(Assumption::aligned);
  CHECK(grant.on(usual) == aligned);
  grant.assume_usual();
  CHECK_FALSE(grant.has(Assumption::spread));
  CHECK(grant.on(usual).has(Assumption::spread));
  CHECK(grant.on(usual).has(Assumption::aligned));
  CHECK(grant.on({}) == aligned);
  CHECK_FALSE(timing::all_rungs().has(Assumption::no_spills));
  for (const timing::RungRow& row : timing::rung_rows()) CHECK(timing::all_rungs().has(row.assumption));
}

TEST_CASE("beyond a call of an unknown function, nothing holds that rests on what caches keep") {
  AssumptionSet all;
  for (const std::string_view name : timing::assumption_names()) all.assume(*timing::assumption_named(name));
  const AssumptionSet over = all.over_calls();
  for (const std::string_view name : timing::assumption_names()) {
    INFO(name);
    const bool ends = name == "keeps" || name == "recent" || name == "keeps-constants" || name == "warm-code" ||
                      name == "keeps-pages" || name == "warm-parameters";
    CHECK(over.has(*timing::assumption_named(name)) == !ends);
  }
  CHECK(AssumptionSet().over_calls() == AssumptionSet());
}

TEST_CASE("each assumption is about one subject, and a set has parts by subject") {
  AssumptionSet assumed;
  assumed.assume(Assumption::stream);
  assumed.assume(Assumption::keeps);
  AssumptionSet of_accesses;
  of_accesses.assume(Assumption::stream);
  CHECK(assumed.about(Subject::accesses) == of_accesses);
  CHECK(assumed.about(Subject::caches).has(Assumption::keeps));
  CHECK_FALSE(assumed.about(Subject::caches).has(Assumption::keeps_constants));
  CHECK(assumed.about(Subject::textures) == AssumptionSet());
  size_t all = 0;
  for (const Subject subject : {Subject::scheduling, Subject::code, Subject::constants, Subject::accesses,
                                Subject::caches, Subject::textures, Subject::registers, Subject::requests}) {
    for (const Assumption one : timing::assumptions_about(subject)) CHECK(timing::subject_of(one) == subject);
    all += timing::assumptions_about(subject).size();
  }
  CHECK(all == timing::assumptions);
}

TEST_CASE("a rung stands behind those that it contains, and none stands twice") {
  AssumptionSet assumed;
  for (const timing::RungRow& row : timing::rung_rows()) {
    CHECK_FALSE(assumed.has(row.assumption));
    CHECK_FALSE(row.words.empty());
    AssumptionSet contained;
    contained.assume(row.assumption);
    assumed.add(row.assumption);
    for (const timing::RungRow& other : timing::rung_rows()) {
      if (contained.has(other.assumption)) CHECK(assumed.has(other.assumption));
    }
  }
}
