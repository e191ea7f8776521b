// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_files.hpp"

#include "tests/app/cli/read_options.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

struct Options {
  std::string output;
  std::vector<ReportRequest> reports;
};

std::string read(const std::vector<const char*>& words, Options& options) {
  return test::read_options(words, [&](OptionSet& set) {
    set.text("--output", "FILE", "Write the report to this file", options.output);
    add_reports(set, {{"text", {}}, {"json", {".json"}}, {"junit", {".xml"}}, {"sarif", {".sarif", ".json"}}},
                options.output, options.reports);
  });
}

std::string errors_of(const std::vector<const char*>& words) {
  Options options;
  return read(words, options);
}

}  // namespace

TEST_CASE("reports are taken in the order given, with everything behind the first sign as path") {
  Options options;
  REQUIRE(read({"--report", "junit=out.xml", "--report=sarif=a=b.sarif", "--report", "json=-", "--output", "r.txt"},
               options) == "no error");
  REQUIRE(options.reports.size() == 3);
  CHECK(options.reports[0].format == "junit");
  CHECK(options.reports[0].path == "out.xml");
  CHECK(options.reports[1].format == "sarif");
  CHECK(options.reports[1].path == "a=b.sarif");
  CHECK(options.reports[2].path == "-");
  Options none;
  CHECK(read({}, none) == "no error");
  CHECK(none.reports.empty());
}

TEST_CASE("a report needs a format that there is, and a file") {
  for (const char* bad : {"junit", "junit=", "", "out.xml"}) {
    CHECK(errors_of({"--report", bad}) == "--report: expected FORMAT=FILE, got '" + std::string(bad) +
                                              "' | the formats are text, json, junit and sarif\n");
  }
  CHECK(errors_of({"--report", "junti=out.xml"}) ==
        "--report: expected text, json, junit or sarif, got 'junti' | did you mean 'junit'?\n");
  CHECK(errors_of({"--report", "xml=out.xml"}) ==
        "--report: expected text, json, junit or sarif, got 'xml' | did you mean 'junit'?\n");
  CHECK(errors_of({"--report", "=out.xml"}) == "--report: expected text, json, junit or sarif, got ''\n");
  CHECK(errors_of({"--report", "pdf=out.pdf"}) == "--report: expected text, json, junit or sarif, got 'pdf'\n");
}

TEST_CASE("no two reports go to one place, however it is written") {
  const auto error = [](const std::string& path) {
    return "--report: another report goes to '" + path + "' too | give each report a file of its own\n";
  };
  CHECK(errors_of({"--report", "junit=out", "--report", "sarif=out"}) == error("out"));
  CHECK(errors_of({"--report", "junit=out", "--report", "junit=./nowhere/../out"}) == error("./nowhere/../out"));
  CHECK(errors_of({"--report", "junit=-"}) == error("-"));
  CHECK(errors_of({"--output", "-", "--report", "junit=-"}) == error("-"));
  CHECK(errors_of({"--output", "out", "--report", "junit=./out"}) == error("./out"));
  CHECK(errors_of({"--report", "junit=./out", "--output", "out"}) == error("./out"));  // in any order
  CHECK(errors_of({"--output", "out", "--report", "junit=-", "--report", "json=out2"}) == "no error");
  const test::TemporaryFolder folder;
  test::write_file(folder.file("a"), "");
  std::filesystem::create_symlink(folder.file("a"), folder.file("b"));
  const std::string first = "junit=" + folder.file("a"), second = "sarif=" + folder.file("b");
  CHECK(errors_of({"--report", first.c_str(), "--report", second.c_str()}) == error(folder.file("b")));
}

namespace {

// What --format is in the end; or the error.
std::string form_of(const std::vector<const char*>& words) {
  const std::vector<FormatName> forms = {
      {"text", {}}, {"json", {".json"}}, {"sarif", {".sarif", ".json"}}, {"html", {".html"}}};
  std::string format = "text", output;
  const auto parse = [](const std::string&, const std::string& text) { return support::Result<std::string>(text); };
  const std::string errors = test::read_options(words, [&](OptionSet& set) {
    set.value("--format", "FORM", "", parse, format);
    add_output(set, forms, "report", format, output);
  });
  return errors == "no error" ? format : errors;
}

}  // namespace

TEST_CASE("the name of a file says its form") {
  CHECK(form_of({"--output", "a.json"}) == "json");
  CHECK(form_of({"--output", "folder.json/a.html"}) == "html");
  CHECK(form_of({"--output", "a.sarif"}) == "sarif");
  CHECK(form_of({"--output", "a.json.txt"}) == "text");
  CHECK(form_of({"--output", ".json"}) == "text");  // that is the whole name
  CHECK(form_of({"--output", "-"}) == "text");
  CHECK(form_of({"--output", "a"}) == "text");
  CHECK(form_of({"--output", "a.log", "--format", "json"}) == "json");
  CHECK(form_of({"--output", "a.json", "--format", "sarif"}) == "sarif");  // which is JSON too
  CHECK(form_of({"--format", "html", "--output", "a.html"}) == "html");
}

TEST_CASE("a name that says another form, or one that there is not, is an error") {
  CHECK(
      form_of({"--output", "a.html", "--format", "json"}) ==
      "--output: the name 'a.html' and --format json contradict each other | leave --format out for html, or give the "
      "file another ending\n");
  CHECK(
      form_of({"--output", "a.html", "--format", "text"}) ==
      "--output: the name 'a.html' and --format text contradict each other | leave --format out for html, or give the "
      "file another ending\n");
  CHECK(form_of({"--output", "a.svg", "--format", "json"}) ==
        "--output: the name 'a.svg' and --format json contradict each other | give the file another ending\n");
  CHECK(form_of({"--output", "a.svg"}) ==
        "--output: there is no form '.svg' here, got 'a.svg' | the forms by name are .json, .sarif and .html; --format "
        "has all, for any other name\n");
}
