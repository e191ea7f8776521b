#include "app/cli/options.hpp"

#include <catch2/catch.hpp>

namespace warpspan::app {

namespace {

support::Result<Command> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "warpspan");
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

// "message | help" of each error, one a line.
std::string errors_of(const std::vector<const char*>& words) {
  const auto command = parse(words);
  if (command) return "no error";
  std::string text;
  for (const support::Diagnostic& error : command.errors()) {
    CHECK(error.cause == support::Cause::usage);
    text += error.message + (error.help.empty() ? "" : " | " + error.help) + "\n";
  }
  return text;
}

std::string analyze_errors(const char* option, const char* value) {
  return errors_of({"analyze", "a.ptx", option, value});
}

}  // namespace

TEST_CASE("analyze without options has the defaults") {
  const auto command = parse({"analyze", "a.ptx"});
  REQUIRE(command);
  const auto& options = std::get<AnalyzeOptions>(*command);
  CHECK(options.input.files == std::vector<std::string>{"a.ptx"});
  CHECK(options.input.kernel.empty());
  CHECK_FALSE(options.input.launch.block);
  CHECK_FALSE(options.input.launch.grid);
  CHECK(options.input.launch.arguments.empty());
  CHECK(options.input.launch.loop_bounds.empty());
  CHECK(options.machine.empty());
  CHECK(options.time_limit == 10);
  CHECK(options.format == Format::text);
  CHECK(options.output.empty());
}

TEST_CASE("analyze takes all its options, anywhere") {
  const auto command = parse({"analyze",      "--block",
                              "16,8",         "a.ptx",
                              "--grid=4,5,6", "-",
                              "--arg",        "n=-5",
                              "--arg",        "1=0xFF",
                              "--loop-bound", "$L_1=20",
                              "--loop-bound", "L2=9223372036854775807",
                              "--kernel",     "k",
                              "--machine",    "my.toml",
                              "--registers",  "40",
                              "--shared",     "0",
                              "--time-limit", "0.5",
                              "--format",     "json",
                              "--output",     "out.json",
                              "b.ptx"});
  REQUIRE(command);
  const auto& options = std::get<AnalyzeOptions>(*command);
  CHECK(options.input.files == std::vector<std::string>{"a.ptx", "-", "b.ptx"});
  CHECK(options.input.kernel == "k");
  const ir::Launch& launch = options.input.launch;
  REQUIRE(launch.block);
  CHECK(launch.block->x == 16);
  CHECK(launch.block->y == 8);
  CHECK(launch.block->z == 1);
  REQUIRE(launch.grid);
  CHECK(launch.grid->x == 4);
  CHECK(launch.grid->y == 5);
  CHECK(launch.grid->z == 6);
  REQUIRE(launch.arguments.size() == 2);
  CHECK(launch.arguments[0].parameter == "n");
  CHECK(launch.arguments[0].value == "-5");
  CHECK(launch.arguments[1].parameter == "1");
  CHECK(launch.arguments[1].value == "0xFF");
  CHECK(launch.registers == 40);
  CHECK(launch.dynamic_shared == 0);
  REQUIRE(launch.loop_bounds.size() == 2);
  CHECK(launch.loop_bounds[0].label == "$L_1");
  CHECK(launch.loop_bounds[0].trip_count == 20);
  CHECK(launch.loop_bounds[1].trip_count == INT64_MAX);
  CHECK(options.machine == "my.toml");
  CHECK(options.time_limit == 0.5);
  CHECK(options.format == Format::json);
  CHECK(options.output == "out.json");
}

