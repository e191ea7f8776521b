// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with a kernel, its budgets and a gate that holds, to be broken.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/reports/check/check_formats.hpp"
#include "app/reports/exit_status.hpp"
#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace warpspan::test {

// The formats that a report of check is held against.
inline std::vector<std::string> check_format_names() { return app::names_of(app::forms_of(app::check_formats)); }

class Gate {
 public:
  Gate() : Gate("k.ptx", "samples/spmv.ptx", "spmv", "block = 128\nloop_bounds = { \"$L__BB0_3\" = 64 }\n") {
    update();
  }

  // file: of the folder; stored: what it is a copy of; keys: lines of the entry.
  Gate(const std::string& file, const std::string& stored, const std::string& kernel, const std::string& keys) {
    write(file, read_file(warpspan::test::source_dir() + "/" + stored));
    write("budgets.toml", "[[budget]]\nkernel = \"" + kernel + "\"\nfile = \"" + file + "\"\nmachine = \"ampere\"\n" +
                              keys + "max = \"1577364 cycles\"\n");
  }

  // Today's bound becomes the budget.
  void update() const { REQUIRE(run({"--update"}).status == 0); }

  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string read(const std::string& name) const { return read_file(path(name)); }
  void write(const std::string& name, const std::string& text) const { write_file(path(name), text); }
  void remove(const std::string& name) const { std::filesystem::remove_all(path(name)); }
  void append(const std::string& name, const std::string& text) const { write(name, read(name) + text); }
  // In place of the first text of the file that is like `old`; "" is the end.
  void replace(const std::string& name, const std::string& old, const std::string& text) const {
    std::string all = read(name);
    const size_t at = old.empty() ? all.size() : all.find(old);
    REQUIRE(at != std::string::npos);
    write(name, all.replace(at, old.size(), text));
  }

  // The check with these words behind it, in the folder.
  ProgramRun run(std::vector<std::string> words, const std::string& output_file = "") const {
    words.insert(words.begin(), {"check", "--budgets", "budgets.toml"});
    Surroundings around;
    around.folder = folder_.path();
    around.output_file = output_file;
    return run_warpspan(words, around);
  }

  // In every format, or in those given: the status, the reason in the report (and on standard error, where it is an
  // error), and no stamp.
  void check_fails(int status, const std::string& reason, const std::vector<std::string>& more = {},
                   const std::vector<std::string>& formats = check_format_names()) const {
    for (const std::string& format : formats) {
      INFO(format << ": " << reason);
      write("stamp", "all budgets hold\n");
      write("depfile", "of an earlier run\n");
      remove("report");
      std::vector<std::string> words = {"--format", format,  "--output",  "report",
                                        "--stamp",  "stamp", "--depfile", "depfile"};
      words.insert(words.end(), more.begin(), more.end());
      const ProgramRun result = run(words);
      INFO(result.err);
      CHECK(result.status == status);
      CHECK_FALSE(std::filesystem::exists(path("stamp")));
      CHECK(read("depfile") == "of an earlier run\n");
      REQUIRE(std::filesystem::exists(path("report")));
      INFO(read("report"));
      CHECK(contains(read("report"), reason));
      CHECK((status == 1 || contains(result.err, reason)));
      if (format == "json") check_status(status);
    }
  }

  void check_passes(const std::vector<std::string>& more = {}) const {
    for (const std::string& format : check_format_names()) {
      INFO(format);
      remove("stamp");
      std::vector<std::string> words = {"--format", format, "--output", "report", "--stamp", "stamp"};
      words.insert(words.end(), more.begin(), more.end());
      const ProgramRun result = run(words);
      INFO(result.err);
      CHECK(result.status == 0);
      CHECK(result.err.empty());
      CHECK(std::filesystem::exists(path("stamp")));
      if (format == "json") check_status(0);
    }
  }

 private:
  // Of the JSON report.
  void check_status(int status) const {
    CHECK(nlohmann::json::parse(read("report")).at("status") == to_string(static_cast<app::ExitStatus>(status)));
  }

  TemporaryFolder folder_;
};

}  // namespace warpspan::test
