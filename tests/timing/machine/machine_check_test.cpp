// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"
#include "timing/machine/check.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using ir::OperationKind;

TEST_CASE("a report on a machine") {
  const MachineReport report = check_machine(machine_of(std::string(small)));
  CHECK(report.missing.size() == static_cast<size_t>(ir::operation_kinds) - 3);
  CHECK(report.partial.empty());
  CHECK(report.tables == std::array<int64_t, kinds_of_evidence>{2, 3, 2, 3});
  REQUIRE(report.ranges.size() == 3);
  CHECK(report.ranges[0].figure == "worst latency");
  CHECK(report.ranges[0].least == 18);
  CHECK(report.ranges[0].largest == 500);
  CHECK(report.ranges[1].figure == "gap");
  CHECK(report.ranges[1].least == 6);
  CHECK(report.ranges[1].largest == 34);
  CHECK(report.ranges[2].figure == "machine instructions");
  CHECK(report.ranges[2].least == 1);
  CHECK(report.ranges[2].largest == 3);
  CHECK(report.remarks ==
        std::vector<std::string>{
            "no figures of instruction fetch: code is taken to be there in time",
            "no resource has service times of lines: accesses occupy the same wherever their addresses lie",
            "no figures of data caches: every access is taken to miss them"});
}

TEST_CASE("a report remarks on what is seldom meant") {
  std::string text = changed("BOOK = \"a book\"", "BOOK = \"a book\"\nLORE = \"hearsay\"");
  text.replace(text.find("[operation.set]"), 0,
               "[resource.spare]\nservers = 1\nsharing = \"device\"\nstanding = \"assumed\"\nsource = \"a guess\"\n\n"
               "[operation.\"fp32.div\"]\nlatency = 17\nstanding = \"assumed\"\nsource = \"a guess\"\n\n");
  text.replace(text.find("kinds = [\"int.add\"]"), 19, "kinds = [\"move\"]");
  const MachineReport report = check_machine(machine_of(text));
  CHECK(report.partial == std::vector<OperationKind>{OperationKind::move});
  CHECK(report.remarks ==
        std::vector<std::string>{
            "fp32 is slower than fp32.div: 18 and 17 cycles at worst",
            "no figures of instruction fetch: code is taken to be there in time",
            "no resource has service times of lines: accesses occupy the same wherever their addresses lie",
            "no figures of data caches: every access is taken to miss them", "no operation occupies resource 'spare'",
            "nothing cites source 'LORE'"});
}
