// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/option_groups.hpp"

#include "tests/app/cli/read_options.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

struct Options {
  BoundRequest request;
  std::string format, output;
  int64_t memory = 0;
};

// Reads them as analyze does; the errors.
std::string read(const std::vector<const char*>& words, Options& options) {
  return test::read_options(words, [&](OptionSet& set) {
    add_bounds(set, options.request);
    add_format(set, {{"text", {}}, {"json", {".json"}}}, "report", options.format);
    add_memory(set, options.memory);
    set.text("--output", "FILE", "Write the report to this file", options.output);
  });
}

std::string errors_of(const std::vector<const char*>& words) {
  Options options;
  return read(words, options);
}

std::string errors_of(const char* option, const std::string& value) {
  return errors_of({"a.ptx", option, value.c_str()});
}

}  // namespace

TEST_CASE("without options there are the defaults") {
  Options options;
  REQUIRE(read({"a.ptx"}, options) == "no error");
  const KernelRequest& kernels = options.request.kernels;
  CHECK(kernels.files == std::vector<std::string>{"a.ptx"});
  CHECK(kernels.kernels.empty());
  CHECK_FALSE(kernels.launch.block);
  CHECK_FALSE(kernels.launch.grid);
  CHECK(kernels.launch.arguments.empty());
  CHECK(kernels.launch.loop_bounds.empty());
  CHECK(options.request.machine.empty());
  CHECK(options.request.limits.seconds == 10);
  CHECK(options.format == "text");
  CHECK(options.memory >= 64 << 20);
  CHECK(options.output.empty());
}

TEST_CASE("all options are taken, anywhere") {
  Options options;
  REQUIRE(read({"--block",
                "16,8",
                "a.ptx",
                "--grid=4,5,6",
                "-",
                "--arg",
                "n=-5",
                "--arg",
                "1=0xFF",
                "--loop-bound",
                "$L_1=20",
                "--loop-bound",
                "L2=9223372036854775807",
                "--kernel",
                "k",
                "--machine",
                "my.toml",
                "--registers",
                "40",
                "--shared",
                "0",
                "--time-limit",
                "0.5",
                "--assume",
                "no-spills",
                "--format",
                "json",
                "--output",
                "out.json",
                "--memory",
                "1G",
                "b.ptx"},
               options) == "no error");
  const BoundRequest& request = options.request;
  CHECK(request.kernels.files == std::vector<std::string>{"a.ptx", "-", "b.ptx"});
  CHECK(request.kernels.kernels == std::vector<std::string>{"k"});
  const ir::Launch& launch = request.kernels.launch;
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
  CHECK(request.assumed.has(*timing::assumption_named("no-spills")));
  CHECK_FALSE(request.assumed.has(*timing::assumption_named("warm-code")));
  CHECK(request.machine == "my.toml");
  CHECK(request.limits.seconds == 0.5);
  CHECK(options.format == "json");
  CHECK(options.output == "out.json");
  CHECK(options.memory == int64_t{1} << 30);
}

TEST_CASE("extents are strict") {
  for (const char* bad : {"0", "", ",", "1,", "1,0", "1,2,3,4", "-1", "+1", " 1", "1 ", "1x", "1.5", "0x10", "8x",
                          "8x8x8x8", "99999999999999999999"}) {
    INFO(bad);
    CHECK(errors_of("--block", bad) ==
          "--block: expected X[,Y[,Z]] with numbers from 1, got '" + std::string(bad) + "'\n");
    CHECK(errors_of("--grid", bad) ==
          "--grid: expected X[,Y[,Z]] with numbers from 1, got '" + std::string(bad) + "'\n");
  }
  CHECK(errors_of("--grid", "5000000000") == "--grid: 5,000,000,000 is above the largest grid, 2,147,483,647\n");
  CHECK(errors_of("--block", "1,2147483648") == "--block: 2,147,483,648 is above the largest block, 2,147,483,647\n");
  CHECK(errors_of("--grid", "2147483647,2147483647,2147483647") == "no error");
  CHECK(errors_of("--block", "2147483647") == "no error");
  CHECK(errors_of("--block", "65536,32768") == "--block: more than 2147483647 threads in a block\n");
  CHECK(errors_of("--block", "2147483647,2147483647,2147483647") ==
        "--block: more than 2147483647 threads in a block\n");
}

