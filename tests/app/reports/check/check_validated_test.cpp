// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of check that others read, by the tools that others read them with (tests/schema/README.md).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "app/reports/check/check_formats.hpp"
#include "tests/app/reports/example_check_report.hpp"
#include "tests/files.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

// Up to 12 pieces of what some format takes for its own, and bytes of any value.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> pieces = {"<",
                                                  ">",
                                                  "&",
                                                  "]]>",
                                                  "<!--",
                                                  "&#0;",
                                                  "\"",
                                                  "'",
                                                  "\n",
                                                  "\r\n",
                                                  "\t",
                                                  "::",
                                                  "|",
                                                  "`",
                                                  "{",
                                                  "}}",
                                                  "\\",
                                                  "\xef\xbf\xbe",
                                                  "\xed\xa0\x80",
                                                  "name",
                                                  "%",
                                                  "\xe2\x80\xae",
                                                  "/",
                                                  "..",
                                                  "file:",
                                                  "#",
                                                  "\xf0\x9f\x98\x80"};
  std::string text;
  for (size_t i = 1 + random() % 12; i > 0; --i) {
    text += random() % 3 == 0 ? std::string(1, static_cast<char>(random() % 256)) : pieces[random() % pieces.size()];
  }
  return text;
}

// An empty gate, one of every verdict, one in which all passes, one that only failed to read, and hostile ones.
std::vector<CheckReport> reports() {
  CheckReport passing = test::example_check_report();
  passing.results.resize(1);
  passing.errors.clear();
  CheckReport unread;
  unread.budgets = "/tmp/budgets.toml";
  unread.errors = {support::usage_error("cannot read '/tmp/budgets.toml'", "give --budgets a file")};
  std::vector<CheckReport> all = {CheckReport{}, test::example_check_report(), passing, unread,
                                  test::hostile_check_report()};
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) all.push_back(test::hostile_check_report(random_text(random)));
  return all;
}

std::vector<std::string> written(const test::TemporaryFolder& folder,
                                 std::string (*format)(const CheckReport&, const TextStyle&)) {
  std::vector<std::string> files;
  for (const CheckReport& report : reports()) {
    files.push_back(folder.file(std::to_string(files.size())));
    test::write_file(files.back(), format(report, {}));
  }
  return files;
}

// What the command says if it fails; empty if it does not.
std::string complaint(std::string command, const std::vector<std::string>& files, const std::string& log) {
  for (const std::string& file : files) command += " '" + file + "'";
  const int status = std::system((command + " > '" + log + "' 2>&1").c_str());
  return status == 0 ? "" : "status " + std::to_string(status) + "\n" + test::read_file(log);
}

const std::string validate_xml =
    std::string(XMLLINT) + " --noout --nonet --schema " + warpspan::test::source_dir() + "/tests/schema/junit.xsd";
const std::string validate_json = std::string("PYTHONDONTWRITEBYTECODE=1 " SCHEMA_PYTHON " ") +
                                  warpspan::test::source_dir() + "/tests/schema/check_reports.py --only";

}  // namespace

TEST_CASE("the JUnit report is as the schema of its readers says") {
  if (std::string(XMLLINT).empty()) {
    WARN("skipped: there is no xmllint");
    return;
  }
  const test::TemporaryFolder folder;
  const std::vector<std::string> files = written(folder, to_junit);
  CHECK(complaint(validate_xml, files, folder.file("log")).empty());

  // The schema refuses what is wrong.
  const std::string good = test::read_file(files[1]);
  const auto refused = [&](const std::string& part, const std::string& other) {
    std::string bad = good;
    const size_t at = bad.find(part);
    REQUIRE(at != std::string::npos);
    test::write_file(folder.file("bad"), bad.replace(at, part.size(), other));
    INFO(part << " -> " << other);
    CHECK_FALSE(complaint(validate_xml, {folder.file("bad")}, folder.file("log")).empty());
  };
  refused(" tests=\"7\"", "");
  refused(" errors=\"4\"", " errors=\"some\"");
  refused(" time=\"0\"", " time=\"0,5\"");
  refused("<testcase classname=\"fir.ptx\"", "<testcase file=\"fir.ptx\"");
  refused("type=\"over-budget\"", "type=\"Error\"");
  refused("</failure>", "</failure><failure type=\"over-budget\" message=\"again\">again</failure>");
  refused("&lt;512&gt;", "<512>");
  refused("cycles of the bound", "cycles \x01");
}

TEST_CASE("the SARIF report is as the schema made from the standard says, and changed ones are refused") {
  if (std::string(SCHEMA_PYTHON).empty()) {
    WARN("skipped: no python3 has jsonschema");
    return;
  }
  const test::TemporaryFolder folder;
  CHECK(complaint(validate_json, written(folder, to_sarif), folder.file("log")).empty());
  test::write_file(folder.file("bad"), "{\"schema\": \"warpspan.nothing/1\"}");
  CHECK_FALSE(complaint(validate_json, {folder.file("bad")}, folder.file("log")).empty());
}
