// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/cubin.hpp"

#include <algorithm>

#include "frontend/object/elf.hpp"
#include "frontend/object/images.hpp"
#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

using namespace std::string_literals;

namespace {

using Three = std::array<uint32_t, 3>;

const Function& named(const Cubin& cubin, std::string_view name) {
  for (const Function& function : cubin.functions) {
    if (function.name == name) return function;
  }
  FAIL("no function " << name);
  return cubin.functions.front();
}

const ConstantBank& bank(const Cubin& cubin, uint32_t number, std::string_view function) {
  for (const ConstantBank& bank : cubin.constants) {
    if (bank.bank == number && bank.name == function) return bank;
  }
  FAIL("no bank " << number << " of " << function);
  return cubin.constants.front();
}

bool has(const std::vector<Attribute>& attributes, uint8_t number) {
  return std::any_of(attributes.begin(), attributes.end(), [=](const Attribute& a) { return a.number == number; });
}

// What differs between the GPUs that kernels.ptx is assembled for; the rest is the same for all.
struct Expected {
  const char* file;
  const char* architecture;
  uint8_t abi_version;
  uint64_t code_of_chosen, code_of_shared_sum;
  uint32_t registers_of_chosen, registers_of_shared_sum;
  uint64_t shared_bytes;
  uint32_t parameters_at;
  Subroutine scattered;
  std::vector<uint32_t> branch;  // its offset, then its targets
  uint32_t exit_of_chosen;
};

const std::vector<Expected> expected = {
    {"kernels.sm_75",
     "sm_75",
     8,
     640,
     384,
     8,
     8,
     512,
     0x160,
     {"", 0x100, 0x180, 0},
     {0x60, 0x70, 0xb0, 0xf0, 0x130},
     0x220},
    {"kernels.former.sm_80",
     "sm_80",
     7,
     768,
     640,
     10,
     10,
     512,
     0x160,
     {"", 0x120, 0x280, 0},
     {0x70, 0x80, 0xc0, 0x100, 0x140},
     0x250},
    {"kernels.sm_80",
     "sm_80",
     8,
     768,
     640,
     10,
     10,
     512,
     0x160,
     {"", 0x120, 0x280, 0},
     {0x70, 0x80, 0xc0, 0x100, 0x140},
     0x250},
    {"kernels.sm_90",
     "sm_90",
     8,
     768,
     640,
     10,
     12,
     1536,
     0x210,
     {"", 0x180, 0x280, 32},
     {0x70, 0x80, 0xc0, 0x100, 0x140},
     0x240},
    {"kernels.sm_100",
     "sm_100",
     8,
     768,
     640,
     10,
     12,
     1536,
     0x380,
     {"", 0x180, 0x280, 32},
     {0x70, 0x80, 0xc0, 0x100, 0x140},
     0x240},
};

}  // namespace

TEST_CASE("clusters that kernels are launched in are read") {
  const std::string bytes = sample("clusters.sm_90.cubin");
  const auto cubin = read_cubin({"k.cubin", bytes});
  REQUIRE(cubin);
  CHECK(named(*cubin, "pairs").cluster_blocks == Three{2, 1, 1});
  CHECK(named(*cubin, "ones").cluster_blocks == Three{1, 1, 1});
  CHECK_FALSE(named(*cubin, "alone").cluster_blocks);
  for (const std::string name : {"pairs", "of_any_size", "counted", "ones", "alone"}) {
    CHECK(named(*cubin, name).explicit_cluster == (name == "of_any_size"));
    CHECK(named(*cubin, name).blocks_are_clusters == (name == "counted"));
  }
}

