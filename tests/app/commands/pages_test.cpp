// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as pages: all that a browser needs is in them, whatever names and sources are.
#include <catch2/catch.hpp>

#include "tests/app/markup.hpp"
#include "tests/app/run_program.hpp"

namespace {

using namespace warpspan;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string hostile = "</script><script>alert(1)</script><!--]]>\"'&amp;";

void check_page(const std::string& page) {
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(is_well_formed(page));
  CHECK(count(page, "<script") == 1);  // its own
  CHECK(count(page, "http") == count(page, "xmlns=\"http://www.w3.org/"));
  CHECK(count(page, "url(") == count(page, "url(#"));
}

const std::string kernel =
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
    "\t.reg .pred %p<2>;\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n\t.loc 1 3 0\n\tmov.u32 %r1, 0;\n"
    "$L__LOOP:\n\t.loc 1 4 0\n\tadd.s32 %r1, %r1, 1;\n\tsetp.lt.s32 %p1, %r1, 100;\n\t@%p1 bra $L__LOOP;\n"
    "\t.loc 1 5 0\n\tld.param.u64 %rd1, [out];\n\tst.global.u32 [%rd1], %r1;\n\tret;\n}\n\t.file 1 \"k.cu\"\n";

// A kernel whose file, source and names would do something if they were not escaped.
struct HostileFolder {
  TemporaryFolder folder;
  const std::string ptx = "<b onclick=x>\"'&.ptx";

  HostileFolder() {
    write_file(folder.file(ptx), kernel + "// " + hostile + "\n");
    write_file(folder.file("k.cu"), "// " + hostile + "\n\n\tint x = 0;  // " + hostile + "\n\tloop();\n\tstore();\n");
  }

  ProgramRun run(const Words& words) const {
    Surroundings around;
    around.folder = folder.path();
    return run_warpspan(words, around);
  }
};

}  // namespace

TEST_CASE("a page of analyze has the bound, the code and what it rests on") {
  const HostileFolder files;
  const ProgramRun run = files.run({"analyze", files.ptx, "--block", "64", "--format", "html"});
  INFO(run.err);
  REQUIRE(run.status == 0);
  check_page(run.out);
  for (const char* part :
       {"<h3>What assumptions gain</h3>", "<h3>What the bound is made of</h3>", "<h3>Source and PTX</h3>",
        "<h3>Control flow</h3>", "<h3>Loops</h3>", "This run", "<td>A-22</td>", "whatever it does"}) {
    INFO(part);
    CHECK(contains(run.out, part));
  }
  CHECK(contains(run.out, "int x = 0;  // &lt;/script&gt;&lt;script&gt;alert(1)"));
  CHECK(contains(run.out, "scalar-evolution"));
  CHECK(contains(run.out, "loop of 100 trips"));
  CHECK(contains(run.out, "<path class=\"back worst\""));
  CHECK(contains(run.out, "href=\"#k1c0-4\""));  // from a line of the source to its code
  CHECK(contains(run.out, " id=\"k1c0-4\""));
  CHECK(contains(run.out, " id=\"k1s0-4\""));
}

TEST_CASE("a page tells a file that could not be read beside the others") {
  const HostileFolder files;
  const ProgramRun run = files.run({"analyze", files.ptx, "no<where>.ptx", "--block", "64", "--format", "html"});
  CHECK(run.status == 2);
  check_page(run.out);
  CHECK(contains(run.out, "no&lt;where&gt;.ptx"));
  CHECK(files.run({"analyze", "no<where>.ptx", "--block", "64", "--format", "html"}).out.empty());
}

TEST_CASE("pages of gates and comparisons have what these have found") {
  const HostileFolder files;
  const std::string file = "file = '''" + files.ptx + "'''\n";
  write_file(files.folder.file("budgets.toml"), "[[budget]]\nkernel = \"k\"\nblock = [64]\nmax = \"1 ns\"\n" + file +
                                                    "\n[[budget]]\nkernel = \"no<thing>\"\nmax = \"1 us\"\n" + file);
  const ProgramRun gate = files.run({"check", "--budgets", "budgets.toml", "--format", "html"});
  INFO(gate.err);
  check_page(gate.out);
  CHECK(contains(gate.out, "<td class=\"bad\">over</td>"));
  CHECK(contains(gate.out, "no&lt;thing&gt;"));
  CHECK(contains(gate.out, "<h3>Source and PTX</h3>"));
  CHECK(contains(gate.out, " id=\"r1c0-4\""));
  const ProgramRun compared = files.run({"compare", files.ptx, files.ptx, "--block", "64", "--format", "html"});
  INFO(compared.err);
  check_page(compared.out);
}

TEST_CASE("a page of a gate has the code of what fails only, and what grew since the baseline") {
  const HostileFolder files;
  const auto budgets = [&](const std::string& max) {
    write_file(files.folder.file("budgets.toml"), "[[budget]]\nkernel = \"k\"\nblock = [64]\nmax = \"" + max +
                                                      "\"\nfile = \'\'\'" + files.ptx + "\'\'\'\n");
  };
  Words words = {"check", "--budgets", "budgets.toml", "--baseline", "old.json", "--update-baseline"};
  budgets("1 s");
  REQUIRE(files.run(words).status == 0);
  words.back() = "--report=html=page.html";
  const ProgramRun passed = files.run(words);
  INFO(passed.err);
  REQUIRE(passed.status == 0);
  const std::string same = read_file(files.folder.file("page.html"));
  check_page(same);
  CHECK_FALSE(contains(same, "<h3>Source and PTX</h3>"));
  CHECK_FALSE(contains(same, "Since the baseline"));
  std::string slower = kernel;
  slower.replace(slower.find("%r1, 100"), 8, "%r1, 400");
  write_file(files.folder.file(files.ptx), slower);
  budgets("1 ns");
  CHECK(files.run(words).status == 1);
  const std::string grown = read_file(files.folder.file("page.html"));
  check_page(grown);
  CHECK(contains(grown, "<h3>Since the baseline</h3>"));
  CHECK(contains(grown, "Cycles of the bound, by line."));
  CHECK(contains(grown, "<th scope=\"row\">k.cu:4</th>"));
  CHECK(contains(grown, "<h3>Source and PTX</h3>"));
}

