// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels are the same: whatever is read of one and differs makes it another.
#include "frontend/object/kernel_identity.hpp"

#include <set>

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

TEST_CASE("kernels are the same where nothing that is read of them differs") {
  const std::string& bytes = kept(sample("kernels.sm_80.cubin"));
  const auto read = read_cubin({"kernels", bytes});
  REQUIRE(read);
  std::set<std::string> all;
  for (const Function& function : read->functions) all.insert(identity_of(*read, function));
  CHECK(all.size() == read->functions.size());

  const std::string own = identity_of(*read, read->functions.front());
  CHECK(identity_of(*read_cubin({"others", bytes}), read->functions.front()) != "");
  const auto changed = [&](const auto& change) {
    Cubin other = *read;
    change(other, other.functions.front());
    return identity_of(other, other.functions.front()) != own;
  };
  CHECK_FALSE(changed([](Cubin&, Function&) {}));
  CHECK(changed([](Cubin& cubin, Function&) { cubin.architecture.number = 86; }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.name = "other"; }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.code = kernel.code.substr(16); }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.registers = 250; }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.min_stack_bytes.reset(); }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.shared_bytes += 4; }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.max_threads = {1, 2, 3}; }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.parameters.push_back({9, 9, 9}); }));
  CHECK(changed([](Cubin&, Function& kernel) { kernel.relocations.push_back({}); }));
  CHECK(changed([](Cubin& cubin, Function&) { cubin.constants.push_back({3, "", {}, "table", {}}); }));
}
