// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/images.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

using Kind = Image::Kind;
using Compression = Image::Compression;

// A fatbin of one entry with the stated sizes.
struct Stated {
  uint64_t kind = 2;
  uint64_t header_bytes = 0x40;
  uint64_t payload_bytes = 8;
  uint64_t compressed_bytes = 0;
  uint64_t flags = 0x11;
  uint64_t bytes = 0;
};

std::string fatbin(const Stated& stated, const std::string& payload = "12345678") {
  Bytes entry;
  entry.u16(stated.kind).u16(0x101).u32(stated.header_bytes).u64(stated.payload_bytes).u32(stated.compressed_bytes);
  entry.u32(0).u32(0).u32(80).u64(0).u64(stated.flags).u64(0).u64(stated.bytes).text(payload);
  return Bytes().u32(0xba55ed50).u16(1).u16(16).u64(entry.str().size()).text(entry.str()).str();
}

void check_saxpy(const Input& file, const Image& cubin, const Image& ptx) {
  CHECK(cubin.kind == Kind::cubin);
  CHECK(cubin.architecture == "sm_80");
  const auto code = contents(file, cubin);
  REQUIRE(code);
  CHECK(code->bytes.size() == cubin.size);
  CHECK(code->bytes.substr(0, 4) ==
        "\x7f"
        "ELF");
  CHECK(ptx.kind == Kind::ptx);
  CHECK(ptx.architecture == "sm_80");
  const auto text = contents(file, ptx);
  REQUIRE(text);
  CHECK(text->bytes.find(".target sm_80") != std::string_view::npos);
  CHECK(text->bytes.find(".visible .entry saxpy(") != std::string_view::npos);
  CHECK(text->bytes.substr(text->bytes.find_last_of('}')) == "}\n\n");
}

}  // namespace

TEST_CASE("a cubin is its own only image") {
  for (const auto& [name, architecture] :
       std::vector<std::pair<std::string, std::string>>{{"kernels.sm_75", "sm_75"},
                                                        {"kernels.sm_80", "sm_80"},
                                                        {"kernels.former.sm_80", "sm_80"},
                                                        {"kernels.sm_90", "sm_90"},
                                                        {"kernels.sm_100", "sm_100"},
                                                        {"inlined.sm_120", "sm_120"}}) {
    INFO(name);
    const std::string bytes = sample(name + ".cubin");
    const auto found = images({name, bytes});
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    CHECK(found->front().kind == Kind::cubin);
    CHECK(found->front().architecture == architecture);
    CHECK(found->front().stored == bytes);
    CHECK(found->front().size == bytes.size());
    CHECK(found->front().section.empty());
  }
}

TEST_CASE("fatbins of every mode of compression hold the same images") {
  struct Mode {
    const char* name;
    Compression of_cubin, of_ptx;
  };
  for (const Mode& mode :
       {Mode{"none", Compression::none, Compression::none}, Mode{"default", Compression::none, Compression::zstd},
        Mode{"speed", Compression::none, Compression::lz4}, Mode{"size", Compression::zstd, Compression::zstd}}) {
    INFO(mode.name);
    const std::string bytes = sample("saxpy." + std::string(mode.name) + ".fatbin");
    const Input file{"saxpy.fatbin", bytes};
    const auto found = images(file);
    REQUIRE(found);
    REQUIRE(found->size() == 2);
    CHECK((*found)[0].compression == mode.of_cubin);
    CHECK((*found)[1].compression == mode.of_ptx);
    CHECK(found->front().offset == 16 + 0x40);
    check_saxpy(file, (*found)[0], (*found)[1]);
  }
}

TEST_CASE("the suffix of an architecture stands in the entry's flags") {
  const std::string bytes = sample("saxpy.suffixes.fatbin");
  const auto found = images({"f", bytes});
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK((*found)[0].architecture == "sm_90a");
  CHECK((*found)[1].architecture == "sm_100f");
}

TEST_CASE("fatbins may follow one another with zeros between them") {
  const std::string one = sample("saxpy.none.fatbin"), other = sample("saxpy.size.fatbin");
  const std::string both = one + std::string(24, '\0') + other + std::string(3, '\0');
  const Input file{"both", both};
  const auto found = images(file);
  REQUIRE(found);
  REQUIRE(found->size() == 4);
  check_saxpy(file, (*found)[0], (*found)[1]);
  check_saxpy(file, (*found)[2], (*found)[3]);
  CHECK(error_of(images({"f", one + "x" + other})).find("here should begin a fatbin") != std::string::npos);
}

TEST_CASE("objects, libraries and programs of the host are searched") {
  for (const auto& [name, section] : std::vector<std::pair<std::string, std::string>>{
           {"saxpy.o", ".nv_fatbin"}, {"saxpy.so", ".nv_fatbin"}, {"saxpy.relocatable.o", "__nv_relfatbin"}}) {
    INFO(name);
    const std::string bytes = sample(name);
    const Input file{name, bytes};
    const auto found = images(file);
    REQUIRE(found);
    REQUIRE(found->size() == 2);
    for (const Image& image : *found) CHECK(image.section == section);
    check_saxpy(file, (*found)[0], (*found)[1]);
  }
}

TEST_CASE("sections of fatbins may be several, but not share their bytes") {
  ElfBytes elf(62);
  elf.add({".nv_fatbin", 1, fatbin({})});
  elf.add({"__nv_relfatbin", 1, fatbin({})});
  elf.add({".nv_fatbin", 1, {}});
  const auto found = images({"x", elf.str()});
  REQUIRE(found);
  CHECK(found->size() == 2);
  for (int i = 0; i < 100; ++i) elf.add({".nv_fatbin", 1, {}, 0, 0, 64, fatbin({}).size()});
  CHECK(error_of(images({"x", elf.str()})).find("sections of fatbins overlap") != std::string::npos);
}