TEST_CASE("string and machines have their own options") {
  const auto string = parse({"string", "a.ptx", "--block", "32", "--format", "json", "--arg", "n=1"});
  REQUIRE(string);
  CHECK(std::get<StringOptions>(*string).format == Format::json);
  CHECK(std::get<StringOptions>(*string).input.launch.arguments.size() == 1);
  CHECK(errors_of({"string", "a.ptx", "--machine", "fermi"}) ==
        "unknown option '--machine' | see 'warpspan string --help'\n");

  const auto machines = parse({"machines"});
  REQUIRE(machines);
  CHECK(std::get<MachinesOptions>(*machines).name.empty());
  const auto fermi = parse({"machines", "fermi"});
  REQUIRE(fermi);
  CHECK(std::get<MachinesOptions>(*fermi).name == "fermi");
  CHECK(errors_of({"machines", "fermi", "volta"}) != "no error");
}

TEST_CASE("extents are strict") {
  for (const char* bad : {"0", "", ",", "1,", "1,0", "1,2,3,4", "-1", "+1", " 1", "1 ", "1x", "1.5", "0x10",
                          "2147483648", "99999999999999999999"}) {
    INFO(bad);
    CHECK(analyze_errors("--block", bad) ==
          "--block: expected X[,Y[,Z]] with numbers from 1, got '" + std::string(bad) + "'\n");
    CHECK(analyze_errors("--grid", bad) ==
          "--grid: expected X[,Y[,Z]] with numbers from 1, got '" + std::string(bad) + "'\n");
  }
  CHECK(analyze_errors("--grid", "2147483647,2147483647,2147483647") == "no error");
  CHECK(analyze_errors("--block", "2147483647") == "no error");
  CHECK(analyze_errors("--block", "65536,32768") == "--block: more than 2147483647 threads in a block\n");
  CHECK(analyze_errors("--block", "2147483647,2147483647,2147483647") ==
        "--block: more than 2147483647 threads in a block\n");
}

TEST_CASE("bytes of an argument") {
  const auto command = parse({"analyze", "a.ptx", "--arg", "s+8:4=100", "--arg", "s+12:4=-1", "--arg", "0+0:8=0x10"});
  REQUIRE(command);
  const auto& arguments = std::get<AnalyzeOptions>(*command).input.launch.arguments;
  REQUIRE(arguments.size() == 3);
  CHECK(arguments[0].parameter == "s");
  CHECK(arguments[0].value == "100");
  REQUIRE(arguments[0].bytes);
  CHECK(arguments[0].bytes->offset == 8);
  CHECK(arguments[0].bytes->count == 4);
  CHECK(arguments[2].parameter == "0");
  CHECK(arguments[2].bytes->count == 8);
  for (const char* bad : {"s+8=5", "s+=5", "s+:=5", "s+8:=5", "s+:4=5", "s+8:3=5", "s+8:0=5", "s+8:16=5", "s+-8:4=5",
                          "s+8:4:4=5", "s+4+4:4=5", "s+ 8:4=5", "s+0x8:4=5", "+8:4=5", "s+99999999999:4=5"}) {
    INFO(bad);
    CHECK(analyze_errors("--arg", bad) ==
          "--arg: expected NAME+OFFSET:BYTES=VALUE with 1, 2, 4 or 8 bytes of the parameter, such as s+8:4=100, got '" +
              std::string(bad) + "'\n");
  }
  CHECK(errors_of({"analyze", "a.ptx", "--arg", "s+8:4=1", "--arg", "s+8:4=2"}) == "--arg s+8:4: given twice\n");
}

TEST_CASE("arguments are strict") {
  for (const char* bad : {"n", "=1", "n=", "n=x", "n=1.5", "n=1 ", "n=--1", "n=0x", "n=-", "n=18446744073709551616",
                          "n=-9223372036854775809", "n=1=2"}) {
    INFO(bad);
    CHECK(analyze_errors("--arg", bad) ==
          "--arg: expected NAME=VALUE with a decimal or hexadecimal integer, got '" + std::string(bad) + "'\n");
  }
  for (const char* good :
       {"n=0", "n=-0", "n=18446744073709551615", "n=-9223372036854775808", "n=0xffffffffffffffff", "n=-0x10"}) {
    INFO(good);
    CHECK(analyze_errors("--arg", good) == "no error");
  }
}

