// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/printable.hpp"

#include <catch2/catch.hpp>

#include "support/diagnostic.hpp"
#include "support/source_file.hpp"

using namespace warpspan::support;
using namespace std::string_literals;

TEST_CASE("what a terminal might act on is escaped, and nothing else") {
  CHECK(printable("saxpy.ptx") == "saxpy.ptx");
  CHECK(printable("\033[31mred\a") == "\\x1b[31mred\\x07");
  CHECK(printable("two\nlines\r\t"s + '\0' + "\x7f") == "two\\x0alines\\x0d\\x09\\x00\\x7f");
  CHECK(printable("größe, 長さ, 𝑛") == "größe, 長さ, 𝑛");
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");                               // C1
  CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");                      // right to left
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");                               // no UTF-8
  CHECK(printable("\xc0\xaf \xed\xa0\x80") == "\\xc0\\xaf \\xed\\xa0\\x80");  // overlong, surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");             // above the last character
}

TEST_CASE("every byte and pair of bytes becomes printable, and stays so") {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = printable(std::string{static_cast<char>(a), static_cast<char>(b)});
      for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
      if (text != printable(text)) FAIL("not stable");
    }
  }
}

TEST_CASE("what is not ASCII can be escaped too") {
  CHECK(ascii("// ~ ") == "// ~ ");
  CHECK(ascii("ö\n\x7f") == "\\xc3\\xb6\\x0a\\x7f");
}

TEST_CASE("no part of a diagnostic reaches the terminal as it is") {
  const SourceFile file("a\033b.ptx", "x \033[2J y\n");
  const Diagnostic error = file.error_at(7, "unknown '\033[2J'", "not \a");
  CHECK(render(error, false) == "a\\x1bb.ptx:1:8: error: unknown '\\x1b[2J'\n  x \\x1b[2J y\n" + std::string(12, ' ') +
                                    "^\n  help: not \\x07\n");
}

TEST_CASE("the caret stands behind characters of several bytes") {
  const SourceFile file("k.ptx", "// ö add\n");
  CHECK(render(file.error_at(6, "here"), false) ==
        "k.ptx:1:7: error: here\n  // \\xc3\\xb6 add\n" + std::string(14, ' ') + "^\n");
}

TEST_CASE("a byte-order mark is no part of a text") {
  const SourceFile file("k.ptx", "\xef\xbb\xbf.version");
  CHECK(file.text() == ".version");
  CHECK(file.locate(0).column == 1);
  CHECK(SourceFile("k.ptx", "\xef\xbb").text() == "\xef\xbb");
}