TEST_CASE("functions of a cubin are read with what they need, for every GPU") {
  for (const Expected& want : expected) {
    INFO(want.file);
    const std::string bytes = sample(std::string(want.file) + ".cubin");
    const auto cubin = read_cubin({"k.cubin", bytes});
    REQUIRE(cubin);
    CHECK(to_string(cubin->architecture) == want.architecture);
    CHECK(cubin->abi_version == want.abi_version);
    CHECK_FALSE(cubin->relocatable);
    REQUIRE(cubin->functions.size() == 3);

    const Function& chosen = named(*cubin, "chosen");
    CHECK(chosen.entry);
    CHECK(chosen.code.size() == want.code_of_chosen);
    CHECK(chosen.code == std::string_view(bytes).substr(chosen.code_offset, want.code_of_chosen));
    CHECK(chosen.registers == want.registers_of_chosen);
    CHECK(chosen.frame_bytes == 0u);
    CHECK(chosen.min_stack_bytes == 0u);
    CHECK(chosen.shared_bytes == 0);
    CHECK(chosen.required_threads == Three{64, 2, 1});
    CHECK_FALSE(chosen.max_threads);
    REQUIRE(chosen.parameter_area);
    CHECK(chosen.parameter_area->offset == want.parameters_at);
    CHECK(chosen.parameter_area->size == 40);
    REQUIRE(chosen.parameters.size() == 3);
    for (uint32_t i = 0; i < 3; ++i) CHECK(chosen.parameters[i].ordinal == i);
    CHECK(chosen.parameters[0].size == 8);
    CHECK(chosen.parameters[1].offset == 8);
    CHECK(chosen.parameters[1].size == 4);
    CHECK(chosen.parameters[2].offset == 16);
    CHECK(chosen.parameters[2].size == 24);
    CHECK(chosen.exits == std::vector<uint32_t>{want.exit_of_chosen});
    REQUIRE(chosen.indirect_branches.size() == 1);
    CHECK(chosen.indirect_branches[0].offset == want.branch[0]);
    CHECK(chosen.indirect_branches[0].targets == std::vector<uint32_t>(want.branch.begin() + 1, want.branch.end()));
    CHECK(chosen.subroutines.empty());
    CHECK(has(chosen.other_attributes, 0x1b));  // most registers, of no use here

    const Function& sum = named(*cubin, "shared_sum");
    CHECK(sum.code.size() == want.code_of_shared_sum);
    CHECK(sum.registers == want.registers_of_shared_sum);
    CHECK(sum.frame_bytes == 32u);
    CHECK(sum.min_stack_bytes == 32u);
    CHECK(sum.shared_bytes == want.shared_bytes);
    CHECK(sum.barriers == 2u);
    CHECK(sum.max_threads == Three{128, 1, 1});
    CHECK_FALSE(sum.required_threads);
    REQUIRE(sum.subroutines.size() == 1);
    CHECK(sum.subroutines[0].name == "$shared_sum$scattered");
    CHECK(sum.subroutines[0].begin == want.scattered.begin);
    CHECK(sum.subroutines[0].end == want.scattered.end);
    CHECK(sum.subroutines[0].frame_bytes == want.scattered.frame_bytes);

    const Function& empty = named(*cubin, "empty");
    CHECK(empty.entry);
    CHECK(empty.parameters.empty());
    CHECK_FALSE(empty.parameter_area);
  }
}

TEST_CASE("constant banks are listed with their bytes and relocations") {
  for (const Expected& want : expected) {
    INFO(want.file);
    const std::string bytes = sample(std::string(want.file) + ".cubin");
    const auto cubin = read_cubin({"k.cubin", bytes});
    REQUIRE(cubin);
    CHECK(bank(*cubin, 0, "chosen").bytes.size() == want.parameters_at + 40);
    const std::string_view user = bank(*cubin, 3, "").bytes;
    REQUIRE(user.size() == 16);
    for (uint32_t i = 0; i < 4; ++i) CHECK(Cursor(user, 4 * i).u32() == i + 1);
    // The table of the indirect branch: where each target lies.
    const std::string_view table = bank(*cubin, 2, "chosen").bytes;
    CHECK(table.size() == 16);
    const ConstantBank& addresses = bank(*cubin, 4, "");
    CHECK(addresses.bytes.size() == 8);
    REQUIRE(addresses.relocations.size() == 1);
    CHECK(addresses.relocations[0].offset == 0);
    CHECK(addresses.relocations[0].symbol == "counter");
    CHECK(addresses.relocations[0].variable == 0u);
    REQUIRE(cubin->global_variables.size() == 1);
    CHECK(cubin->global_variables[0].name == "counter");
    CHECK(cubin->global_variables[0].bytes == 4);
  }
}

