// SPDX-License-Identifier: GPL-3.0-or-later
// Assemblers as users have them, played by shells.
#include "app/requests/tools/assembler.hpp"

#include <catch2/catch.hpp>

#include "app/requests/kernels/compilation.hpp"
#include "tests/app/fake_assembler.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using test::contains;
using test::TemporaryFolder;
using Words = std::vector<std::string>;

const support::SourceFile ptx("k.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");

}  // namespace

TEST_CASE("the target that an assembler's words name") {
  CHECK(target_in({"ptxas", "-O3"}).empty());
  CHECK(target_in({"ptxas", "-arch=sm_80"}) == "sm_80");
  CHECK(target_in({"ptxas", "-arch", "sm_86", "-v"}) == "sm_86");
  CHECK(target_in({"ptxas", "--gpu-name", "sm_90a"}) == "sm_90a");
  CHECK(target_in({"ptxas", "--gpu-name=sm_90a"}) == "sm_90a");
  CHECK(target_in({"ptxas", "-archive"}).empty());
}

TEST_CASE("PTX is assembled for its own target, or for the devices' if these are later") {
  Compilation how;
  CHECK(assembled_target("sm_80", how, {}) == "sm_80");
  CHECK(assembled_target("sm_80", how, {"sm_86"}) == "sm_86");
  CHECK(assembled_target("sm_90a", how, {"sm_90"}) == "sm_90a");
  CHECK(assembled_target("sm_50", how, {"sm_50", "sm_52"}) == "sm_50");
  CHECK(assembled_target("sm_90", how, {"sm_80"}) == "sm_90");
  how.assembler = {"ptxas", "-arch=sm_75"};
  CHECK(assembled_target("sm_80", how, {"sm_86"}) == "sm_75");
}

TEST_CASE("an assembler gets its words, the target and the files, and what it prints is about the PTX") {
  const TemporaryFolder folder;
  const Words as = {test::fake_assembler(folder, "as", "cp \"$in\" \"$out\"", "line\nx release 1.2"), "-O3"};
  Assemblies assemblies;
  const auto made = assemblies.assemble(as, "sm_80", ptx, nullptr);
  REQUIRE(made);
  CHECK(made->cubin == ptx.bytes());
  CHECK(made->run.command == as[0] + " -O3 -arch=sm_80");
  CHECK(made->run.version == "line\nx release 1.2");
  CHECK(contains(trust_in(made->run), "(x release 1.2)"));
  CHECK(test::read_file(folder.file("as.words")) == "-O3 -arch=sm_80 -o kernels.cubin kernels.ptx\n");
  REQUIRE(assemblies.assemble(as, "sm_80", ptx, nullptr));
  REQUIRE(assemblies.assemble(as, "sm_86", ptx, nullptr));
  CHECK(test::read_file(folder.file("as.words")) ==
        "-O3 -arch=sm_80 -o kernels.cubin kernels.ptx\n-O3 -arch=sm_86 -o kernels.cubin kernels.ptx\n");
  const Words fails = {test::fake_assembler(folder, "fails", "echo \"$in:7: no\" >&2; exit 2")};
  const auto failed = assemblies.assemble(fails, "sm_80", ptx, nullptr);
  REQUIRE_FALSE(failed);
  REQUIRE(failed.errors().size() == 2);
  CHECK(failed.errors()[0].message == "'" + fails[0] + " -arch=sm_80' failed with exit status 2");
  CHECK(contains(failed.errors()[0].help, "without {assemble}"));
  CHECK(failed.errors()[0].location.file == "k.ptx");
  CHECK(failed.errors()[1].message == "k.ptx:7: no");
}

TEST_CASE("an interrupt ends an assembler") {
  const TemporaryFolder folder;
  const Words as = {test::fake_assembler(folder, "as", "sleep 60")};
  const std::atomic<bool> cancel = true;
  Assemblies assemblies;
  const auto made = assemblies.assemble(as, "sm_80", ptx, &cancel);
  REQUIRE_FALSE(made);
  CHECK(contains(made.errors().front().message, "interrupted while "));
}