TEST_CASE("registers and shared memory are strict") {
  for (const char* bad : {"0", "-1", "65537", "1x", "0x20"}) {
    CHECK(analyze_errors("--registers", bad) ==
          "--registers: expected a number of registers from 1 to 65536, got '" + std::string(bad) + "'\n");
  }
  for (const char* bad : {"-1", "2147483648", "48KB"}) {
    CHECK(analyze_errors("--shared", bad) ==
          "--shared: expected bytes from 0 to 2147483647, got '" + std::string(bad) + "'\n");
  }
  CHECK(errors_of({"analyze", "a.ptx", "--registers", "1", "--registers", "2"}) == "--registers: given twice\n");
}

TEST_CASE("loop bounds are strict") {
  for (const char* bad : {"L", "=1", "L=", "L=0", "L=-1", "L=1x", "L=0x10", "L=9223372036854775808"}) {
    INFO(bad);
    CHECK(analyze_errors("--loop-bound", bad) ==
          "--loop-bound: expected LABEL=N with a number from 1, got '" + std::string(bad) + "'\n");
  }
}

TEST_CASE("the time limit and the format are strict") {
  for (const char* bad : {"-1", "x", "1s", "nan", "inf", "1000001", "-0", "0x1", " 1"}) {
    INFO(bad);
    CHECK(analyze_errors("--time-limit", bad) ==
          "--time-limit: expected seconds from 0 to 1000000, got '" + std::string(bad) + "'\n");
  }
  CHECK(analyze_errors("--time-limit", "0") == "no error");
  CHECK(analyze_errors("--time-limit", "1e6") == "no error");
  CHECK(analyze_errors("--format", "xml") == "--format: expected text or json, got 'xml'\n");
  CHECK(analyze_errors("--format", "") == "--format: expected text or json, got ''\n");
}

TEST_CASE("assumptions are granted by their names") {
  CHECK(analyze_errors("--assume", "warm-code,no-spills") == "no error");
  CHECK(analyze_errors("--assume", "warm-cod") ==
        "--assume: nothing is called 'warm-cod' | did you mean 'warm-code'?\n");
  CHECK(analyze_errors("--assume", "warm-code,") ==
        "--assume: nothing is called '' | one can assume warm-code, keeps-code, keeps-constants and no-spills\n");
}

TEST_CASE("solve takes all its options") {
  const auto command =
      parse({"solve", "p.toml",        "--string",   "L2C",         "--warps",  "1..3",      "--sigma",
             "C=2",   "--method",      "exact,list", "--target",    "9",        "--horizon", "published",
             "--lp",  "p.lp",          "--output",   "report.json", "--format", "json",      "--time-limit",
             "0.5",   "--certificate", "c.json",     "--schedule"});
  REQUIRE(command);
  const auto& options = std::get<SolveOptions>(*command);
  CHECK(options.problem_file == "p.toml");
  CHECK(ir::to_string(*options.settings.string) == "L2C");
  CHECK(options.settings.warps == std::vector<int64_t>{1, 2, 3});
  CHECK(options.settings.sigma[1] == support::Rational{2, 1});
  CHECK(options.settings.methods == std::vector{solver::Method::exact, solver::Method::list});
  CHECK(options.settings.target == 9);
  CHECK(options.settings.horizon == solver::Horizon::published);
  CHECK(options.settings.time_limit == 0.5);
  CHECK(options.settings.schedule == true);
  CHECK(options.lp == "p.lp");
  CHECK(options.certificate == "c.json");
  CHECK(options.output == "report.json");
  CHECK(options.format == Format::json);
  CHECK(errors_of({"solve", "--string", "L", "--string", "C", "--warps", "2"}) == "--string: given twice\n");
  CHECK(errors_of({"solve", "p.toml", "--certificate", ""}) == "--certificate: expected a value, got an empty one\n");
}