TEST_CASE("functions that are only called are no entries, and calls to them are relocations") {
  const std::string bytes = sample("linked.sm_80.cubin");
  const auto cubin = read_cubin({"linked.cubin", bytes});
  REQUIRE(cubin);
  CHECK_FALSE(cubin->relocatable);
  REQUIRE(cubin->functions.size() == 3);
  const Function& called = named(*cubin, "_Z6calledi");
  CHECK_FALSE(called.entry);
  CHECK(called.registers == 24u);
  CHECK_FALSE(called.min_stack_bytes);
  const Function& plain = named(*cubin, "plain");
  CHECK(plain.entry);
  REQUIRE(plain.relocations.size() == 3);
  CHECK(plain.relocations[0].offset == 0x30);
  CHECK(plain.relocations[0].symbol == "plain");
  CHECK(plain.relocations[0].addend == 0x60);  // where the call returns to
  CHECK(plain.relocations[2].offset == 0x50);
  CHECK(plain.relocations[2].symbol == "_Z6calledi");
  CHECK(plain.relocations[2].type == 58);
  CHECK_FALSE(plain.relocations[2].addend);
  const auto index_of = [&](const Function& function) { return static_cast<size_t>(&function - &cubin->functions[0]); };
  CHECK(plain.relocations[0].function == index_of(plain));
  CHECK(plain.relocations[2].function == index_of(called));
  CHECK(plain.relocations[2].value == 0);
}

TEST_CASE("a relocation says in which function's code its symbol is, if it is in one") {
  ElfBytes file;
  const uint32_t code = file.add({".text.f", 1, std::string(64, 'a')});
  const uint32_t data = file.add({".nv.global", 1, std::string(64, 'a')});
  const uint32_t names = file.add({".strtab", 3, std::string(1, '\0')});
  const std::string symbols = symbol(0, 0, code, 48) + symbol(0, 1, data, 16) + symbol(0, 0, 0) +
                              symbol(0, 0, 0xfff1, 7) + symbol(0, 0, 200, 8);
  file.add({".symtab", 2, symbols, names});
  std::string entries;
  for (uint32_t i = 0; i < 5; ++i) entries += Bytes().u64(16).u32(56).u32(i).u64(UINT64_MAX).str();
  file.add({".rela.text.f", 4, entries, 0, code});
  const std::string bytes = file.str();
  const auto cubin = read_cubin({"k", bytes});
  REQUIRE(cubin);
  const std::vector<Relocation>& relocations = cubin->functions.front().relocations;
  REQUIRE(relocations.size() == 5);
  CHECK(relocations[0].function == 0u);
  CHECK(relocations[0].value == 48);
  CHECK(relocations[0].addend == -1);
  for (size_t i = 1; i < 5; ++i) CHECK_FALSE(relocations[i].function);
}

TEST_CASE("a cubin that is not linked says so") {
  const std::string bytes = sample("saxpy.relocatable.o");
  const Input file{"saxpy.o", bytes};
  const auto found = images(file);
  REQUIRE(found);
  const auto inside = contents(file, found->front());
  REQUIRE(inside);
  const auto cubin = read_cubin({"saxpy.o: image 1", inside->bytes});
  REQUIRE(cubin);
  CHECK(cubin->relocatable);
  CHECK(named(*cubin, "saxpy").entry);
  CHECK_FALSE(named(*cubin, "saxpy").min_stack_bytes);
}

TEST_CASE("what is no cubin is refused") {
  const std::string host = sample("host.o"), fatbin = sample("saxpy.none.fatbin");
  CHECK(error_of(read_cubin({"host.o", host})).find("this is no cubin") == 0);
  CHECK(error_of(read_cubin({"f", fatbin})).find("this is no ELF file of 64 bits") == 0);
  CHECK(error_of(read_cubin({"f", ""})).find("this is no ELF file of 64 bits") == 0);
}

namespace {

// Where in the file an attribute of a function's section stands: the offset of its payload.
size_t payload_of(const std::string& bytes, std::string_view section, uint8_t number) {
  const auto elf = read_elf({"k", bytes});
  REQUIRE(elf);
  const Section* const found = elf->find(section);
  REQUIRE(found != nullptr);
  const auto attributes = read_attributes({"k", bytes}, found->bytes);
  REQUIRE(attributes);
  for (const Attribute& attribute : *attributes) {
    if (attribute.number == number) return offset_in(bytes, attribute.payload);
  }
  FAIL("no attribute " << int{number});
  return 0;
}

std::string error_with(const std::string& bytes, size_t offset, uint64_t value, unsigned size) {
  const std::string changed = with_number(bytes, offset, value, size);
  return error_of(read_cubin({"k.cubin", changed}));
}

}  // namespace

