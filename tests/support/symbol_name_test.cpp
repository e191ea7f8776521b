// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/symbol_name.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::support;

TEST_CASE("a mangled name is read, another one stays") {
  CHECK(demangled("_Z6reduceILi512EEvPKfPfi") == "void reduce<512>(float const*, float*, int)");
  CHECK(demangled("saxpy") == "saxpy");
  CHECK(demangled("i") == "i");
  CHECK(demangled("_Zbroken") == "_Zbroken");
  CHECK(demangled("") == "");
}

TEST_CASE("a short name has neither return type nor parameters") {
  CHECK(short_name("_Z6reduceILi512EEvPKfPfi") == "reduce<512>");
  CHECK(short_name("_Z5saxpyifPKfPf") == "saxpy");
  CHECK(short_name("_ZN2ns4kernEPi") == "ns::kern");
  CHECK(short_name("_ZN12_GLOBAL__N_14kernEPi") == "(anonymous namespace)::kern");
  CHECK(short_name("_Z4kernIPFiiEEvT_") == "kern<int (*)(int)>");
  CHECK(short_name("saxpy") == "saxpy");
}

TEST_CASE("a symbol is meant by each of its names and by patterns of them") {
  const std::string name = "_Z6reduceILi512EEvPKfPfi";
  for (const char* pattern : {"_Z6reduceILi512EEvPKfPfi", "reduce<512>", "void reduce<512>(float const*, float*, int)",
                              "reduce", "reduce<*", "*reduce*", "*"}) {
    CAPTURE(pattern);
    CHECK(names_symbol(pattern, name));
  }
  for (const char* pattern : {"reduce<128>", "", "educe<512>", "reduc"}) {
    CAPTURE(pattern);
    CHECK_FALSE(names_symbol(pattern, name));
  }
  CHECK(names_symbol("kern", "_Z4kernIPFiiEEvT_"));
  CHECK(names_symbol("outer<3>::inner", "_ZN5outerILi3EE5innerILi4EEEvv"));
  CHECK_FALSE(names_symbol("outer", "_ZN5outerILi3EE5innerILi4EEEvv"));
}

TEST_CASE("a misspelt symbol is found") {
  CHECK(nearest_symbol("redcue<512>", {"saxpy", "_Z6reduceILi512EEvPKfPfi"}) == "reduce<512>");
  CHECK(nearest_symbol("saxby", {"saxpy"}) == "saxpy");
  CHECK(nearest_symbol("nothing", {"saxpy"}).empty());
}

TEST_CASE("a long name is shortened, and what it is shortened to names it") {
  const std::string many =
      "ILi1001ELi1002ELi1003ELi4ELi5ELi6ELi7ELi8ELi9ELi10ELi11ELi12ELi13ELi14ELi15ELi16ELi17ELi18ELi19ELi20ELi21ELi22E";
  const std::string name = "_Z4scan" + many + "Li23ELi24ELi25EEvPf", other = "_Z4scan" + many + "Li23ELi24ELi26EEvPf";
  const std::string brief = brief_name(name);
  CHECK(brief.substr(0, 5) == "scan@");
  CHECK(brief.size() == 15);
  CHECK(names_symbol(brief, name));
  CHECK_FALSE(names_symbol(brief, other));
  CHECK(quoted_symbol(name) == "'" + brief + "'");
  CHECK(brief_name("saxpy") == "saxpy");
  CHECK(brief_name("_Z6reduceILi512EEvPKfPfi") == "reduce<512>");
  CHECK(brief_name(std::string(3000, 'k')).size() == 71);
}
