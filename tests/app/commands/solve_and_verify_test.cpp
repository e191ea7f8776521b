// SPDX-License-Identifier: GPL-3.0-or-later
// 'warpspan solve' and 'warpspan verify' as their users meet them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/app/run_program.hpp"

namespace {

using Json = nlohmann::json;
using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

ProgramRun solve(std::vector<std::string> arguments, const warpspan::test::Surroundings& around = {}) {
  arguments.insert(arguments.begin(), "solve");
  return run_warpspan(arguments, around);
}

ProgramRun solve_llcll(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"--string", "LLCLL", "--warps", "4"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return solve(arguments);
}

// Takes longer than any test.
const std::vector<std::string> endless = {"--string", "(LCSSCL)^4", "--time-limit", "100", "--method", "exact"};

std::string certificate_of_llcll(const TemporaryFolder& folder) {
  const std::string path = folder.file("certificate.json");
  const ProgramRun run = solve_llcll({"--method", "certificate", "--certificate", path});
  INFO(run.err);
  REQUIRE(run.status == 0);
  return path;
}

}  // namespace

TEST_CASE("wrong problems have status 2 and are told what is right") {
  const auto check = [](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramRun run = solve(arguments);
    INFO(message);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(run.err == message);
  };
  check({}, "error: no problem is given\n  help: give --string and --warps, or a problem file\n");
  check({"--string", "LC"}, "error: --warps is missing\n  help: give --warps 4, or a range 1..48\n");
  check({"--string", "", "--warps", "2"},
        "error: --string: the instruction string is empty\n  help: give at least one symbol, such as LLCLL\n");
  check({"--string", "LXL", "--warps", "2"},
        "--string:1:2: error: unknown symbol 'X' in an instruction string\n  LXL\n   ^\n"
        "  help: the symbols are L (load/store), C (core) and S (special function)\n");
  check({"--string", "LC", "--warps", "-1"},
        "error: --warps: expected numbers of warps from 1, such as 4, 1,2,8 or 1..48, got '-1'\n");
  check({"--string", "LC", "--warps", "2", "--sigma", "L=0"},
        "error: --sigma: expected a whole number of warps from 1, or 1/n of a warp, for L, got '0'\n");
  check({"--string", "LC", "--warps", "2", "--method", "magic"},
        "error: --method: unknown method 'magic'\n  help: the methods are all, witness, exact, certificate, list, "
        "published, tractable, raravi, ilp-count, ilp and ilp-long\n");
  check({"--string", "LC", "--warps", "1..3", "--schedule"},
        "error: a schedule needs one number of warps, not several\n");
  check({"--string", "LC", "--warps", "1..3", "--lp", "x.lp"}, "error: --lp needs one number of warps, not several\n");
  check({"--string", "LC", "--warps", "3", "--method", "list", "--certificate", "x.json"},
        "error: --certificate needs the method certificate\n  help: add --method certificate\n");
  check({"--string", "LC", "--warps", "3", "--lp", "-"},
        "error: --lp: the report goes to '-' too\n  help: give --output another file\n");
  check({"--string", "LC", "--warps", "3", "--lp", "a", "--certificate", "a"},
        "error: --lp and --certificate name the same file\n");
  check({"a.toml", "b.toml"}, "error: give one problem file at a time\n");
  check({"missing.toml"},
        "error: cannot read 'missing.toml': No such file or directory\n"
        "  help: give a file that exists and is readable\n");
}

TEST_CASE("several wrong options are told together") {
  const ProgramRun run = solve({"--string", "LX", "--warps", "0", "--sigma", "C=3/2,X=1", "--time-limit", "x"});
  CHECK(run.status == 2);
  for (const char* part : {"--string:1:2: ", "--warps: ", "for C, got '3/2'", "unknown class 'X'", "--time-limit: "}) {
    INFO(part);
    CHECK(contains(run.err, part));
  }
}