TEST_CASE("offsets and symbols that lead nowhere are errors at their byte") {
  const std::string bytes = sample("kernels.sm_80.cubin");
  const size_t exits = payload_of(bytes, ".nv.info.chosen", 0x1c);
  CHECK(error_with(bytes, exits, 768, 4) ==
        broken({"k.cubin", bytes}, exits, "the attribute 28 has an offset outside of the code").message +
            " / the file is damaged or cut short: make it again");
  const size_t branches = payload_of(bytes, ".nv.info.chosen", 0x34);
  CHECK(error_with(bytes, branches, 768, 4).find("the attribute 52 has an offset outside") != std::string::npos);
  CHECK(error_with(bytes, branches + 8, 0xffffffff, 4).find("has more targets than bytes") != std::string::npos);
  CHECK(error_with(bytes, branches + 8, 3, 4).find("the attribute 52 ") != std::string::npos);
  CHECK(error_with(bytes, branches + 12, 768, 4).find("has an offset outside") != std::string::npos);
  const size_t parameter = payload_of(bytes, ".nv.info.chosen", 0x17);
  CHECK(error_with(bytes, parameter + 6, 17, 2).find("a parameter lies outside") != std::string::npos);
  const size_t registers = payload_of(bytes, ".nv.info", 0x2f);
  CHECK(error_with(bytes, registers, 1000, 4).find("is for a symbol that does not exist") != std::string::npos);
  // The size of an attribute's payload: then one is cut short, or the next begins with what is no format.
  CHECK(error_with(bytes, registers - 2, 0xffff, 2).find("an attribute is cut short") != std::string::npos);
  CHECK(error_with(bytes, registers - 2, 5, 2).find("at") == 0);
  CHECK(error_with(bytes, registers - 4, 5, 1).find("an attribute has the unknown format 5") != std::string::npos);
}

TEST_CASE("attributes that are not known are listed, not refused") {
  const std::string bytes = sample("kernels.sm_80.cubin");
  const size_t exits = payload_of(bytes, ".nv.info.chosen", 0x1c);
  const std::string changed = with_number(bytes, exits - 3, 0xe7, 1);
  const auto cubin = read_cubin({"k.cubin", changed});
  REQUIRE(cubin);
  const Function& chosen = named(*cubin, "chosen");
  CHECK(chosen.exits.empty());
  CHECK(has(chosen.other_attributes, 0xe7));
}

TEST_CASE("a figure that is stated twice and differently is refused") {
  const std::string bytes = sample("kernels.sm_80.cubin");
  // The register count becomes one of a symbol that has its own.
  const size_t registers = payload_of(bytes, ".nv.info", 0x2f);
  const uint32_t symbol = Cursor(bytes, registers).u32();
  bool refused = false;
  for (uint32_t other = 1; other < 30; ++other) {
    if (other == symbol) continue;
    const std::string changed = with_number(bytes, registers, other, 4);
    const auto cubin = read_cubin({"k.cubin", changed});
    refused = refused || (!cubin && cubin.errors().front().message.find("is stated twice") != std::string::npos);
  }
  CHECK(refused);
}

TEST_CASE("sections that share their bytes do not make a small file into much work") {
  const std::string references = "\1" + std::string(159999, '\0');
  ElfBytes elf;
  const uint32_t code = elf.add({".text.k", 1, std::string(128, '\0')});
  const uint32_t names = elf.add({".strtab", 3, std::string(1, '\0')});
  elf.add({".symtab", 2, symbol(0, 0, 0), names});
  elf.add({".rel.text.k", 9, references, 0, code});
  REQUIRE(read_cubin({"k", elf.str()}));
  const uint64_t at = elf.str().find(references);
  for (int i = 0; i < 4000; ++i) elf.add({".rel.text.k", 9, {}, 0, code, at, references.size()});
  CHECK(error_of(read_cubin({"k", elf.str()})).find("overlap") != std::string::npos);
}

