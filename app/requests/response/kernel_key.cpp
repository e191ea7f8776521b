// Each structure is taken apart into all its members: a new one does not compile until it is part of the key, or is
// left out for a reason.
#include "app/requests/response/kernel_key.hpp"

namespace warpspan::app {

namespace {

class Key {
 public:
  void add(const std::string& text) { words_.push_back(text); }
  void add(int64_t number) { words_.push_back(std::to_string(number)); }

  template <typename T>
  void add(const std::optional<T>& value) {
    add(int64_t{value ? 1 : 0});
    if (value) add(*value);
  }

  template <typename T>
  void add(const std::vector<T>& values) {
    add(static_cast<int64_t>(values.size()));
    for (const T& value : values) add(value);
  }

  void add(const ir::Extent& extent) {
    const auto& [x, y, z] = extent;
    add(x);
    add(y);
    add(z);
  }

  void add(const ir::ByteRange& range) {
    const auto& [offset, count] = range;
    add(offset);
    add(count);
  }

  void add(const ir::Argument& argument) {
    const auto& [parameter, value, bytes, kernel, origin, element, written] = argument;
    add(parameter);
    add(value);
    add(bytes);
    add(kernel);
    add(element);
    static_cast<void>(origin);
    static_cast<void>(written);
  }

  void add(const ir::LoopBound& bound) {
    const auto& [label, trip_count, file, line, kernel, origin, wait, from_file, from_line] = bound;
    add(label);
    add(trip_count);
    add(wait);
    add(file);
    add(line);
    add(kernel);
    add(from_file);
    add(from_line);
    static_cast<void>(origin);
  }

  void add(const ir::Buffer& buffer) {
    const auto& [parameter, bytes, kernel, origin, written] = buffer;
    add(parameter);
    add(bytes);
    add(kernel);
    static_cast<void>(origin);
    static_cast<void>(written);
  }

  void add(const ir::CallCost& cost) {
    const auto& [function, time, text, kernel, origin] = cost;
    add(function);
    add(time.amount);
    add(int64_t{time.in_cycles ? 1 : 0});
    add(kernel);
    static_cast<void>(text);
    static_cast<void>(origin);
  }

  void add(const ir::Recursion& recursion) {
    const auto& [function, depth, kernel, origin] = recursion;
    add(function);
    add(depth);
    add(kernel);
    static_cast<void>(origin);
  }

  void add(const ir::Interference& interference) {
    const auto& [share, text, origin] = interference;
    add(share.numerator);
    add(share.denominator);
    static_cast<void>(text);
    static_cast<void>(origin);
  }

  void add(const ir::Launch& launch) {
    const auto& [block, grid, arguments, globals, trust_initialisers, loop_bounds, buffers, call_costs, recursions,
                 registers, registers_from, registers_of_code, static_shared, dynamic_shared, interference] = launch;
    add(block);
    add(grid);
    add(arguments);
    add(globals);
    add(int64_t{trust_initialisers ? 1 : 0});
    add(loop_bounds);
    add(buffers);
    add(call_costs);
    add(recursions);
    add(registers);
    add(registers_from);
    add(int64_t{registers_of_code ? 1 : 0});
    add(static_shared);
    add(dynamic_shared);
    add(interference);
  }

  void add(const timing::AssumptionSet& granted) {
    for (size_t i = 0; i < timing::assumptions; ++i) {
      add(int64_t{granted.has(static_cast<timing::Assumption>(i)) ? 1 : 0});
    }
  }

  void add(const Compilation& how) {
    const auto& [compiler, flags, target, wanted, assembler, assemblies, cancel] = how;
    add(compiler);
    add(flags);
    add(target);
    add(static_cast<int64_t>(wanted));
    add(assembler);
    static_cast<void>(assemblies);
    static_cast<void>(cancel);
  }

  void add(const KernelOfFile& kernel) {
    const auto& [file, name, facts, compilation, launch, granted] = kernel;
    add(file);
    add(name);
    add(facts);
    add(compilation);
    add(launch);
    add(granted);
  }

  KernelKey words() { return std::move(words_); }

 private:
  KernelKey words_;
};

}  // namespace

KernelKey key_of(const KernelOfFile& kernel) {
  Key key;
  key.add(kernel);
  return key.words();
}

}  // namespace warpspan::app
