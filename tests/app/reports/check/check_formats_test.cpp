// SPDX-License-Identifier: GPL-3.0-or-later
// What every format of check has to tell, and what each is in particular.
#include "app/reports/check/check_formats.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/reports/analyze/brief.hpp"
#include "app/reports/check/check_findings.hpp"
#include "app/reports/markdown.hpp"
#include "app/reports/xml.hpp"
#include "app/requests/report_archive.hpp"
#include "tests/app/reports/example_check_report.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using Json = nlohmann::ordered_json;
using test::contains;

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Json results_of(const CheckReport& report) { return Json::parse(to_sarif(report))["runs"][0]["results"]; }

CheckReport only_pass() {
  CheckReport report = test::example_check_report();
  report.results.resize(1);
  report.errors.clear();
  return report;
}

}  // namespace

TEST_CASE("every format for other programs names each kernel that failed, and why") {
  const CheckReport report = test::example_check_report();
  for (const auto& format : check_formats) {
    const std::string name = format.name;
    if (name == "text" || name == "json") continue;  // not made of findings
    const std::string text = format.render(report, {}).str();
    INFO(name << "\n" << text);
    for (const char* kernel : {"large", "small", "search", "saxpi", "scale"}) CHECK(contains(text, kernel));
    for (const char* reason : {"8,203 cycles", "16 bytes", "has no bound", "no kernel is called 'saxpi'",
                               "no budget is for kernel 'scale'", "cannot read 'gone.ptx'"}) {
      CHECK(contains(text, reason));
    }
  }
}

TEST_CASE("a gate that checked nothing looks failed in every format for other programs") {
  CheckReport empty;
  CheckReport unread;
  unread.errors = {support::usage_error("cannot read 'budgets.toml'")};
  for (const CheckReport& report : {empty, unread}) {
    CHECK(contains(to_junit(report), "tests=\"1\" failures=\"0\" errors=\"1\""));
    CHECK(contains(to_junit(report), "<error type=\"not-checked\""));
    REQUIRE(results_of(report).size() == 1);
    CHECK(results_of(report)[0]["level"] == "error");
    CHECK(to_github(report).rfind("::error ", 0) == 0);
    CHECK(contains(to_markdown(report), "the gate fails"));
  }
}

TEST_CASE("a gate that passes has no failure in any format, but says how many budgets hold") {
  CHECK(contains(to_junit(only_pass()), "tests=\"1\" failures=\"0\" errors=\"0\""));
  CHECK_FALSE(contains(to_junit(only_pass()), "<error"));
  CHECK(results_of(only_pass()).empty());
  CHECK(to_github(only_pass()) == "warpspan: 1 of 1 budgets hold\n");
  CHECK(contains(to_markdown(only_pass()), "the gate passes"));
}

TEST_CASE("what is taken away of reports in short no format shows, but pages") {
  const CheckReport whole = test::example_check_report();
  CheckReport brief = whole;
  for (CheckResult& result : brief.results) {
    if (!result.report) continue;
    make_brief(result.report.edit());
    if (result.verdict == Verdict::pass) keep_headlines(result.report.edit());
    CHECK(result.report.edit().listing.empty());
    CHECK(result.report.edit().lines.size() <= 3);
  }
  for (const auto& format : check_formats) {
    const std::string name = format.name;
    INFO(name);
    if (name == "html") continue;
    CHECK(format.render(brief, {}).str() == format.render(whole, {}).str());
  }
}

TEST_CASE("JUnit: what a kernel that passes is made of stands there in full only") {
  const TextStyle in_full(false, usual_width, true);
  CHECK_FALSE(contains(to_junit(only_pass()), "costliest lines"));
  CHECK(contains(to_junit(only_pass()), "\nmakespan &lt;= 8,203 cycles"));
  CHECK(contains(to_junit(only_pass(), in_full), "costliest lines"));
}