TEST_CASE("members of a static library are searched, those without GPU code are passed over") {
  const std::string bytes = sample("saxpy.a");
  const Input file{"saxpy.a", bytes};
  const auto found = images(file);
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  for (const Image& image : *found) {
    CHECK(image.member == "saxpy.relocatable.o");
    CHECK(image.section == "__nv_relfatbin");
    CHECK(bytes.substr(image.offset, image.stored.size()) == image.stored);
  }
  check_saxpy(file, (*found)[0], (*found)[1]);
}

TEST_CASE("files without GPU code are refused with what to do") {
  const std::string host = sample("host.o");
  CHECK(error_of(images({"host.o", host})) ==
        "the file holds no GPU code / compile with nvcc -cubin, -fatbin or -c, and give that file");
  const std::string thin = sample("saxpy.thin.a");
  CHECK(error_of(images({"thin.a", thin})).find("this is a thin library") == 0);
  for (const char* text : {"", "\x7f", ".version 8.0\n.target sm_80\n", "!<arch>", "MZ"}) {
    CHECK(error_of(images({"text", text})).find("this is no file with GPU machine code") == 0);
  }
  CHECK(error_of(images({"empty.a", "!<arch>\n"})).find("the file holds no GPU code") == 0);
  const std::string narrow =
      "\x7f"
      "ELF\1\1" +
      std::string(60, '\0');
  CHECK(error_of(images({"32.o", narrow})).find("this is no ELF file of 64 bits") == 0);
}

TEST_CASE("entries of other kinds and compressions are listed; what cannot be read is said when it is asked for") {
  const std::string lto = fatbin({8, 0x40, 8, 0, 0x11, 0});
  CHECK(images({"f", lto})->front().kind == Kind::lto_ir);
  const std::string unknown = fatbin({64, 0x40, 8, 0, 0x11, 0});
  CHECK(images({"f", unknown})->front().kind == Kind::unknown);
  const std::string former = fatbin({2, 0x40, 8, 8, 0x1011, 100});
  const auto found = images({"f", former});
  REQUIRE(found);
  CHECK(found->front().compression == Compression::unknown);
  CHECK(error_of(contents({"f", former}, found->front())).find("compressed in an unknown way") != std::string::npos);
}

TEST_CASE("sizes in headers that cannot be are errors at their byte") {
  CHECK(images({"f", fatbin({})}));
  for (const Stated& stated :
       {Stated{2, 0x3f}, Stated{2, 0}, Stated{2, 0x1000}, Stated{2, 0xffffffff}, Stated{2, 0x40, 9},
        Stated{2, 0x40, ~uint64_t{0}}, Stated{2, 0x48, 8}, Stated{2, 0x40, 8, 9, 0x8011, 100}}) {
    const std::string bytes = fatbin(stated);
    CHECK(error_of(images({"f", bytes})).find("at byte 16 (0x10): ") == 0);
  }
  // The container itself.
  const std::string whole = fatbin({});
  CHECK(error_of(images({"f", with_number(whole, 8, whole.size(), 8)})).find("at byte 0 (0x0): a fatbin") == 0);
  CHECK(error_of(images({"f", with_number(whole, 8, ~uint64_t{0}, 8)})).find("at byte 0 (0x0): a fatbin") == 0);
  CHECK(error_of(images({"f", with_number(whole, 6, 15, 2)})).find("at byte 0 (0x0): a fatbin") == 0);
}

TEST_CASE("no memory is taken for images that are implausibly large, or do not decompress") {
  constexpr uint64_t zstd = 0x8011, lz4 = 0x2011;
  for (const auto& [flags, bytes, what] : std::vector<std::tuple<uint64_t, uint64_t, std::string>>{
           {zstd, ~uint64_t{0}, "at most 1073741824 bytes are read"},
           {zstd, (uint64_t{1} << 30) + 1, "at most 1073741824 bytes are read"},
           {zstd, uint64_t{1} << 30, "8 bytes cannot hold an image of 1073741824 bytes"},
           {lz4, uint64_t{1} << 30, "8 bytes cannot hold an image of 1073741824 bytes"},
           {lz4, 255 * 9, "8 bytes cannot hold an image of 2295 bytes"},
           {lz4, 255 * 8, "does not decompress to the 2040 bytes stated"},
           {zstd, 100, "does not decompress to the 100 bytes stated"},
           {zstd, 0, "does not decompress to the 0 bytes stated"}}) {
    INFO(what);
    const std::string file = fatbin({2, 0x40, 8, 8, flags, bytes});
    const auto found = images({"f", file});
    REQUIRE(found);
    CHECK(error_of(contents({"f", file}, found->front())).find(what) != std::string::npos);
  }
  const std::string real = sample("saxpy.size.fatbin");
  const auto found = images({"f", real});
  REQUIRE(found);
  CHECK(error_of(contents({"f", real}, found->front(), {3239})).find("at most 3239 bytes are read") !=
        std::string::npos);
  CHECK(contents({"f", real}, found->front(), {3240}));
}

TEST_CASE("a size stated one too small or too large is an error in either compression") {
  for (const char* name : {"saxpy.size.fatbin", "saxpy.speed.fatbin"}) {
    const std::string bytes = sample(name);
    const auto found = images({"f", bytes});
    REQUIRE(found);
    for (Image image : *found) {
      if (image.compression == Compression::none) continue;
      for (const uint64_t size : {image.size - 1, image.size + 1}) {
        image.size = size;
        CHECK(error_of(contents({"f", bytes}, image)).find("does not decompress") != std::string::npos);
      }
    }
  }
}