TEST_CASE("extents are read as reports write them") {
  Options options;
  REQUIRE(read({"a.ptx", "--block", "16x8", "--grid", "4x5,6"}, options) == "no error");
  CHECK(options.request.kernels.launch.block == ir::Extent{16, 8, 1});
  CHECK(options.request.kernels.launch.grid == ir::Extent{4, 5, 6});
}

TEST_CASE("words stand for several assumptions, and 'none' takes back what stands before it") {
  const auto granted = [](const std::vector<const char*>& words) {
    Options options;
    std::vector<const char*> all = {"a.ptx"};
    for (const char* word : words) all.insert(all.end(), {"--assume", word});
    REQUIRE(read(all, options) == "no error");
    return options.request.assumed;
  };
  timing::Grant usual, aligned;
  usual.assume_usual();
  aligned.assume(timing::Assumption::aligned);
  CHECK(granted({"usual"}) == usual);
  CHECK(granted({"all"}) == timing::Grant(timing::all_rungs()));
  CHECK(granted({"none"}) == timing::Grant());
  CHECK(granted({"usual", "none", "aligned"}) == aligned);
  usual.add(aligned);
  CHECK(granted({"usual,aligned"}) == usual);
  CHECK(granted({"aligned", "usual"}) == usual);
  CHECK(errors_of("--assume", "none,aligned").find("'none' stands among names") != std::string::npos);
  CHECK(errors_of("--assume", "usul").find("did you mean 'usual'?") != std::string::npos);
  CHECK(app::text_of(usual) == "usual,aligned");
  CHECK(app::text_of(timing::Grant()) == "none");
}

TEST_CASE("a label that the shell has replaced is told") {
  CHECK(errors_of("--loop-bound", "=5").find("labels begin with $, which the shell replaces") != std::string::npos);
  CHECK(errors_of("--loop-bound", "L=x").find("labels begin") == std::string::npos);
}

TEST_CASE("bytes of an argument") {
  Options options;
  REQUIRE(read({"a.ptx", "--arg", "s+8:4=100", "--arg", "s+12:4=-1", "--arg", "0+0:8=0x10"}, options) == "no error");
  const auto& arguments = options.request.kernels.launch.arguments;
  REQUIRE(arguments.size() == 3);
  CHECK(arguments[0].parameter == "s");
  CHECK(arguments[0].value == "100");
  REQUIRE(arguments[0].bytes);
  CHECK(arguments[0].bytes->offset == 8);
  CHECK(arguments[0].bytes->count == 4);
  CHECK(arguments[2].parameter == "0");
  CHECK(arguments[2].bytes->count == 8);
  for (const char* bad : {"s+=5", "s+:=5", "s+8:=5", "s+:4=5", "s+8:3=5", "s+8:0=5", "s+8:16=5", "s+-8:4=5",
                          "s+8:4:4=5", "s+4+4:4=5", "s+ 8:4=5", "s+0x8:4=5", "+8:4=5", "s+99999999999:4=5"}) {
    INFO(bad);
    CHECK(errors_of("--arg", bad) ==
          "--arg: expected NAME+OFFSET:BYTES=VALUE with 1, 2, 4 or 8 bytes of the parameter, such as s+8:4=100, got '" +
              std::string(bad) + "'\n");
  }
  CHECK(errors_of({"a.ptx", "--arg", "s+8:4=1", "--arg", "s+8:4=2"}) == "--arg s+8:4: given twice\n");
}

