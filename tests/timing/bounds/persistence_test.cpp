// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/persistence.hpp"

#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/launch/launch.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using Kind = solver::Part::Kind;

namespace {

// A copy of one word by each thread, and what its pricing needs.
struct Copy {
  frontend::AnalyzedKernel kernel;
  Machine machine;
  Load load;
  ConstantReads code;
  Footprint touched;

  explicit Copy(int64_t blocks) : machine(*load_machine("ampere")) {
    const std::string text =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
        ".reg .b32 %r<4>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\n"
        "cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd2, %rd2;\nmov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
        "ld.global.u32 %r2, [%rd4];\nst.global.u32 [%rd5], %r2;\nret;\n}\n";
    ir::Launch launch;
    launch.block = ir::Extent{64, 1, 1};
    launch.grid = ir::Extent{blocks, 1, 1};
    auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), {}, launch);
    REQUIRE(reading.kernels.size() == 1);
    kernel = std::move(reading.kernels.front());
    load = *load_of(kernel.kernel, kernel.launch, machine);
    code = with_constant_reads(kernel.kernel, kernel.flow, true);
    touched = footprint(kernel.kernel, kernel.flow, load, machine);
  }

  std::shared_ptr<const PricedWarp> price(const Persistence& cached,
                                          std::shared_ptr<const PricedWarp> last = nullptr) const {
    const auto warp = price_warp(kernel.kernel, code, touched, machine, {{}, Order::given, cached}, std::move(last));
    REQUIRE(warp);
    return *warp;
  }

  std::vector<solver::PathTerm> terms(const PricedWarp& warp, int64_t multiprocessors = 1) const {
    Demand demand;
    demand.critical_path = warp.worst;
    const auto found = add_persistence(kernel.kernel, demand, warp, {}, load, machine, multiprocessors);
    REQUIRE(found);
    CHECK(found->critical_path == warp.worst);
    return found->path_terms;
  }
};

}  // namespace

TEST_CASE("what is not cached is no term of the path") {
  const Copy copy(1);
  CHECK(copy.terms(*copy.price({})).empty());
}

TEST_CASE("lines of constants are waited for once, whoever is analysed, on each multiprocessor") {
  const Copy copy(8);
  const auto cached = copy.price({true, false, {}});
  const auto terms = copy.terms(*cached);
  REQUIRE(terms.size() == 1);
  CHECK(terms[0].kind == Kind::constants);
  CHECK(terms[0].each == 0);
  CHECK(terms[0].once > 0);
  CHECK(copy.terms(*cached, 2)[0].once > terms[0].once);
  CHECK(cached->worst < copy.price({})->worst);
}

TEST_CASE("lines of data are each waited for once by a warp that reads them, and served once") {
  const Copy copy(8);
  const auto counted = copy.price({true, true, {}});
  const auto terms = copy.terms(*counted);
  REQUIRE(terms.size() == 2);
  CHECK(terms[0].kind == Kind::constants);
  CHECK(terms[1].kind == Kind::data);
  CHECK(terms[1].each == 0);
  REQUIRE_FALSE(copy.kernel.flow.objects.empty());
  const auto waited = copy.price({true, true, {0}});
  CHECK(copy.terms(*waited)[1].each == waited->first_misses);
  CHECK(copy.terms(*waited)[1].once == terms[1].once);
  CHECK(waited->worst <= counted->worst);
}

TEST_CASE("a warp is priced anew only where the scenario changes something of it") {
  const Copy copy(1);
  const auto warp = copy.price({});
  CHECK(copy.price({}, warp) == warp);
  CHECK(copy.price({true, false, {}}, warp) != warp);
}