TEST_CASE("functions may have one name; what belongs to them is told apart by the index of their section") {
  const auto registers = [](uint64_t symbol, uint64_t count) {
    return Bytes().u8(4).u8(0x2f).u16(8).u32(symbol).u32(count).str();
  };
  const auto required = [](uint64_t threads) {
    return Bytes().u8(4).u8(0x10).u16(12).u32(threads).u32(1).u32(1).str();
  };
  ElfBytes elf;
  const uint32_t one = elf.add({".text.f", 1, std::string(128, 'a')});
  const uint32_t two = elf.add({".text.f", 1, std::string(256, 'b')});
  const uint32_t names = elf.add({".strtab", 3, "\0f\0"s});
  elf.add({".symtab", 2, symbol(0, 0, 0) + symbol(1, 2, one, 0, 128) + symbol(1, 2, two, 0, 256, 0x10), names});
  elf.add({".nv.info", 0x70000000, registers(2, 40) + registers(1, 20)});
  elf.add({".nv.info.f", 0x70000000, required(2), 0, two});
  elf.add({".nv.info.f", 0x70000000, required(1), 0, one});
  elf.add({".nv.info.f", 0x70000000, required(3)});  // of neither
  elf.add({".nv.constant2.f", 1, "bank", 0, two});
  elf.add({".nv.shared.f", 8, {}, 0, one, {}, 99});
  const std::string bytes = elf.str();
  const auto cubin = read_cubin({"k", bytes});
  REQUIRE(cubin);
  REQUIRE(cubin->functions.size() == 2);
  const Function &first = cubin->functions[0], &second = cubin->functions[1];
  CHECK(first.section == one);
  CHECK(first.registers == 20u);
  CHECK_FALSE(first.entry);
  CHECK(first.required_threads == Three{1, 1, 1});
  CHECK(first.shared_bytes == 99);
  CHECK(second.registers == 40u);
  CHECK(second.entry);
  CHECK(second.required_threads == Three{2, 1, 1});
  CHECK(second.shared_bytes == 0);
  REQUIRE(cubin->constants.size() == 1);
  CHECK(cubin->constants[0].function == size_t{1});
}

TEST_CASE("what reaches out of the file or of its section is an error where it is read, else it is no matter") {
  ElfBytes unread;
  unread.add({".text.f", 1, "code"});
  unread.add({".nv_debug.shared", 0x7000000a, {}, 0, 0, {}, 1 << 20});
  CHECK(read_cubin({"k", unread.str()}));
  for (const char* name : {".nv.info", ".nv.info.f", ".nv.constant2.f"}) {
    ElfBytes elf;
    elf.add({".text.f", 1, "code"});
    elf.add({name, 0x70000000, {}, 0, 2, {}, 1 << 20});
    CHECK(error_of(read_cubin({"k", elf.str()})).find("has no bytes in the file") != std::string::npos);
  }
  ElfBytes empty;
  empty.add({".text.f", 8, {}, 0, 0, 77, 16});
  CHECK(error_of(read_cubin({"k", empty.str()})).find("at byte 77 (0x4d): the section '.text.f' has no bytes") == 0);
  ElfBytes ordinary;
  ordinary.add({".text.f", 1, "code", 0, 0, {}, 1 << 20});
  CHECK(error_of(read_cubin({"k", ordinary.str()})).find("the ELF file cannot be read") == 0);

  ElfBytes symbols;
  const uint32_t code = symbols.add({".text.f", 1, std::string(128, 'a')});
  const uint32_t names = symbols.add({".strtab", 3, "\0f\0"s});
  symbols.add({".symtab", 2, symbol(1, 2, code, 64, 65), names});
  CHECK(error_of(read_cubin({"k", symbols.str()})).find("the symbol 'f' reaches out of its section") !=
        std::string::npos);

  ElfBytes relocations;
  const uint32_t changed = relocations.add({".text.f", 1, std::string(128, 'a')});
  const uint32_t texts = relocations.add({".strtab", 3, std::string(1, '\0')});
  relocations.add({".symtab", 2, symbol(0, 0, 0), texts});
  relocations.add({".rel.text.f", 9, Bytes().u64(128).u32(1).u32(0).str(), 0, changed});
  CHECK(error_of(read_cubin({"k", relocations.str()})).find("a place outside of its section") != std::string::npos);
}
