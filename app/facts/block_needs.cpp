// SPDX-License-Identifier: GPL-3.0-or-later
// What a thread and a block need of a multiprocessor.
#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_values.hpp"
#include "support/digits.hpp"

namespace warpspan::app {

namespace {

support::Diagnostics read_registers(const GivenFact& given, ir::Launch& launch) {
  const auto number = support::parse_digits<int64_t>(given.text);
  if (!number || *number < 1 || *number > 65536)
    return {expected(given.name, "a number of registers from 1 to 65536", given.text)};
  launch.registers = *number;
  launch.registers_from = "--registers";
  return {};
}

support::Diagnostics read_shared(const GivenFact& given, ir::Launch& launch) {
  const auto bytes = bytes_in(given.text);
  if (!bytes || *bytes > INT32_MAX) {
    return {expected(given.name, "bytes from 0 to 2147483647, such as 49152 or 48KB", given.text)};
  }
  launch.dynamic_shared = *bytes;
  return {};
}

}  // namespace

FactKind registers_fact() {
  return {.fact = ir::UserFact::registers,
          .option = "--registers",
          .value = "N",
          .help =
              "Registers of a thread; PTX that may need more, and so spill, needs --ptxas-log or --assume no-spills "
              "too",
          .group = FactKind::Group::block_needs,
          .key = "registers",
          .key_form = FactKind::Key::integer,
          .read = read_registers};
}

FactKind shared_fact() {
  return {.fact = ir::UserFact::shared,
          .option = "--shared",
          .value = "BYTES",
          .help =
              "Shared memory that the launch gives each block beside what the file declares: 49152, or 48K with K "
              "for 1024",
          .group = FactKind::Group::block_needs,
          .key = "shared",
          .key_form = FactKind::Key::integer_or_text,
          .read = read_shared};
}

}  // namespace warpspan::app