TEST_CASE("a problem file with errors is refused at the places") {
  const TemporaryFolder folder;
  const std::string path = folder.file("p.toml");
  write_file(path, "string = \"LXL\"\nwarps = 0\n");
  const ProgramRun run = solve({path});
  CHECK(run.status == 3);
  CHECK(run.out.empty());
  CHECK(run.err == path +
                       ":1:12: error: unknown symbol 'X' in an instruction string\n  string = \"LXL\"\n             ^\n"
                       "  help: the symbols are L (load/store), C (core) and S (special function)\n" +
                       path +
                       ":2:9: error: 'warps' must be between 1 and 9223372036854775807\n  warps = 0\n          ^\n");
  write_file(path, "string = \"LL");
  CHECK(solve({path}).status == 3);
  write_file(path, std::string("\0\xff\x1b[31m", 7));
  const ProgramRun binary = solve({path});
  CHECK(binary.status == 3);
  for (const char c : binary.err) CHECK((c == '\n' || (c >= ' ' && c <= '~')));
  write_file(path, "warps = 4\n");
  CHECK(solve({path}).status == 2);
}

TEST_CASE("a problem file from standard input, with options on top") {
  const ProgramRun run = solve({"-", "--warps", "4", "--method", "list"}, {.input = "string = \"LLCLL\"\nwarps = 9\n"});
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(contains(run.out, "worst-case makespan <= 20 cycles\n"));
}

TEST_CASE("very many warps are answered") {
  for (const char* warps : {"1000000000", "1000000000000000"}) {
    const ProgramRun run =
        solve({"--string", "LC", "--warps", warps, "--method", "certificate,list", "--format", "json"});
    INFO(run.err);
    REQUIRE(run.status == 0);
    CHECK(Json::parse(run.out).at("bracket").at("upper") == std::stoll(warps) + 1);
  }
}

TEST_CASE("a number that exceeds 64 bits is no bound") {
  const ProgramRun run = solve({"--string", "L5C5S5", "--warps", "9223372036854775807", "--method", "list"});
  CHECK(run.status == 3);
  CHECK(run.err ==
        "error: no method asked for bounds the makespan of 9,223,372,036,854,775,807 warps: list: a number on the way "
        "to the bound exceeds 2^63 - 1\n  help: add --method certificate or list\n");
}

