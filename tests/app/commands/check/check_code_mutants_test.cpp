// SPDX-License-Identifier: GPL-3.0-or-later
// The gate's contract, over machine code and over what an assembler makes: every way to pass it wrongly fails.
#include "tests/app/commands/check_gate.hpp"
#include "tests/app/fake_assembler.hpp"

namespace {

using namespace warpspan::test;

const std::string stored = "tests/machine_code/data/saxpy.sm_80.O3.cubin";
const std::string launch = "block = 256\ngrid = 4\nargs = { 3 = 4096 }\n";

std::string in_source(const std::string& name) { return source_dir() + "/" + name; }

// A gate over the machine code of a kernel, as a cubin.
class CodeGate : public Gate {
 public:
  CodeGate() : Gate("k.cubin", stored, "saxpy", launch) { update(); }
};

// The same over an object that holds the PTX as well.
class ObjectGate : public Gate {
 public:
  ObjectGate() : Gate("k.o", "tests/frontend/object/data/saxpy.o", "saxpy", "block = 256\ngrid = 64\n") { update(); }
};

// The same with PTX that is not compressed.
class UnpackedGate : public Gate {
 public:
  UnpackedGate()
      : Gate("k.fatbin", "tests/frontend/object/data/saxpy.none.fatbin", "saxpy", "block = 256\ngrid = 64\n") {
    update();
  }
};

// The same over PTX and a command that assembles it.
class AssembledGate : public Gate {
 public:
  AssembledGate() : Gate("k.ptx", "samples/saxpy.nvcc-sm_80.ptx", "saxpy", launch) {
    assemble("cp '" + in_source(stored) + "' \"$out\"");
    append("budgets.toml", "assemble = \"" + tools_.file("as") + " -O3\"\n");
    update();
  }

  void assemble(const std::string& work, const std::string& version = "fake assembler, release 1.0") const {
    fake_assembler(tools_, "as", work, version);
  }
  // Whether it was asked to make anything since the last time.
  bool was_run() const { return std::filesystem::remove(tools_.file("as.words")); }