TEST_CASE("pages of string problems: one with its schedule, and a sweep with its picture") {
  const ProgramRun one = run_warpspan({"solve", "--string", "LLCLL", "--warps", "3", "--format", "html"});
  REQUIRE(one.status == 0);
  check_page(one.out);
  CHECK(contains(one.out, "<h3>Longest schedule found"));
  CHECK(count(one.out, "<rect class=\"class") == 15);  // five symbols of three warps
  CHECK(contains(one.out, "warpspan solve --string=LLCLL --warps=3</pre>"));
  const ProgramRun json = run_warpspan({"solve", "--string", "LLCLL", "--warps", "3", "--format", "json"});
  CHECK(contains(json.out, "\"schedule\": null"));
  const ProgramRun file = run_warpspan({"solve", "samples/llcll.toml", "--format", "html"});
  CHECK(contains(file.out, "<th scope=\"row\">samples/llcll.toml</th>"));
  const ProgramRun sweep = run_warpspan({"solve", "--string", "LLC", "--warps", "1..4", "--format", "html"});
  REQUIRE(sweep.status == 0);
  check_page(sweep.out);
  CHECK(contains(sweep.out, "(a) Worst-case makespan of L2C"));
}

TEST_CASE("a page of a simulation has what warps wait for, over time too, and how to repeat it") {
  const TemporaryFolder folder;
  write_file(folder.file("x.bin"), std::string(64, 'x'));
  const std::string cubin = "tests/frontend/object/data/kernels.sm_90.cubin";
  Words words = {"simulate", cubin, "--kernel", "shared_sum", "--block", "128", "--format", "html"};
  const ProgramRun run = run_warpspan(words);
  INFO(run.err);
  REQUIRE_FALSE(run.out.empty());
  check_page(run.out);
  CHECK(contains(run.out, "<h3>What warps wait for</h3>"));
  CHECK(contains(run.out, "<h3>Warps over time</h3>"));
  for (const char* row : {">block 0, warp 0<", ">block 0, warp 3<"}) CHECK(contains(run.out, row));
  CHECK_FALSE(contains(run.out, ">block 0, warp 4<"));
  CHECK(contains(run.out, "<title>issuing, "));
  CHECK(contains(run.out, "warpspan simulate --kernel=shared_sum --block=128 " + cubin + "</pre>"));
  CHECK(contains(run.out, "<th scope=\"row\">" + cubin + "</th>"));
  CHECK(contains(run.out, "<th scope=\"row\">hopper</th>"));
  words.push_back("--contents=@" + folder.file("x.bin"));
  const ProgramRun filled = run_warpspan(words);
  CHECK(contains(filled.out, "<th scope=\"row\">" + folder.file("x.bin") + "</th>"));
}

TEST_CASE("a report as a page and as a table beside the text, and the name of a file says which") {
  const TemporaryFolder folder;
  const Words saxpy = {"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "4", "--arg", "3=1000"};
  Words all = saxpy;
  all.insert(all.end(), {"--report", "html=" + folder.file("a.html"), "--report", "csv=" + folder.file("a.csv")});
  const ProgramRun text = run_warpspan(all);
  REQUIRE(text.status == 0);
  CHECK(text.out == run_warpspan(saxpy).out);
  for (const std::string ending : {"html", "csv", "json"}) {
    Words named = saxpy, chosen = saxpy;
    named.insert(named.end(), {"--output", folder.file("named." + ending)});
    chosen.insert(chosen.end(), {"--format", ending});
    REQUIRE(run_warpspan(named).status == 0);
    const std::string out = run_warpspan(chosen).out;
    CHECK(read_file(folder.file("named." + ending)) == out);
  }
  const std::string table = read_file(folder.file("a.csv"));
  CHECK(table.starts_with("file,kernel,machine,clock_khz,block,grid,bound,"));
  CHECK(contains(table, "\nsamples/saxpy.ptx,saxpy,"));
}

TEST_CASE("tables of gates and comparisons have a line for each limit and each side") {
  const ProgramRun gate = run_warpspan(
      {"check", "--budgets", "samples/cmake-gate/strided.toml", "--format", "csv", "samples/cmake-gate/blur.ptx"});
  CHECK(contains(gate.out, "over,samples/cmake-gate/blur.ptx,"));
  const ProgramRun compared = run_warpspan({"compare", "samples/saxpy.ptx", "samples/saxpy.nvcc-sm_80.ptx", "--block",
                                            "256", "--grid", "4", "--arg", "3=1000", "--format", "csv"});
  CHECK(compared.out.starts_with("kernel,side,file,machine,bound,change,"));
  CHECK(count(compared.out, "\n") == 3);
}