TEST_CASE("buffers have a size, perhaps with a unit") {
  Options options;
  REQUIRE(read({"a.ptx", "--buffer", "x=1", "--buffer", "1=4K", "--buffer", "y=64M", "--buffer", "z=8388607T"},
               options) == "no error");
  const auto& buffers = options.request.kernels.launch.buffers;
  REQUIRE(buffers.size() == 4);
  CHECK(buffers[0].parameter == "x");
  CHECK(buffers[0].bytes == 1);
  CHECK(ir::to_string(buffers[0].origin) == "--buffer");
  CHECK(buffers[1].parameter == "1");
  CHECK(buffers[1].bytes == 4096);
  CHECK(buffers[2].bytes == 64 << 20);
  CHECK(buffers[3].bytes == INT64_MAX - ((int64_t{1} << 40) - 1));
  for (const char* bad : {"x",      "=1",   "x=",     "x=0",        "x=0K",
                          "x=-1",   "x=K",  "x=KB",   "x=4k",       "x=4kB",
                          "x=4Kb",  "x=4B", "x=4KBB", "x=4Ki",      "x=4 KB",
                          "x=0x10", "x=1 ", "x=1=2",  "x=8388608T", "x=9223372036854775808"}) {
    INFO(bad);
    CHECK(errors_of("--buffer", bad) ==
          "--buffer: expected NAME=BYTES with a number from 1, such as x=4096 or x=64MB, got '" + std::string(bad) +
              "'\n");
  }
  Options units;
  REQUIRE(read({"a.ptx", "--buffer", "a=4KB", "--buffer", "b=4KiB", "--buffer", "c=3MB", "--buffer", "d=3MiB",
                "--buffer", "e=2GB", "--buffer", "f=2GiB", "--buffer", "g=1TB", "--buffer", "h=1TiB"},
               units) == "no error");
  std::vector<int64_t> bytes;
  for (const ir::Buffer& buffer : units.request.kernels.launch.buffers) bytes.push_back(buffer.bytes);
  CHECK(bytes == std::vector<int64_t>{4096, 4096, 3 << 20, 3 << 20, int64_t{2} << 30, int64_t{2} << 30,
                                      int64_t{1} << 40, int64_t{1} << 40});
  CHECK(errors_of({"a.ptx", "--buffer", "x=1", "--buffer", "x=1"}) == "--buffer x: given twice\n");
}

TEST_CASE("arguments are strict") {
  for (const char* bad : {"n", "=1"}) {
    INFO(bad);
    CHECK(errors_of("--arg", bad) ==
          "--arg: expected NAME=VALUE with a decimal or hexadecimal integer, got '" + std::string(bad) + "'\n");
  }
  for (const char* bad : {"n=", "n=x", "n=1 ", "n=--1", "n=0x", "n=-", "n=18446744073709551616",
                          "n=-9223372036854775809", "n=1=2", "n=1..", "n=1...2", "n=..3", "n=1..2..3"}) {
    INFO(bad);
    CHECK(errors_of("--arg", bad) ==
          "--arg: " + std::string(bad) + ": '" + std::string(bad).substr(2) +
              "' is neither an integer nor a range of them | write it in decimal or as 0x followed by hexadecimal "
              "digits, and a range as 1..4096\n");
  }
  // What its help says can be given.
  CHECK(errors_of("--arg", "5=1e-5f") ==
        "--arg: 5=1e-5f: '1e-5f' is neither an integer nor a range of them | a floating-point number is given by its "
        "bits: 5+0=f32:0x3727c5ac as f32, 5+0=f64:0x3ee4f8b588e368f1 as f64\n");
  CHECK(errors_of("--arg", "n=-1.5") ==
        "--arg: n=-1.5: '-1.5' is neither an integer nor a range of them | a floating-point number is given by its "
        "bits: n+0=f32:0xbfc00000 as f32, n+0=f64:0xbff8000000000000 as f64\n");
  for (const char* good :
       {"5+0=f32:0x3727c5ac", "n+0=f64:0xbff8000000000000", "n=0", "n=-0", "n=18446744073709551615",
        "n=-9223372036854775808", "n=0xffffffffffffffff", "n=-0x10", "n=1..4096", "n=-4..0x10", "n=5..5"}) {
    INFO(good);
    CHECK(errors_of("--arg", good) == "no error");
  }
  CHECK(errors_of("--arg", "n=9..3") == "--arg: n=9..3: the range 9..3 is empty | write the smaller number first\n");
}