TEST_CASE("very long strings are answered or refused") {
  const TemporaryFolder folder;
  std::string string;
  uint64_t random = 1;
  while (string.size() < 50'000) string += "LCS"[(random = random * 6364136223846793005u + 1) >> 62 & 1];
  write_file(folder.file("long.toml"), "string = \"" + string + "\"\nwarps = 8\n");
  const ProgramRun run = solve({folder.file("long.toml"), "--method", "certificate,list,published"});
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(run.out.size() < 3000);
  write_file(folder.file("long.toml"), "string = \"" + std::string(10'000'001, 'L') + "\"\nwarps = 8\n");
  const ProgramRun refused = solve({folder.file("long.toml")});
  CHECK(refused.status == 3);
  CHECK(contains(refused.err, "the instruction string is longer than ten million characters"));
  CHECK(refused.err.size() < 1000);
}

TEST_CASE("deeply nested strings are refused") {
  const ProgramRun run = solve({"--string", std::string(10'000, '('), "--warps", "2"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "groups are nested too deeply"));
}

TEST_CASE("a method that gives nothing is told, with what to do") {
  const ProgramRun run = solve({"--string", "(LCSSCL)^4", "--warps", "40", "--method", "exact", "--time-limit", "0"});
  CHECK(run.status == 3);
  CHECK(contains(run.out, "worst-case makespan"));
  CHECK(contains(run.err, "error: no method asked for bounds the makespan of 40 warps: exact: "));
  CHECK(contains(run.err, "  help: raise --time-limit, or add --method certificate or list\n"));
  const ProgramRun shape = solve({"--string", "LC", "--warps", "2", "--method", "raravi"});
  CHECK(shape.status == 3);
  CHECK(contains(shape.err, "error: no method asked for bounds the makespan of 2 warps: raravi: it needs "));
  CHECK(contains(shape.err, "  help: add --method certificate or list\n"));
  CHECK(solve({"--string", "LC", "--warps", "2", "--method", "tractable"}).status == 0);  // it gave its answer
}

TEST_CASE("the JSON of a problem") {
  const ProgramRun run = solve_llcll({"--sigma", "L=1/2,C=3", "--schedule", "--format", "json"});
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json document = Json::parse(run.out);
  CHECK(document.at("schema") == "warpspan.solve/1");
  CHECK(document.at("string") == "L2CL2");
  CHECK(document.at("warps") == 4);
  CHECK(document.at("sigma") == Json{{"L", "1/2"}, {"C", 3}, {"S", 1}});
  CHECK(document.at("transformed").at("string") == "L4CL4");
  CHECK(document.at("bracket").at("lower") <= document.at("bracket").at("upper"));
  REQUIRE(document.at("schedule").size() == 4);
  int64_t last = 0;
  for (const Json& warp : document.at("schedule")) {
    REQUIRE(warp.size() == 9);
    last = std::max(last, warp.back().get<int64_t>());
  }
  CHECK(document.at("bracket").at("lower") == last);
  CHECK(document.at("interrupted") == false);
  for (const Json& result : document.at("results")) {
    for (const char* key : {"method", "makespan", "kind", "safe", "status", "seconds", "assumptions", "remark"}) {
      CHECK(result.contains(key));
    }
  }
}

TEST_CASE("the schedule is in the JSON only if it is asked for") {
  CHECK(Json::parse(solve_llcll({"--format", "json"}).out).at("schedule").is_null());
}

TEST_CASE("the integer program in LP format") {
  const TemporaryFolder folder;
  const auto program = [&](const std::string& methods) {
    const ProgramRun run = solve({"--string", "LLC", "--warps", "2", "--method", methods, "--lp", folder.file("p.lp")});
    INFO(run.err);
    REQUIRE(run.status == 0);
    return read_file(folder.file("p.lp"));
  };
  const std::string count = program("ilp-count");
  CHECK(contains(count, "Maximize\n"));
  CHECK(contains(count, "Subject To\n"));
  CHECK(contains(count, "open("));
  CHECK(count.substr(count.size() - 4) == "End\n");
  const std::string published = program("list");
  CHECK(contains(published, "x("));
  CHECK_FALSE(contains(published, "open("));
  CHECK(program("ilp-long").size() < published.size());
  CHECK(program("ilp,ilp-long") == published);

  const ProgramRun printed = solve(
      {"--string", "LLC", "--warps", "2", "--method", "list", "--lp", "-", "--output", folder.file("report.txt")});
  CHECK(printed.status == 0);
  CHECK(printed.out == published);
  CHECK(contains(read_file(folder.file("report.txt")), "worst-case makespan"));
}

TEST_CASE("a program that is too large is not written") {
  const TemporaryFolder folder;
  const ProgramRun run =
      solve({"--string", "L1000", "--warps", "1000", "--method", "list", "--lp", folder.file("p.lp")});
  CHECK(run.status != 0);
  CHECK(contains(run.err, "error: "));
  CHECK(folder.files() == 0);
}

TEST_CASE("files that cannot be written are told with their option") {
  const TemporaryFolder folder;
  const std::string path = folder.file("missing/file");
  for (const char* option : {"--lp", "--certificate", "--output"}) {
    const ProgramRun run = solve_llcll({"--method", "certificate", option, path});
    CHECK(run.status == 2);
    CHECK(run.err == "error: cannot write '" + path + "': No such file or directory\n  help: give " + option +
                         " a file in a folder that exists and is writable\n");
  }
}

TEST_CASE("a certificate travels from solve to verify") {
  const TemporaryFolder folder;
  const std::string path = certificate_of_llcll(folder);
  const ProgramRun run = run_warpspan({"verify", path, "--warps", "600"});
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(run.out ==
        "valid: T(W) <= 4W + 1 for every W >= 2\n  string  L2CL2\n  sigma   L 1, C 1, S 1 warps per cycle\n"
        "  T(600) <= 2,401 cycles\n");
  CHECK(run_warpspan({"verify", "-"}, {.input = read_file(path)}).out ==
        "valid: T(W) <= 4W + 1 for every W >= 2\n  string  L2CL2\n  sigma   L 1, C 1, S 1 warps per cycle\n");
  const Json document = Json::parse(run_warpspan({"verify", path, "--format", "json", "--warps", "2"}).out);
  CHECK(document.at("schema") == "warpspan.verify/1");
  CHECK(document.at("valid") == true);
  CHECK(document.at("line") == Json{{"slope", "4"}, {"intercept", "1"}, {"valid_from", 2}, {"valid_to", nullptr}});
  CHECK(document.at("makespan") == 9);
}

TEST_CASE("a certificate that was tampered with proves nothing") {
  const TemporaryFolder folder;
  const std::string path = certificate_of_llcll(folder);
  const std::string text = read_file(path);
  const std::regex weight("\"(other|followed|denominator)\": ?([0-9]+)");
  size_t changed = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), weight), end; it != end; ++it) {
    const auto at = static_cast<size_t>(it->position(2));
    if ((*it)[2] == "0") continue;
    std::string tampered = text;
    // A smaller weight, or a larger denominator: both make the bound smaller.
    tampered.replace(at, static_cast<size_t>(it->length(2)), (*it)[1] == "denominator" ? "1000000" : "0");
    write_file(path, tampered);
    const ProgramRun run = run_warpspan({"verify", path});
    INFO(tampered);
    CHECK(run.status == 3);
    CHECK(run.out.empty());
    CHECK(contains(run.err, path + ": error: invalid certificate: "));
    const Json document = Json::parse(run_warpspan({"verify", path, "--format", "json"}).out);
    CHECK(document.at("valid") == false);
    CHECK(document.at("line").is_null());
    CHECK(document.at("errors").size() == 1);
    ++changed;
  }
  CHECK(changed >= 3);
}

// Its weights add up to 1 once sums wrap at 2^128, and its string has 5.5 * 10^19 symbols.
TEST_CASE("a certificate whose sums wrap proves nothing") {
  const std::string path = "tests/samples/bad/certificate_overflow.json";
  const ProgramRun run = run_warpspan({"verify", path, "--warps", "48"});
  CHECK(run.status == 3);
  CHECK(run.out.empty());
  CHECK(run.err == path + ": error: invalid certificate: the string has more than 2^63 - 1 symbols\n");
}

TEST_CASE("what is no certificate is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("c.json");
  write_file(path, "{\n  \"schema\": ");
  const ProgramRun garbled = run_warpspan({"verify", path});
  CHECK(garbled.status == 3);
  CHECK(contains(garbled.err, "c.json:2:13: error: not a JSON file: "));
  write_file(path, "{}");
  CHECK(contains(run_warpspan({"verify", path}).err, "c.json: error: the document: member 'schema' is missing\n"));
  CHECK(run_warpspan({"verify", "missing.json"}).status == 2);
  CHECK(run_warpspan({"verify"}).status == 2);
  CHECK(run_warpspan({"verify", path, "--warps", "1"}).err ==
        "error: --warps: a certificate holds from 2 warps on, got '1'\n");
}

TEST_CASE("there is no certificate for a single warp") {
  const TemporaryFolder folder;
  const ProgramRun run = solve({"--string", "LC", "--warps", "1", "--certificate", folder.file("c.json")});
  CHECK(run.status == 3);
  CHECK(contains(run.out, "worst-case makespan = 2 cycles (exact)"));
  CHECK(contains(run.err, "error: no certificate was found, so '"));
  CHECK(folder.files() == 0);
}

TEST_CASE("Ctrl-C ends the search with what is known by then") {
  std::vector<std::string> arguments = endless;
  arguments.insert(arguments.begin(), {"solve", "--warps", "40"});
  const ProgramRun exact = warpspan::test::interrupt_warpspan(arguments);
  CHECK(exact.status == 130);
  CHECK(contains(exact.out, "cancelled"));
  CHECK(exact.err == "note: interrupted: the report tells what was known by then\n");

  arguments.back() = "exact,list";
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProgramRun bounded = warpspan::test::interrupt_warpspan(arguments);
  CHECK(bounded.status == 0);
  const Json document = Json::parse(bounded.out);
  CHECK(document.at("interrupted") == true);
  CHECK(document.at("bracket").at("upper").is_number());
  CHECK(document.at("errors").empty());
}

TEST_CASE("Ctrl-C leaves the rest of a sweep out") {
  std::vector<std::string> arguments = endless;
  arguments.insert(arguments.begin(), {"solve", "--warps", "38..40"});
  const ProgramRun run = warpspan::test::interrupt_warpspan(arguments);
  CHECK(run.status == 130);
  CHECK(run.err == "note: interrupted: the report leaves out 2 numbers of warps\n");
  CHECK(contains(run.out, "\n       38  "));
  CHECK_FALSE(contains(run.out, "\n       39  "));
}

TEST_CASE("a terminal sees how far a long search is, and nothing of it in the end") {
  std::vector<std::string> arguments = endless;
  arguments[3] = "1.6";
  arguments.insert(arguments.begin(), {"solve", "--warps", "40"});
  arguments.back() = "exact,list";
  const ProgramRun run = warpspan::test::run_on_terminal(arguments);
  CHECK(run.status == 0);
  CHECK(std::regex_search(run.out, std::regex("\rexact search [0-9]+ %, [0-9,]+ <= T <= [0-9,]+\033\\[K")));
  CHECK(contains(run.out, "\r\033[K"));
  CHECK_FALSE(contains(solve(std::vector<std::string>(arguments.begin() + 1, arguments.end())).err, "%"));
}

TEST_CASE("a sweep as a table for other programs") {
  const TemporaryFolder folder;
  const ProgramRun run = solve(
      {"--string", "LLCLL", "--warps", "1..3", "--method", "exact,list,raravi", "--output", folder.file("sweep.csv")});
  CHECK(run.status == 0);
  CHECK(run.out.empty());
  const std::string table = std::regex_replace(read_file(folder.file("sweep.csv")), std::regex("0\\.[0-9]{6}"), "0");
  CHECK(table == "warps,lower,upper,exact,exact_seconds,list,raravi\n1,5,5,5,0,5,\n2,9,9,9,0,10,\n3,13,13,13,0,15,\n");
}

TEST_CASE("a sweep as a picture") {
  const TemporaryFolder folder;
  for (const std::string warps : {"1..6", "4", "1,1000"}) {
    std::vector<std::string> arguments = {"--string", "LLCLL",
                                          "--warps",  warps,
                                          "--method", "certificate,list,witness",
                                          "--output", folder.file("sweep.svg")};
    if (warps == "1..6") arguments.insert(arguments.end(), {"--target", "600"});
    const ProgramRun run = solve(arguments);
    INFO(run.err);
    CHECK(run.status == 0);
    const std::string picture = read_file(folder.file("sweep.svg"));
    CHECK(picture.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0) == 0);
    CHECK(picture.substr(picture.size() - 7) == "</svg>\n");
    CHECK_FALSE(contains(picture, "nan"));
    CHECK_FALSE(contains(picture, "inf"));
    CHECK(contains(picture, "(a) Worst-case makespan of L2CL2"));
    CHECK(contains(picture, warps == "1..6" ? "(b) T(600) estimated" : "(b) T("));
  }
}

TEST_CASE("the problem of the samples is solved, with an option on top") {
  const ProgramRun llcll = solve({"samples/llcll.toml", "--method", "exact"});
  CHECK(llcll.status == 0);
  CHECK(contains(llcll.out, "worst-case makespan = 17 cycles (exact)"));
}