TEST_CASE("JUnit: the counts add up, and no two test cases have one name") {
  CheckReport report = test::example_check_report();
  report.results.push_back(report.results[1]);
  report.results.push_back(report.results[1]);
  const std::string text = to_junit(report);
  CHECK(count_of(text, "<testcase ") == 9);
  CHECK(count_of(text, "<failure ") == 4);
  CHECK(count_of(text, "<error ") == 4);
  CHECK(count_of(text, "tests=\"9\" failures=\"4\" errors=\"4\"") == 2);
  std::set<std::string> names;
  for (const std::string& line : lines_of(text)) {
    if (contains(line, "<testcase ")) CHECK(names.insert(line).second);
  }
  CHECK(contains(text, "name=\"reduce&lt;512&gt;, large #3\""));
}

TEST_CASE("JUnit: a kernel over its budget is a failure with all that is wrong, and its costliest lines") {
  const std::string text = to_junit(test::example_check_report());
  CHECK(contains(text,
                 "<failure type=\"over-budget\" message=\"worst-case makespan &lt;= 8,203 cycles = 8.203 us, budget "
                 "8,000 cycles, over by 2.6 %\">fir.ptx:12: worst-case makespan &lt;= 8,203 cycles = 8.203 us, budget "
                 "8,000 cycles, over by 2.6 %\nfir.ptx:12: spilled memory 16 bytes, budget 0 bytes\n</failure>"));
  CHECK(contains(text, "src/fir.cu:42  7,503  sum += taps[i] * in[i];"));
  CHECK_FALSE(contains(text, "src/fir.cu:39"));  // the fourth
  CHECK(contains(text, "help: give --loop-bound '$L__BB0_4=N'"));
}

