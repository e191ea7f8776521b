#include "app/cli/option_groups.hpp"

#include "tests/app/cli/read_options.hpp"

namespace warpspan::app {

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
    add_format(set, {"text", "json"}, "report", options.format);
    add_memory(set, options.memory);
    set.text("--output", "FILE", "Write the report to this file", options.output);
  });
}

std::string errors_of(const std::vector<const char*>& words) {
  Options options;
  return read(words, options);
}

std::string errors_of(const char* option, const char* value) { return errors_of({"a.ptx", option, value}); }

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
  CHECK(request.granted.has(*timing::assumption_named("no-spills")));
  CHECK_FALSE(request.granted.has(*timing::assumption_named("warm-code")));
  CHECK(request.machine == "my.toml");
  CHECK(request.limits.seconds == 0.5);
  CHECK(options.format == "json");
  CHECK(options.output == "out.json");
  CHECK(options.memory == int64_t{1} << 30);
}

TEST_CASE("extents are strict") {
  for (const char* bad : {"0", "", ",", "1,", "1,0", "1,2,3,4", "-1", "+1", " 1", "1 ", "1x", "1.5", "0x10",
                          "2147483648", "99999999999999999999"}) {
    INFO(bad);
    CHECK(errors_of("--block", bad) ==
          "--block: expected X[,Y[,Z]] with numbers from 1, got '" + std::string(bad) + "'\n");
    CHECK(errors_of("--grid", bad) ==
          "--grid: expected X[,Y[,Z]] with numbers from 1, got '" + std::string(bad) + "'\n");
  }
  CHECK(errors_of("--grid", "2147483647,2147483647,2147483647") == "no error");
  CHECK(errors_of("--block", "2147483647") == "no error");
  CHECK(errors_of("--block", "65536,32768") == "--block: more than 2147483647 threads in a block\n");
  CHECK(errors_of("--block", "2147483647,2147483647,2147483647") ==
        "--block: more than 2147483647 threads in a block\n");
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
  for (const char* bad : {"s+8=5", "s+=5", "s+:=5", "s+8:=5", "s+:4=5", "s+8:3=5", "s+8:0=5", "s+8:16=5", "s+-8:4=5",
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
  for (const char* bad : {"x", "=1", "x=", "x=0", "x=0K", "x=-1", "x=K", "x=4k", "x=4KB", "x=0x10", "x=1 ", "x=1=2",
                          "x=8388608T", "x=9223372036854775808"}) {
    INFO(bad);
    CHECK(errors_of("--buffer", bad) ==
          "--buffer: expected NAME=BYTES with a number from 1, such as x=4096 or x=64M, got '" + std::string(bad) +
              "'\n");
  }
  CHECK(errors_of({"a.ptx", "--buffer", "x=1", "--buffer", "x=1"}) == "--buffer x: given twice\n");
}

TEST_CASE("arguments are strict") {
  for (const char* bad : {"n", "=1", "n=", "n=x", "n=1.5", "n=1 ", "n=--1", "n=0x", "n=-", "n=18446744073709551616",
                          "n=-9223372036854775809", "n=1=2"}) {
    INFO(bad);
    CHECK(errors_of("--arg", bad) ==
          "--arg: expected NAME=VALUE with a decimal or hexadecimal integer, got '" + std::string(bad) + "'\n");
  }
  for (const char* good :
       {"n=0", "n=-0", "n=18446744073709551615", "n=-9223372036854775808", "n=0xffffffffffffffff", "n=-0x10"}) {
    INFO(good);
    CHECK(errors_of("--arg", good) == "no error");
  }
}

TEST_CASE("registers and shared memory are strict") {
  for (const char* bad : {"0", "-1", "65537", "1x", "0x20"}) {
    CHECK(errors_of("--registers", bad) ==
          "--registers: expected a number of registers from 1 to 65536, got '" + std::string(bad) + "'\n");
  }
  for (const char* bad : {"-1", "2147483648", "48KB"}) {
    CHECK(errors_of("--shared", bad) ==
          "--shared: expected bytes from 0 to 2147483647, got '" + std::string(bad) + "'\n");
  }
  CHECK(errors_of({"a.ptx", "--registers", "0", "--registers", "2"}) == "no error");
}

TEST_CASE("loop bounds are strict") {
  for (const char* bad : {"L", "=1", "L=", "L=0", "L=-1", "L=1x", "L=0x10", "L=9223372036854775808", "k:=1", ":L=1",
                          "line:0=1", "k.cu:4294967296=1", "a b=1", ":k.cu:3=1"}) {
    INFO(bad);
    CHECK(errors_of("--loop-bound", bad) == "--loop-bound: expected PLACE=N with a number from 1, got '" +
                                                std::string(bad) +
                                                "' | a place is a label, such as 0x1a0 in machine code, line:63 or "
                                                "kernel.cu:42, with the kernel before it if it is only for that one: "
                                                "--loop-bound 'KERNEL:line:63=16'\n");
  }
}

TEST_CASE("the time limit and the format are strict") {
  for (const char* bad : {"-1", "x", "1s", "nan", "inf", "1000001", "-0", "0x1", " 1"}) {
    INFO(bad);
    CHECK(errors_of("--time-limit", bad) ==
          "--time-limit: expected seconds from 0 to 1000000, got '" + std::string(bad) + "'\n");
  }
  CHECK(errors_of("--time-limit", "0") == "no error");
  CHECK(errors_of("--time-limit", "1e6") == "no error");
  CHECK(errors_of("--format", "xml") == "--format: expected text or json, got 'xml'\n");
  CHECK(errors_of("--format", "") == "--format: expected text or json, got ''\n");
}

TEST_CASE("assumptions are granted by their names") {
  CHECK(errors_of("--assume", "warm-code,no-spills") == "no error");
  CHECK(errors_of("--assume", "warm-cod") == "--assume: nothing is called 'warm-cod' | did you mean 'warm-code'?\n");
  CHECK(
      errors_of("--assume", "warm-code,") ==
      "--assume: nothing is called '' | one can assume warm-code, keeps-code, shares-code, keeps-constants, no-spills, "
      "aligned, spread, stream and keeps\n");
}

TEST_CASE("what two values of an option contradict, and an option without a value, is an error") {
  CHECK(errors_of({"a.ptx", "--block", "0", "--block", "2"}) == "no error");
  CHECK(errors_of({"a.ptx", "--format", "jsn"}) ==
        "--format: expected text or json, got 'jsn' | did you mean 'json'?\n");
  CHECK(errors_of({"a.ptx", "--arg", "n=1", "--arg", "n=2"}) == "--arg n: given twice\n");
  CHECK(errors_of({"a.ptx", "--loop-bound", "L=1", "--loop-bound", "L=1"}) == "--loop-bound L: given twice\n");
  CHECK(errors_of({"a.ptx", "--machine", ""}) == "--machine: expected a value, got an empty one\n");
  CHECK(errors_of({"a.ptx", "--block"}) == "--block: 1 required X[,Y[,Z]] missing | see 'warpspan command --help'\n");
}

TEST_CASE("all wrong values of a command line are told at once") {
  CHECK(errors_of({"--block", "0", "--arg", "n", "--format", "xml", "--time-limit", "soon"}) ==
        "no file is given | give at least one file, or - for standard input\n"
        "--block: expected X[,Y[,Z]] with numbers from 1, got '0'\n"
        "--arg: expected NAME=VALUE with a decimal or hexadecimal integer, got 'n'\n"
        "--time-limit: expected seconds from 0 to 1000000, got 'soon'\n"
        "--format: expected text or json, got 'xml'\n");
}

}  // namespace warpspan::app