TEST_CASE("values with types") {
  Options options;
  REQUIRE(read({"a.ptx", "--arg", "s+8=u32:1024", "--arg", "0+16=s8:-128..127", "--arg", "f=b64:0xff", "--arg",
                "s+24:2=u16:7", "--arg", "g=f32:0x3f800000"},
               options) == "no error");
  const auto& arguments = options.request.kernels.launch.arguments;
  REQUIRE(arguments.size() == 5);
  CHECK(arguments[0].value == "1024");
  CHECK(arguments[1].value == "-128..127");
  const int64_t places[][2] = {{8, 4}, {16, 1}, {0, 8}, {24, 2}, {0, 4}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    REQUIRE(arguments[i].bytes);
    CHECK(arguments[i].bytes->offset == places[i][0]);
    CHECK(arguments[i].bytes->count == places[i][1]);
  }
  // Each width that a parameter is loaded with, to its ends.
  for (const std::string bits : {"8", "16", "32", "64"}) {
    const int width = std::stoi(bits);
    const uint64_t half = uint64_t{1} << (width - 1);
    const std::string largest = std::to_string(half - 1 + half);
    CHECK(errors_of("--arg", "s+0=u" + bits + ":" + largest) == "no error");
    CHECK(errors_of("--arg", "s+0=b" + bits + ":" + largest) == "no error");
    CHECK(errors_of("--arg", "s+0=s" + bits + ":" + std::to_string(half - 1)) == "no error");
    CHECK(errors_of("--arg", "s+0=s" + bits + ":-" + std::to_string(half)) == "no error");
    CHECK(errors_of("--arg", "s+0=b" + bits + ":-" + std::to_string(half)) == "no error");
    const auto refused = [&](const std::string& type, const std::string& value) {
      CHECK(errors_of("--arg", "s+0=" + type + ":" + value) ==
            "--arg: s+0=" + type + ":" + value + ": " + value + " is no value of type " + type + "\n");
    };
    refused("u" + bits, "-1");
    refused("u" + bits, "-1..1");
    refused("s" + bits, std::to_string(half));
    if (width == 64) continue;
    refused("u" + bits, std::to_string(2 * half));
    refused("b" + bits, "0.." + std::to_string(2 * half));
    refused("s" + bits, "-" + std::to_string(half + 1));
  }
  CHECK(errors_of("--arg", "s+8=5") ==
        "--arg: s+8=5: how many bytes of 's' are given is not said | write its type, as s+8=u32:5, or their number, as "
        "s+8:4=5\n");
  CHECK(errors_of("--arg", "s+8:4=u64:5") ==
        "--arg: s+8:4=u64:5: 4 bytes are not those of type u64 | leave one of them out\n");
  for (const std::string type : {"int", "u", "u12", "x32", "32", "", "u128", "pred"}) {
    CHECK(errors_of("--arg", "s+8=" + type + ":5") == "--arg: s+8=" + type + ":5: '" + type +
                                                          "' is no type of a value | write one of b, u, s or f with 8, "
                                                          "16, 32 or 64 bits, as u32:100\n");
  }
}

TEST_CASE("variables of the file") {
  Options options;
  REQUIRE(read({"a.ptx", "--global", "N=1024", "--global", "table[3]=u32:7", "--global", "ns::t<1>::x+12:4=1..9",
                "--trust-initialisers"},
               options) == "no error");
  const ir::Launch& launch = options.request.kernels.launch;
  CHECK(launch.trust_initialisers);
  REQUIRE(launch.globals.size() == 3);
  CHECK(launch.globals[0].parameter == "N");
  CHECK(launch.globals[0].value == "1024");
  CHECK(launch.globals[0].origin.giver == "--global");
  CHECK(launch.globals[1].element == 3);
  CHECK(launch.globals[1].bytes->count == 4);
  CHECK(launch.globals[2].parameter == "ns::t<1>::x");
  CHECK(launch.globals[2].value == "1..9");
  for (const char* bad : {"N", "=1", "table[x]=1", "[3]=1", "+8:4=1", "s+8:3=5"}) {
    INFO(bad);
    CHECK(
        errors_of("--global", bad) ==
        "--global: expected NAME=VALUE, NAME[3]=VALUE or NAME+OFFSET=TYPE:VALUE, such as N=1024 or table+12=u32:7, got "
        "'" +
            std::string(bad) + "'\n");
  }
  CHECK(errors_of("--global", "N=9..3") ==
        "--global: N=9..3: the range 9..3 is empty | write the smaller number first\n");
  CHECK(errors_of({"a.ptx", "--global", "N=1", "--global", "N=1"}) == "--global N: given twice\n");
}

TEST_CASE("all wrong values of a command line are told at once") {
  CHECK(errors_of({"--block", "0", "--arg", "n", "--format", "xml", "--time-limit", "soon"}) ==
        "no file is given | give at least one file, or - for standard input\n"
        "--block: expected X[,Y[,Z]] with numbers from 1, got '0'\n"
        "--arg: expected NAME=VALUE with a decimal or hexadecimal integer, got 'n'\n"
        "--time-limit: expected seconds from 0 to 1000000, got 'soon'\n"
        "--format: expected text or json, got 'xml'\n");
}
