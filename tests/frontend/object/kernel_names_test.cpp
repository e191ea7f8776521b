// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of images, without reading the rest of them.
#include "frontend/object/kernel_names.hpp"

#include "frontend/object/cubin.hpp"
#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

using Names = std::vector<std::string>;

TEST_CASE("a cubin's kernels are those that reading all of it finds") {
  for (const char* name :
       {"kernels.former.sm_80.cubin", "kernels.sm_75.cubin", "kernels.sm_80.cubin", "kernels.sm_90.cubin",
        "kernels.sm_100.cubin", "linked.sm_80.cubin", "clusters.sm_90.cubin", "inlined.sm_120.cubin"}) {
    INFO(name);
    const std::string& bytes = kept(sample(name));
    const auto names = kernels_of_cubin({name, bytes});
    const auto cubin = read_cubin({name, bytes});
    REQUIRE(names);
    REQUIRE(cubin);
    Names all, sorted = *names;
    for (const Function& function : cubin->functions) {
      if (function.entry) all.emplace_back(function.name);
    }
    std::sort(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == all);
  }
  CHECK_FALSE(kernels_of_cubin({"text", "no cubin"}));
}

TEST_CASE("words behind .entry are the kernels of PTX, and perhaps more") {
  CHECK(words_behind_entry(".visible .entry a(\n.entry\tb_$1 { } .entry/* c */ d// .entry e\n(").size() == 4);
  CHECK(words_behind_entry(".entry a() .entry a()") == Names{"a"});
  CHECK(words_behind_entry(".entry // x\n/* y */ z()") == Names{"z"});
  for (const char* cut : {"", ".entry", ".entry ", ".entry /* a", ".entry // a", ".entry ("}) {
    CHECK(words_behind_entry(cut).empty());
  }
}
