// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sha256.hpp"

#include <catch2/catch.hpp>

// FIPS 180-2, appendix B.
TEST_CASE("digests of the standard's examples") {
  using warpspan::support::sha256;
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