 private:
  TemporaryFolder tools_;
};

// Where the words of the stored kernel stand, of 16 bytes each; and the field of one that says how many cycles later
// the next may issue.
constexpr size_t begin_of_code = 1792, word_bytes = 16, words = 22;

std::string with_stall(std::string cubin, size_t word, unsigned stall) {
  const size_t at = begin_of_code + word * word_bytes + 13;  // bits 105 to 108
  const auto bits = static_cast<unsigned char>(cubin[at]);
  cubin[at] = static_cast<char>((bits & ~0x1eU) | (stall << 1U));
  return cubin;
}

std::string with_opcode_of_nothing(std::string cubin, size_t word) {
  const size_t at = begin_of_code + word * word_bytes;
  cubin[at] = '\xff';
  cubin[at + 1] = static_cast<char>(cubin[at + 1] | 0x0f);
  return cubin;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

TEST_CASE("the gates over machine code that the mutants are made of hold") {
  const CodeGate code;
  const ObjectGate object;
  const AssembledGate assembled;
  for (const Gate* gate :
       {static_cast<const Gate*>(&code), static_cast<const Gate*>(&object), static_cast<const Gate*>(&assembled)}) {
    gate->check_passes();
    gate->check_passes({"--fail-on-unused", "--ratchet", "0%"});
  }
}

TEST_CASE("mutants of machine code: what grew is over its budget") {
  const CodeGate argument;
  argument.replace("budgets.toml", "4096", "8192");
  argument.check_fails(1, "over");
  const CodeGate machine;
  machine.replace("budgets.toml", "\"ampere\"", "\"turing\"");
  machine.check_fails(1, "over");
  const CodeGate blocks;
  blocks.replace("budgets.toml", "grid = 4", "grid = 1");  // a thread has more turns
  blocks.check_fails(1, "over");
  const CodeGate slower;
  slower.write("k.cubin", read_file(in_source("tests/machine_code/data/saxpy.sm_80.O1.cubin")));
  slower.append("budgets.toml", "assume = \"warm-code\"\n");
  slower.update();
  const std::string cubin = slower.read("k.cubin");
  size_t grown = 0;
  const std::vector<std::string> formats = check_format_names();
  for (size_t word = 0; word < words; ++word) {
    INFO(word);
    slower.write("k.cubin", with_stall(cubin, word, 15));
    const ProgramRun run = slower.run({});
    CHECK((run.status == 0 || run.status == 1));
    if (run.status == 0) continue;  // it waited for longer before
    ++grown;
    slower.check_fails(1, "over", {}, {formats[word % formats.size()]});
  }
  CHECK(grown > words / 4);
}

TEST_CASE("mutants of machine code: a word that nothing explains, anywhere") {
  const CodeGate gate;
  const std::string cubin = gate.read("k.cubin");
  const std::vector<std::string> formats = check_format_names();
  for (size_t word = 0; word < words; ++word) {
    INFO(word);
    gate.write("k.cubin", with_opcode_of_nothing(cubin, word));
    gate.check_fails(3, "unknown machine instruction", {}, {formats[word % formats.size()]});
  }
}

TEST_CASE("mutants of machine code: files that are cut off or of another kind") {
  const CodeGate gate;
  const std::string cubin = gate.read("k.cubin");
  const std::vector<std::string> formats = check_format_names();
  for (size_t bytes = 4; bytes < cubin.size(); bytes += cubin.size() / 40) {
    INFO(bytes);
    gate.write("k.cubin", cubin.substr(0, bytes));
    const ProgramRun run = gate.run({"--format", formats[bytes % formats.size()]});
    CHECK((run.status == 2 || run.status == 3));
  }
  gate.write("k.cubin", "");
  gate.check_fails(3, "the file holds no PTX");
  gate.write("k.cubin", read_file(in_source("tests/frontend/object/data/host.o")));
  gate.check_fails(3, "the file holds no GPU code");
  gate.remove("k.cubin");
  gate.check_fails(2, "No such file or directory");
  gate.write("k.cubin", replaced(cubin, "saxpy", "saxpz"));
  gate.check_fails(2, "the budget names no kernel");
  gate.write("k.cubin", read_file(in_source("tests/machine_code/data/matmul_tiled.sm_80.O3.cubin")));
  gate.check_fails(2, "the budget names no kernel");
}

TEST_CASE("mutants of machine code: what cannot be bounded, or contradicts it") {
  const CodeGate loop;
  loop.replace("budgets.toml", "args", "# args");
  loop.check_fails(3, "no bound for the loop");
  const CodeGate registers;
  registers.append("budgets.toml", "registers = 10\n");
  registers.check_fails(2, "has 14 registers by");
  const CodeGate few;
  few.append("budgets.toml", "max_registers = 13\n");
  few.check_fails(1, "over");
  const CodeGate argument;
  argument.replace("budgets.toml", "3 = 4096", "n = 4096");
  argument.check_fails(3, "no bound for the loop");
  const CodeGate trips;
  trips.append("budgets.toml", "loop_bounds = { 0xa0 = 1 }\n");
  trips.check_fails(3, "cannot be true");
  const CodeGate facts;
  facts.write("facts.toml", "[[kernel]]\nname = \"saxpy\"\nsha256 = \"" + std::string(64, '0') + "\"\n");
  facts.append("budgets.toml", "facts = \"facts.toml\"\n");
  facts.check_fails(3, "is not the code that these facts were written for");
}

TEST_CASE("mutants of machine code: the PTX beside it decides nothing") {
  const UnpackedGate gate;
  const std::string file = gate.read("k.fatbin");
  for (const auto& [from, to] :
       {std::pair("ret;", "rat;"), {"ld.global", "ld.shared"}, {".entry saxpy(", ".entry other("}}) {
    INFO(from);
    REQUIRE(contains(file, from));
    gate.write("k.fatbin", replaced(file, from, to));
    if (std::string(to) == ".entry other(") {
      gate.check_passes({"--ratchet", "0%"});
      gate.replace("budgets.toml", "\"saxpy\"", "\"other\"");
      gate.check_fails(2, "the budget names no kernel");
    } else {
      gate.check_passes({"--ratchet", "0%"});
    }
  }
}

TEST_CASE("mutants of assembling: what it makes is what counts") {
  const AssembledGate gate;
  CHECK(gate.was_run());
  std::string slow = read_file(in_source(stored));
  for (size_t word = 0; word < words; ++word) slow = with_stall(slow, word, 15);
  gate.write("slow.cubin", slow);
  gate.assemble("cp '" + gate.path("slow.cubin") + "' \"$out\"");
  gate.check_fails(1, "over");
  gate.write("slow.cubin", with_opcode_of_nothing(slow, 3));
  gate.check_fails(3, "unknown machine instruction");
}

TEST_CASE("mutants of assembling: an assembler that fails fails the check") {
  const AssembledGate gate;
  const auto fails = [&gate](const std::string& work, int status, const std::string& reason,
                             const std::string& version = "fake assembler, release 1.0") {
    INFO(work);
    gate.assemble(work, version);
    gate.check_fails(status, reason);
  };
  const std::string copies = "cp '" + in_source(stored) + "' \"$out\"";
  fails(copies + "; exit 1", 3, "failed with exit status 1");
  fails(copies + "; kill -9 $$", 3, "was ended by signal 9");
  fails("true", 3, "wrote no machine code");
  fails(copies, 3, "does not tell the assembler's version", "");
  fails("head -c 3000 '" + in_source(stored) + "' > \"$out\"", 3, "");
  fails("cp \"$in\" \"$out\"", 3, "");
  fails("cp '" + in_source("tests/machine_code/data/matmul_tiled.sm_80.O3.cubin") + "' \"$out\"", 2,
        "the machine code has no kernel 'saxpy'");
  gate.replace("budgets.toml", "assemble = \"", "assemble = \"/nowhere");
  gate.check_fails(2, "cannot run '/nowhere");
}

TEST_CASE("mutants of assembling: a pass is not kept when the PTX, the command or the assembler changes") {
  const AssembledGate gate;
  gate.write("stamp", "all budgets hold\n");
  REQUIRE(gate.run({"--stamp", "stamp"}).status == 0);
  gate.replace("k.ptx", ".entry saxpy(", ".entry other(");
  gate.check_fails(2, "the budget names no kernel");
  CHECK(gate.was_run());
  gate.replace("k.ptx", ".entry other(", ".entry saxpy(");
  gate.replace("k.ptx", "\tret;", "\tfrobnicate;\n\tret;");
  gate.check_fails(3, "unknown opcode");
  CHECK_FALSE(gate.was_run());
}
