// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/elf.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

using namespace std::string_literals;

TEST_CASE("sections of an ELF file are read, with the bytes that they have") {
  ElfBytes elf(62);
  elf.add({".data", 1, "abc", 7, 9});
  elf.add({".bss", 8, {}, 0, 0, {}, uint64_t{1} << 40});
  const std::string bytes = elf.str();
  const auto file = read_elf({"x", bytes});
  REQUIRE(file);
  CHECK(file->machine == 62);
  REQUIRE(file->sections.size() == 4);
  const Section* const data = file->find(".data");
  REQUIRE(data != nullptr);
  CHECK(data->bytes == "abc");
  CHECK(data->link == 7);
  CHECK(data->info == 9);
  CHECK(is_whole(*data));
  CHECK(file->find(".bss")->bytes.empty());
  CHECK(file->find(".bss")->size == uint64_t{1} << 40);
  CHECK(file->find(".text") == nullptr);
}

TEST_CASE("symbols are read, those of more sections than 16 bits count too") {
  ElfBytes elf;
  const uint32_t names = elf.add({".strtab", 3, "\0near\0far\0"s});
  const uint32_t table = elf.add(
      {".symtab", 2,
       symbol(0, 0, 0) + symbol(1, 0x12, 5, 6, 7, 0x10) + symbol(6, 0x12, 0xffff) + symbol(6, 0x11, 0xfff1), names});
  elf.add({".symtab_shndx", 18, Bytes().u32(0).u32(0).u32(70000).u32(0).str(), table});
  const std::string bytes = elf.str();
  const Input input{"k", bytes};
  const auto file = read_elf(input);
  REQUIRE(file);
  Allowance allowance(bytes.size());
  const auto symbols = read_symbols(input, *file, allowance);
  REQUIRE(symbols);
  REQUIRE(symbols->size() == 4);
  CHECK((*symbols)[1].name == "near");
  CHECK((*symbols)[1].section == 5);
  CHECK((*symbols)[1].value == 6);
  CHECK((*symbols)[1].size == 7);
  CHECK((*symbols)[1].other == 0x10);
  CHECK((*symbols)[1].type == symbol_of_function);
  CHECK((*symbols)[2].section == 70000);
  CHECK((*symbols)[3].section == ~uint32_t{0});  // absolute: in no section

  Allowance none(0);
  CHECK(error_of(read_symbols(input, *file, none)).find("overlap") != std::string::npos);
}

TEST_CASE("symbols and relocations that cannot be are errors") {
  const auto error_in = [](const ElfBytes& elf) {
    const std::string bytes = elf.str();
    const Input input{"k", bytes};
    const auto file = read_elf(input);
    REQUIRE(file);
    Allowance allowance(bytes.size());
    return error_of(read_symbols(input, *file, allowance));
  };
  ElfBytes uneven, nameless, outside;
  uneven.add({".symtab", 2, "abc", 1});
  CHECK(error_in(uneven).find("the symbol table ends within an entry") != std::string::npos);
  nameless.add({".symtab", 2, symbol(0, 0, 0), 17});
  CHECK(error_in(nameless).find("the symbol table has no section of names") != std::string::npos);
  outside.add({".symtab", 2, symbol(10000, 0, 0), 1});
  CHECK(error_in(outside).find("the name of a symbol lies outside of the names") != std::string::npos);

  const auto references_of = [](uint32_t type, const std::string& bytes) {
    Section section;
    section.name = ".rel";
    section.type = type;
    section.bytes = bytes;
    Allowance allowance(bytes.size());
    return read_references({"k", bytes}, section, 2, allowance);
  };
  const std::string plain = Bytes().u64(8).u32(2).u32(1).str();
  CHECK(references_of(9, plain)->front().symbol == 1);
  CHECK(references_of(4, plain + Bytes().u64(~uint64_t{0}).str())->front().addend == -1);
  CHECK(error_of(references_of(4, plain)).find("end within an entry") != std::string::npos);
  CHECK(error_of(references_of(9, Bytes().u64(8).u32(2).u32(2).str())).find("a symbol that does not exist") !=
        std::string::npos);
}

TEST_CASE("headers that cannot be are errors") {
  const std::string bytes = ElfBytes().str();
  REQUIRE(read_elf({"k", bytes}));
  CHECK(error_of(read_elf({"k", bytes.substr(0, 63)})).find("the ELF file cannot be read") == 0);
  CHECK(error_of(read_elf({"k", with_number(bytes, 4, 1, 1)})).find("this is no ELF file of 64 bits") == 0);
  CHECK(error_of(read_elf({"k", with_number(bytes, 5, 2, 1)})).find("this is no ELF file of 64 bits") == 0);
  for (const uint64_t table : {uint64_t{1} << 20, ~uint64_t{0}, ~uint64_t{0} - 64}) {
    CHECK(error_of(read_elf({"k", with_number(bytes, 0x28, table, 8)})).find("the ELF file cannot be read") == 0);
  }
  CHECK(error_of(read_elf({"k", with_number(bytes, 0x3c, 0xffff, 2)})).find("the ELF file cannot be read") == 0);
  CHECK(error_of(read_elf({"k", with_number(bytes, 0x3e, 0xff, 2)})).find("the ELF file cannot be read") == 0);
}

TEST_CASE("names that thousands of sections share do not make a small file into much work") {
  ElfBytes elf;
  elf.add({std::string(100000, 'n'), 1, "x"});
  for (int i = 0; i < 3000; ++i) elf.add({"", 1, "x"});
  std::string bytes = elf.str();
  REQUIRE(read_elf({"k", bytes}));
  // All of them get the long name.
  const uint64_t table = Cursor(bytes, 0x28).u64();
  for (uint64_t i = 2; i < 3002; ++i) bytes.replace(table + 64 * i, 4, Bytes().u32(1).str());
  CHECK(error_of(read_elf({"k", bytes})).find("overlap so often") != std::string::npos);
}