TEST_CASE("verify takes one certificate") {
  const auto command = parse({"verify", "c.json", "--warps", "600"});
  REQUIRE(command);
  CHECK(std::get<VerifyOptions>(*command).file == "c.json");
  CHECK(std::get<VerifyOptions>(*command).warps == 600);
  CHECK(errors_of({"verify", "a.json", "b.json"}).rfind("give one certificate at a time | ", 0) == 0);
  CHECK(errors_of({"verify", "a.json", "--warps", "0"}) == "--warps: expected a number of warps from 1, got '0'\n");
}

TEST_CASE("an option that is given twice or without a value is an error") {
  CHECK(errors_of({"analyze", "a.ptx", "--block", "1", "--block", "2"}) == "--block: given twice\n");
  CHECK(errors_of({"analyze", "a.ptx", "--kernel", "a", "--kernel", "b"}) == "--kernel: given twice\n");
  CHECK(errors_of({"analyze", "a.ptx", "--format", "json", "--format", "json"}) == "--format: given twice\n");
  CHECK(errors_of({"analyze", "a.ptx", "--arg", "n=1", "--arg", "n=2"}) == "--arg n: given twice\n");
  CHECK(errors_of({"analyze", "a.ptx", "--loop-bound", "L=1", "--loop-bound", "L=1"}) ==
        "--loop-bound L: given twice\n");
  CHECK(errors_of({"analyze", "a.ptx", "--machine", ""}) == "--machine: expected a value, got an empty one\n");
  CHECK(errors_of({"analyze", "a.ptx", "--block"}) ==
        "--block: 1 required X[,Y[,Z]] missing | see 'warpspan analyze --help'\n");
}

TEST_CASE("all wrong values of a command line are told at once") {
  CHECK(errors_of({"analyze", "--block", "0", "--arg", "n", "--format", "xml", "--time-limit", "soon"}) ==
        "no file is given | give at least one file, or - for standard input\n"
        "--block: expected X[,Y[,Z]] with numbers from 1, got '0'\n"
        "--arg: expected NAME=VALUE with a decimal or hexadecimal integer, got 'n'\n"
        "--format: expected text or json, got 'xml'\n"
        "--time-limit: expected seconds from 0 to 1000000, got 'soon'\n");
}

TEST_CASE("what is not known is told with what is") {
  CHECK(errors_of({}) ==
        "no command is given | the commands are analyze, string, solve, verify and machines; see 'warpspan --help'\n");
  CHECK(errors_of({"analyse", "a.ptx"}) ==
        "unknown command 'analyse' | the commands are analyze, string, solve, verify and machines\n");
  CHECK(errors_of({"analyze", "a.ptx", "--fast"}) == "unknown option '--fast' | see 'warpspan analyze --help'\n");
  CHECK(errors_of({"--fast"}) == "unknown option '--fast' | see 'warpspan --help'\n");
  CHECK(errors_of({"analyze", "a.ptx", "--facts", "f.toml"}) ==
        "unknown option '--facts' | see 'warpspan analyze --help'\n");
}

TEST_CASE("help has examples for every command, and the version is one line") {
  const auto version = parse({"--version"});
  REQUIRE(version);
  CHECK(std::get<PrintText>(*version).text == "warpspan 0.1.0\n");
  for (const std::string command : {"analyze", "string", "machines"}) {
    const auto help = parse({command.c_str(), "--help"});
    REQUIRE(help);
    const std::string& text = std::get<PrintText>(*help).text;
    INFO(text);
    CHECK(text.find("Examples:\n  warpspan " + command) != std::string::npos);
    for (size_t i = 0, end = 0; end != std::string::npos; i = end + 1) {
      end = text.find('\n', i);
      CHECK(std::min(end, text.size()) - i <= 120);
    }
  }
  const auto help = parse({"--help"});
  REQUIRE(help);
  CHECK(std::get<PrintText>(*help).text.find("Examples:\n  warpspan analyze") != std::string::npos);
}

}  // namespace warpspan::app