TEST_CASE("what XML cannot hold is written out") {
  CHECK(xml_content("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
  CHECK(xml_content("two\nlines\t!") == "two\nlines !");
  CHECK(xml_attribute("two\nlines\r") == "two&#10;lines\\x0d");
  CHECK(xml_content(std::string("\0\x08\x1b\x7f", 4)) == "\\x00\\x08\\x1b\\x7f");
  CHECK(xml_content("\xff \xc3( \xed\xa0\x80") == "\\xff \\xc3( \\xed\\xa0\\x80");  // no UTF-8, and a surrogate
  CHECK(xml_content("\xef\xbf\xbe\xef\xbf\xbf") == "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  CHECK(xml_content("\xc3\xa9\xf0\x9f\x98\x80") == "\xc3\xa9\xf0\x9f\x98\x80");
}

TEST_CASE("SARIF: rule, place, costliest lines and entry of a kernel over its budget") {
  const Json result = results_of(test::example_check_report())[0];
  CHECK(result["ruleId"] == "over-budget");
  CHECK(result["message"]["text"] ==
        "reduce<512>, large: worst-case makespan <= 8,203 cycles = 8.203 us, budget 8,000 cycles, over by 2.6 %");
  const Json place = result["locations"][0]["physicalLocation"];
  CHECK(place.dump() == R"({"artifactLocation":{"uri":"src/fir.cu"},"region":{"startLine":42}})");
  CHECK(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "_Z6reduceILi512EEvPKfPfi");
  REQUIRE(result["relatedLocations"].size() == 5);
  CHECK(result["relatedLocations"][0]["physicalLocation"].dump() ==
        R"({"artifactLocation":{"uri":"fir.ptx"},"region":{"startLine":12}})");
  CHECK(result["relatedLocations"][1].dump() ==
        R"({"physicalLocation":{"artifactLocation":{"uri":"src/fir.cu"},"region":{"startLine":42}},)"
        R"("message":{"text":"7503 cycles of the bound"}})");
  CHECK(result["relatedLocations"][4]["physicalLocation"]["artifactLocation"]["uri"] == "budgets.toml");
}

TEST_CASE("SARIF: rules are those of the findings, and every result names one of them") {
  const Json run = Json::parse(to_sarif(test::example_check_report()))["runs"][0];
  const Json listed = run["tool"]["driver"]["rules"];
  REQUIRE(listed.size() == rules().size());
  for (const Json& result : run["results"]) CHECK(listed[result["ruleIndex"].get<size_t>()]["id"] == result["ruleId"]);
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["invocations"][0]["exitCode"] == 3);
  CHECK(run["invocations"][0]["toolExecutionNotifications"][0]["level"] == "warning");
  CheckReport over = test::example_check_report();
  over.results.resize(2);
  over.errors.clear();
  const Json invocation = Json::parse(to_sarif(over))["runs"][0]["invocations"][0];
  CHECK(invocation["executionSuccessful"] == true);
  CHECK(invocation["exitCode"] == 1);
}

TEST_CASE("SARIF: a fingerprint survives other lines and other figures, and tells all results apart") {
  const auto fingerprints = [](const CheckReport& report) {
    std::vector<std::string> all;
    for (const Json& result : results_of(report)) {
      all.push_back(result["partialFingerprints"]["warpspan/finding/v1"]);
      CHECK(result["partialFingerprints"]["primaryLocationLineHash"] == all.back());
    }
    return all;
  };
  const std::vector<std::string> before = fingerprints(test::example_check_report());
  CHECK(std::set<std::string>(before.begin(), before.end()).size() == before.size());
  CheckReport moved = test::example_check_report();
  for (CheckResult& result : moved.results) {
    result.location.line += 10;
    result.entry.line += 3;
    result.file = "build/" + result.file;
    for (support::Diagnostic& error : result.errors) error.location.line += 10;
    if (result.limits.empty() || !result.limits[0].value) continue;
    result.limits[0].value = *result.limits[0].value + 1;
    result.limits[0].text = "9 us";
  }
  moved.errors = {test::example_check_report().errors[3]};
  CHECK(fingerprints(moved) == before);
  moved.results[1].label = "larger";
  CHECK(fingerprints(moved)[0] != before[0]);
  // The same finding twice, as of two entries for one kernel, is two results.
  moved.results[2] = moved.results[1];
  const std::vector<std::string> twice = fingerprints(moved);
  CHECK(std::set<std::string>(twice.begin(), twice.end()).size() == twice.size());
}

TEST_CASE("SARIF: files are URIs") {
  const auto uri = [](const std::string& file) {
    CheckReport report = test::example_check_report();
    report.results = {report.results[1]};
    report.results[0].location.file = file;
    report.results[0].report.reset();
    return results_of(report)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>();
  };
  CHECK(uri("./a/../b c.ptx") == "b%20c.ptx");
  CHECK(uri("/tmp/\xc3\xa9.ptx") == "file:///tmp/%C3%A9.ptx");
  CHECK(uri("c:k#1?%.ptx") == "c%3Ak%231%3F%25.ptx");
  CHECK(uri("../up.ptx") == "../up.ptx");
  CHECK(uri("<stdin>") == "budgets.toml");  // no file: where the budget is
}

TEST_CASE("GitHub: a command for each finding, at what can be changed") {
  CHECK(to_github(test::example_check_report()) ==
        "::error file=src/fir.cu,line=42,title=reduce<512>%2C large is 2.6 %25 over its budget::8,203 cycles allowed "
        "8,000 cycles\n"
        "::error file=src/fir.cu,line=42,title=reduce<512>%2C large is over its budget::spill 16 bytes allowed 0 "
        "bytes\n"
        "::error file=budgets.toml,line=15,col=1,title=reduce<512>%2C small fell below its budget::8.203 us allowed "
        "90.000 us\n"
        "::error file=search.ptx,line=30,col=3,title=search::the loop at '$L__BB0_4' has no bound%0Ahelp: give "
        "--loop-bound '$L__BB0_4=N'\n"
        "::error file=budgets.toml,line=27,col=3,title=saxpi::no kernel is called 'saxpi'%0Ahelp: did you mean "
        "'saxpy'?\n"
        "::error file=fir.ptx,line=90,col=3,title=scale::no budget is for kernel 'scale'\n"
        "::error file=budgets.toml,title=warpspan::cannot read 'gone.ptx': No such file or directory\n"
        "::warning file=budgets.toml,line=5,col=3,title=warpspan::the fact is used by no loop\n"
        "warpspan: 1 of 5 budgets hold\n");
}

TEST_CASE("no name begins a workflow command, whatever format goes to standard output") {
  const CheckReport report = test::hostile_check_report();
  for (const auto& format : check_formats) {
    for (const std::string& line : lines_of(format.render(report, {}).str())) {
      INFO(format.name << "\n" << line);
      const std::string start = line.substr(std::min(line.find_first_not_of(" "), line.size()));
      const bool own = std::string(format.name) == "github" &&
                       (start.rfind("::error file=", 0) == 0 || start.rfind("::warning file=", 0) == 0);
      CHECK((own || start.rfind("::", 0) != 0));
      CHECK(std::none_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
    }
  }
}

TEST_CASE("GitHub: properties and messages are escaped") {
  CheckReport report;
  report.budgets = "a,b:c%.toml";
  report.errors = {support::usage_error("100 %: a, b\nc", "d")};
  CHECK(to_github(report) ==
        "::error file=a%2Cb%3Ac%25.toml,title=warpspan::100 %25: a, b\\x0ac%0Ahelp: d\n"
        "warpspan: 0 of 0 budgets hold\n");
}

TEST_CASE("Markdown: a row for each limit, a bar of what is used, and what fails in full") {
  const std::string text = to_markdown(test::example_check_report());
  CHECK(contains(text,
                 "| <code>reduce&#60;512&#62;</code> | holds | 8,203 cycles | 10 us | █████████░ 17.9 % | waiting for "
                 "issue slots |\n|  |  | 32 registers | 64 | █████░░░░░ 50.0 % |  |\n"));
  CHECK(contains(text, "| **over** | 8,203 cycles | 8000 cycles | ██████████ -2.6 % |"));
  CHECK(contains(text, "| <code>search</code> | **not bounded** | not known | 5000 cycles |  |  |\n"));
  CHECK(contains(text, "| <code>saxpi</code> | **no such kernel** | | | | |\n"));
  CHECK(contains(text, "src/fir.cu:42  7,503  sum += taps[i] * in[i];"));
}

TEST_CASE("Markdown: every row has as many cells as the heading, whatever the names") {
  size_t rows = 0;
  for (const std::string& line : lines_of(to_markdown(test::hostile_check_report()))) {
    if (line.empty() || line.front() != '|') continue;
    CHECK(count_of(line, "|") == 7);
    ++rows;
  }
  CHECK(rows == 10);
  CHECK(markdown("a|b`c`*d*_e_<f>&g[h](i)\\|$j$~k~#1@l\r\nm") ==
        "a&#124;b&#96;c&#96;&#42;d&#42;&#95;e&#95;&#60;f&#62;&#38;g&#91;h&#93;(i)&#92;&#124;&#36;j&#36;&#126;k&#126;&#"
        "35;1"
        "&#64;l  m");
  CHECK(markdown("- a") == "&#45; a");
  CHECK(markdown("+") == "&#43;");
  CHECK(markdown("---") == "&#45;--");
  CHECK(markdown("==") == "&#61;=");
  CHECK(markdown("    a") == "&#32;   a");
  CHECK(markdown("12. a") == "12&#46; a");
  CHECK(markdown("1)") == "1&#41;");
  for (const char* plain : {"-5.3 %", "+5.3 %", "2.5", "1,234.", "k.ptx (2)", "a - b", "-flag"}) {
    CHECK(markdown(plain) == plain);
  }
  CHECK(markdown("_max_registers__of_1") == "&#95;max_registers&#95;&#95;of_1");
  CHECK(markdown_code("k") == "<code>k</code>");
}

TEST_CASE("every format tells the same of kernels that were put away") {
  CheckReport report = test::example_check_report();
  std::vector<std::string> before;
  for (const auto& format : check_formats) before.push_back(render(check_formats, report, format.name, {}).str());
  const auto shelf = new_shelf<KernelReport>();
  for (CheckResult& result : report.results) result.report.put_away(shelf);
  for (size_t i = 0; i < std::size(check_formats); ++i) {
    INFO(check_formats[i].name);
    CHECK(render(check_formats, report, check_formats[i].name, {}).str() == before[i]);
  }
}
