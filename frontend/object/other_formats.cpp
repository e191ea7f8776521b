// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/other_formats.hpp"

#include <algorithm>

#include "frontend/object/elf.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;

struct Format {
  std::string_view begin, name, help;
};

constexpr std::string_view unpack = "unpack it, and give the file inside",
                           unzip = "a wheel is one: unpack it with unzip, and give the library inside",
                           compile = "compile it for an NVIDIA GPU, to PTX or a cubin",
                           only_elf = "give the file for Linux",
                           with_extension = "give it the extension .bc: LLVM bitcode is compiled then";

// Their own descriptions: RFC 1952, 8878; APPNOTE.TXT of PKWARE, 4.3.7; the file formats of xz, bzip2 and 7-Zip;
// SPIR-V, 2.3, in both orders of bytes; LLVM's BitCodeFormat and Magic.cpp; AMDGPUUsage, "Code Object Bundling";
// Apple's metallib, as the Metal compiler writes it.
constexpr Format formats[] = {
    {std::string_view("\x1f\x8b", 2), "a gzip file", unpack},
    {std::string_view("\x28\xb5\x2f\xfd", 4), "a zstd file", unpack},
    {std::string_view("\xfd"
                      "7zXZ",
                      5),
     "an xz file", unpack},
    {std::string_view("BZh", 3), "a bzip2 file", unpack},
    {std::string_view("7z\xbc\xaf", 4), "a 7-Zip archive", unpack},
    {std::string_view("PK\x03\x04", 4), "a zip archive", unzip},
    {std::string_view("\x03\x02\x23\x07", 4), "SPIR-V", compile},
    {std::string_view("\x07\x23\x02\x03", 4), "SPIR-V", compile},
    {std::string_view("MTLB", 4), "a Metal library, for GPUs of Apple", compile},
    {std::string_view("__CLANG_OFFLOAD_BUNDLE__", 24), "a bundle of clang, mostly for AMD GPUs", compile},
    {std::string_view("\x10\xff\x10\xad", 4), "an offloading file of LLVM",
     "take the image out with clang-offload-packager"},
    {std::string_view("DXBC", 4), "code for Direct3D", compile},
    {std::string_view("BC\xc0\xde", 4), "LLVM bitcode", with_extension},
    {std::string_view("MZ", 2), "a file of Windows", only_elf},
    {std::string_view("\xcf\xfa\xed\xfe", 4), "a file of macOS", only_elf},
};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 && !(byte >= '\t' && byte <= '\r');
}

// More of it than damage to a text would leave.
bool looks_binary(std::string_view bytes) {
  constexpr size_t looked_at = 4096, most = 16;
  const std::string_view begin = without_zeros_behind(bytes).substr(0, looked_at);
  return static_cast<size_t>(std::count_if(begin.begin(), begin.end(), is_control)) * most > begin.size();
}

}  // namespace

std::optional<Diagnostic> not_text(const Input& input) {
  for (const Format& format : formats) {
    // "MZ" and "BZh" may begin a text.
    const bool is_sure = format.begin.size() > 3 || looks_binary(input.bytes);
    if (input.bytes.substr(0, format.begin.size()) != format.begin || !is_sure) continue;
    return refused(input, "this is " + std::string(format.name) + ", and no code that is read",
                   std::string(format.help));
  }
  if (!looks_binary(input.bytes)) return std::nullopt;
  return refused(input, "this is a binary file of an unknown kind, and no PTX",
                 "give PTX text, a cubin, a fatbin, or an object or library that holds some");
}

Diagnostic without_images(const Input& input) {
  constexpr uint16_t machine_of_amd = 224;  // EM_AMDGPU
  std::string whose;
  if (const auto elf = read_elf(input)) {
    if (elf->machine == machine_of_amd || elf->find(".hip_fatbin") != nullptr) whose = "it is code for AMD GPUs";
    if (elf->find("__CLANG_OFFLOAD_BUNDLE__host") != nullptr) whose = "it is a bundle of clang";
    if (elf->find(".llvm.offloading") != nullptr) whose = "its images are in a section of clang, which is not read";
  }
  if (whose.empty()) {
    return refused(input, "the file holds no GPU code", "compile with nvcc -cubin, -fatbin or -c, and give that file");
  }
  return refused(input, "the file holds no code for NVIDIA GPUs that is read: " + whose,
                 "compile with nvcc -cubin, -fatbin or -c, and give that file");
}

}  // namespace warpspan::object
