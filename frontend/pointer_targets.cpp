// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let the machine code be made of the PTX, so that each call through a register that a thread executes is one
// that it executes in the PTX: where the code has lines, one that stands at that line, or, as calls may have become one
// with the line of either, one that stands at the line of no call of the code; else any of those that the kernel may
// come to. Let each function that pointers lead to have the name of a function of the PTX, each another one, and let
// all that the PTX's call may lead to be among them. Then the call leads to none but these.
//
// Proof. The thread calls the same function of the PTX, of which there is one piece of machine code with its name. QED.
#include "frontend/pointer_targets.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace warpspan::frontend {

namespace {

using Call = PtxFile::PointerCalls::Call;

// Of all of these calls together; nothing if it is not known of one.
std::optional<std::set<std::string>> targets_of(const std::vector<const Call*>& calls) {
  std::set<std::string> all;
  for (const Call* call : calls) {
    if (call->targets.empty()) return std::nullopt;
    all.insert(call->targets.begin(), call->targets.end());
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

bool is_at(const Call& call, uint32_t line) {
  return call.first_line <= line && line < std::max(call.end_line, call.first_line + 1);
}

// Those that a call of the code at a line may be of; none if there is none at it. Line 0: it is not known. lines: of
// all calls of the code.
std::vector<const Call*> calls_at(const PtxFile::PointerCalls& ptx, uint32_t line, const std::set<uint32_t>& lines) {
  const auto is_here = [line](const Call& call) { return line == 0 || is_at(call, line); };
  if (std::none_of(ptx.calls.begin(), ptx.calls.end(), is_here)) return {};
  std::vector<const Call*> calls;
  for (const Call& call : ptx.calls) {
    const bool is_gone =
        std::none_of(lines.begin(), lines.end(), [&call](uint32_t other) { return is_at(call, other); });
    if (is_here(call) || is_gone) calls.push_back(&call);
  }
  return calls;
}

// By name; empty if the PTX does not have each of them once.
std::map<std::string, uint32_t> named_functions(const sass::Code& code, const PtxFile::PointerCalls& ptx) {
  std::map<std::string, uint32_t> named;
  for (const sass::Code::PointedFunction& function : code.pointed_functions) {
    if (!ptx.functions.contains(function.name) || !named.emplace(function.name, function.first).second) return {};
  }
  return named;
}

// Code that is for another target may be other code, as by __CUDA_ARCH__.
bool is_for_target(const PtxFile& ptx, int architecture) {
  const auto contents = ptx.contents();
  const std::string number = "sm_" + std::to_string(architecture);
  return contents && contents->target.starts_with(number) &&
         (contents->target.size() == number.size() || std::isdigit(contents->target[number.size()]) == 0);
}

}  // namespace

const char* const pointers_as_in_ptx =
    "The machine code is that of the PTX in the file: a call through a register leads only to functions that the call "
    "of the PTX may lead to, by their results and parameters (--machine-code leaves the PTX out).";

bool narrow_pointer_calls(sass::Code& code, const std::vector<CubinCode::PtxPlace>& places, const PtxTexts& texts,
                          const PtxFile* ptx) {
  std::map<uint32_t, std::set<uint32_t>> lines;  // by file
  for (const auto& [index, functions] : code.pointer_calls) lines[places[index].file].insert(places[index].line);
  bool narrowed = false;
  for (auto& [index, functions] : code.pointer_calls) {
    const CubinCode::PtxPlace& place = places[index];
    const PtxFile* own = place.line == 0 ? nullptr : texts.of(place.file);
    const PtxFile* from = own;
    if (own == nullptr && ptx != nullptr && is_for_target(*ptx, code.architecture)) from = ptx;
    const auto calls = from == nullptr ? std::nullopt : from->pointer_calls(code.name);
    if (!calls) continue;
    const auto names = targets_of(calls_at(*calls, own == nullptr ? 0 : place.line, lines.at(place.file)));
    const auto named = named_functions(code, *calls);
    const auto is_here = [&named](const std::string& name) { return named.contains(name); };
    if (!names || !std::all_of(names->begin(), names->end(), is_here) || names->size() == functions.size()) continue;
    std::erase_if(functions, [&](uint32_t function) {
      return std::none_of(names->begin(), names->end(),
                          [&](const std::string& name) { return named.at(name) == function; });
    });
    narrowed = true;
  }
  return narrowed;
}

}  // namespace warpspan::frontend
