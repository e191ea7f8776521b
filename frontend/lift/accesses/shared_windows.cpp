// Theorem. Let V be a variable in shared memory at A, b bytes large, W the generic address of byte 0 of shared memory,
// and n > 0. An access by a generic address of bytes W + A + o to W + A + o + n - 1, modulo 2^64, touches V and nothing
// else if 0 <= o and o + n <= b.
//
// Proof. Shared memory is a window of the generic addresses, as large as the state space; an address in the window
// means the byte of the state space that is as far from its beginning as the address is from that of the window,
// whatever global memory there is (PTX ISA 6.4.1.1). V lies in the state space, so W + A .. W + A + b - 1 lie in the
// window, do not wrap, and mean the bytes of V. The accessed bytes are among these. []
//
// o is the difference of the address and W + A in scalar evolution, which is exact modulo 2^64; both bounds are those
// of its unsigned range, which contains it in every execution. What scalar evolution cannot see through, W and A
// included, has the range of its type, so nothing that is only maybe in the window is taken for it.
#include "frontend/lift/accesses/shared_windows.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "frontend/lift/translation/emitter.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using ir::MemorySpace;
using support::Integer;

// The number that a text goes on with at its first digit, and what is behind it; nothing if it has none.
std::optional<int64_t> next_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

struct Matrix {
  int64_t rows = 0, columns = 0;
};

// Matrix a is m by k, b is k by n, the others are m by n.
std::optional<Matrix> matrix_of(std::string_view shape, char which) {
  const auto m = next_number(shape), n = next_number(shape), k = next_number(shape);
  if (!m || !n || !k) return std::nullopt;
  return Matrix{which == 'b' ? *k : *m, which == 'a' ? *k : *n};
}

struct Beginnings {
  std::set<const llvm::SCEVUnknown*> windows, variables;  // windows of shared memory, variables anywhere
};

// The launch's values that an address is made of.
Beginnings beginnings_of(const llvm::SCEV& address) {
  struct Visitor {
    Beginnings found;
    bool follow(const llvm::SCEV* part) {
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      const auto source = unknown == nullptr ? std::nullopt : launch_source(*unknown->getValue());
      if (source && source->kind == LaunchSource::Kind::window &&
          source->number == static_cast<uint32_t>(MemorySpace::shared)) {
        found.windows.insert(unknown);
      }
      if (source && source->kind == LaunchSource::Kind::variable) found.variables.insert(unknown);
      return true;
    }
    bool isDone() const { return false; }
  };
  Visitor visitor;
  llvm::visitAll(&address, visitor);
  return visitor.found;
}

}  // namespace

std::optional<int64_t> fragment_extent(const ir::Operation& operation, int64_t distance) {
  const std::vector<std::string>& words = operation.key.modifiers;
  const auto shape = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with('m') && word.find('n') != std::string::npos && word.find('k') != std::string::npos;
  });
  if (shape == words.end() || operation.key.types.size() != 1) return std::nullopt;
  const auto matrix = matrix_of(*shape, operation.key.opcode.back());
  std::string_view type = operation.key.types.front();
  const auto bits = next_number(type);
  if (!matrix || !bits) return std::nullopt;
  const bool by_columns = std::find(words.begin(), words.end(), "col") != words.end();
  const int64_t lines = by_columns ? matrix->columns : matrix->rows;
  const int64_t length = by_columns ? matrix->rows : matrix->columns;
  const Integer all = (Integer(lines - 1) * distance + length) * *bits;
  return ceil_divide(all, 8).value();
}

bool SharedWindows::holds(const llvm::CallInst& call) const {
  const auto from = origin(call);
  if (!from || body_.operation(*from).space != MemorySpace::generic) return false;
  const auto bytes = extent(call);
  if (!bytes || *bytes <= 0) return false;
  const llvm::SCEV* address = evolution_.getSCEV(call.getArgOperand(0));
  const Beginnings beginnings = beginnings_of(*address);
  if (beginnings.windows.size() != 1 || beginnings.variables.size() != 1) return false;
  const llvm::SCEVUnknown* variable = *beginnings.variables.begin();
  const auto room = bytes_of(launch_source(*variable->getValue())->number);
  if (!room || *room < *bytes) return false;
  // A wider address than that of the variable has it extended: it is no negative number.
  llvm::Type* type = address->getType();
  if (evolution_.getTypeSizeInBits(variable->getType()) > evolution_.getTypeSizeInBits(type)) return false;
  const llvm::SCEV* begin =
      evolution_.getAddExpr(*beginnings.windows.begin(), evolution_.getNoopOrZeroExtend(variable, type));
  const llvm::APInt most = evolution_.getUnsignedRangeMax(evolution_.getMinusSCEV(address, begin));
  return most.ule(static_cast<uint64_t>(*room - *bytes));
}

bool SharedWindows::mentions_shared(const llvm::CallInst& call) const {
  const Beginnings beginnings = beginnings_of(*evolution_.getSCEV(call.getArgOperand(0)));
  return !beginnings.windows.empty() ||
         std::any_of(beginnings.variables.begin(), beginnings.variables.end(), [this](const llvm::SCEVUnknown* one) {
           return program_.variables[launch_source(*one->getValue())->number].space == MemorySpace::shared;
         });
}

// From the address on, at most.
std::optional<int64_t> SharedWindows::extent(const llvm::CallInst& call) const {
  const ir::Operation& operation = body_.operation(*origin(call));
  if (call_kind(call) == CallKind::access) {
    const bool is_plain = operation.bytes > 0 && !ir::is_async_copy(operation) && !ir::is_bulk_copy(operation);
    return is_plain ? std::optional<int64_t>(operation.bytes) : std::nullopt;
  }
  if (call_kind(call) != CallKind::fragment) return std::nullopt;
  const llvm::APInt distance = evolution_.getUnsignedRangeMax(evolution_.getSCEV(call.getArgOperand(1)));
  return fragment_extent(operation, static_cast<int64_t>(distance.getZExtValue()));
}

std::optional<int64_t> SharedWindows::bytes_of(ir::VariableId variable) const {
  const ir::Variable& found = program_.variables[variable];
  if (found.space != MemorySpace::shared) return std::nullopt;
  return found.bytes > 0 ? found.bytes : dynamic_bytes_;
}

}  // namespace warpspan::lift
