// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/ptxas_log.hpp"

#include <charconv>

#include "app/requests/kernels/gpu_code.hpp"
#include "frontend/object/cubin.hpp"
#include "frontend/object/image_choice.hpp"
#include "support/checked.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Integer;
using support::Result;

constexpr const char* whole_log = "give all that 'nvcc -Xptxas -v' prints in a run of its own, as text";

// What follows the words in the line, or nothing.
std::optional<std::string_view> after(std::string_view line, std::string_view words) {
  const size_t at = line.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + words.size());
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "12" or "12+4": the sum. Overflows where there are no digits, so that it has no value.
Integer sum_of(std::string_view text) {
  Integer sum;
  while (true) {
    const size_t plus = text.find('+');
    const std::string_view word = text.substr(0, plus);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool is_number = error == std::errc() && end == word.data() + word.size() && value >= 0;
    sum += is_number ? Integer(value) : Integer(INT64_MAX) + 1;
    if (plus == std::string_view::npos) return sum;
    text.remove_prefix(plus + 1);
  }
}

// The number before the words; 0 where they are not in the line, nothing where no number is before them.
std::optional<int64_t> number_before(std::string_view line, std::string_view words) {
  const size_t at = line.find(words);
  if (at == std::string_view::npos) return 0;
  const std::string_view before = trimmed(line.substr(0, at));
  const size_t blank = before.find_last_of(" \t,");
  return sum_of(blank == std::string_view::npos ? before : before.substr(blank + 1)).value();
}

// Bytes of all banks, of "364 bytes cmem[0], 16 bytes cmem[2]"; nothing where none are told.
std::optional<int64_t> constants_in(std::string_view line) {
  constexpr std::string_view words = " bytes cmem[";
  std::optional<Integer> sum;
  for (size_t at = line.find(words); at != std::string_view::npos; at = line.find(words)) {
    const auto bytes = number_before(line, words);
    if (!bytes) return std::nullopt;
    sum = sum.value_or(0) + *bytes;
    line.remove_prefix(at + words.size());
  }
  return sum ? sum->value() : std::nullopt;
}

// The number behind the words, of "REG:8 STACK:0"; nothing where there is none.
std::optional<int64_t> number_behind(std::string_view line, std::string_view words) {
  const auto rest = after(line, words);
  if (!rest) return std::nullopt;
  return sum_of(rest->substr(0, rest->find_first_not_of("0123456789"))).value();
}

// The same of "CONSTANT[0]:380 CONSTANT[2]:16".
std::optional<int64_t> linked_constants_in(std::string_view line) {
  std::optional<Integer> sum;
  for (auto rest = after(line, "CONSTANT["); rest; rest = after(*rest, "CONSTANT[")) {
    const auto bytes = number_behind(*rest, "]:");
    if (!bytes) return std::nullopt;
    sum = sum.value_or(0) + *bytes;
  }
  return sum ? sum->value() : std::nullopt;
}

class LogReader {
 public:
  explicit LogReader(std::string name) : name_(std::move(name)) {}

  Result<CompiledKernels> run(std::string_view text) {
    while (!text.empty() && errors_.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      text_ = text.substr(0, end);
      if (end == text.size() && is_figures()) {
        error("the log ends within a line");
      } else {
        read_line();
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (errors_.empty()) finish_kernel();
    if (errors_.empty()) finish_function();
    if (errors_.empty() && kernels_.empty() && linked_.empty()) {
      text_ = {};
      line_ = 0;
      error(
          "the log names no kernel: it has no line 'Compiling entry function' of ptxas, no 'Function properties for' "
          "of "
          "nvlink or the driver, and no 'Function' of cuobjdump -res-usage");
    }
    if (!errors_.empty()) return errors_;
    return all();
  }

 private:
  struct Kernel {
    std::string architecture, name;
    CompiledKernel compiled;
  };

  // By nvlink, the driver or cuobjdump.
  struct Linked {
    std::string architecture, name;  // the architecture may be empty: it is not stated
    CompiledKernel compiled;
  };

  struct Function {
    std::string name;
    int64_t spill = 0, stack = 0;
  };

  void error(std::string message) {
    Diagnostic wrong = support::usage_error(std::move(message), whole_log);
    wrong.location = {name_, line_, line_ == 0 ? 0 : 1};
    wrong.source_line = std::string(text_);
    errors_.push_back(std::move(wrong));
  }

  bool is_properties() const { return text_.find(" bytes stack frame") != std::string_view::npos; }
  bool is_usage() const { return text_.find("ptxas info") != std::string_view::npos && after(text_, ": Used "); }
  bool is_linked_usage() const { return linked_name_ && after(text_, ": used ") && after(text_, " registers"); }
  bool is_resources() const { return !architecture_.empty() && number_behind(text_, "REG:").has_value(); }
  bool is_figures() const { return is_properties() || is_usage() || is_linked_usage() || is_resources(); }

  // "k" of "'k':", which nvlink and the driver write.
  static std::optional<std::string> quoted_name(std::string_view text) {
    if (text.size() < 4 || text.front() != '\'' || !text.ends_with("':")) return std::nullopt;
    return std::string(text.substr(1, text.size() - 3));
  }

  void read_line() {
    if (const auto compiling = after(text_, "Compiling entry function '")) {
      read_kernel(*compiling);
    } else if (const auto function = after(text_, "Function properties for ")) {
      finish_function();
      linked_name_ = quoted_name(trimmed(*function));
      if (!linked_name_) function_ = std::string(trimmed(*function));
    } else if (is_linked_usage()) {
      read_linked_usage();
    } else if (const auto architecture = after(text_, "arch = ")) {
      architecture_ = std::string(trimmed(*architecture));
    } else if (const auto listed = after(text_, " Function "); listed && !architecture_.empty()) {
      finish_function();
      const std::string_view name = trimmed(*listed);
      if (name.ends_with(':')) linked_name_ = std::string(name.substr(0, name.size() - 1));
    } else if (is_resources()) {
      read_resources();
    } else if (is_properties()) {
      read_properties();
    } else if (is_usage()) {
      read_usage();
    }
  }

  // "NAME' for 'sm_80'"
  void read_kernel(std::string_view text) {
    finish_kernel();
    if (errors_.empty()) finish_function();
    constexpr std::string_view between = "' for '";
    const size_t middle = text.find(between);
    const size_t end = middle == std::string_view::npos ? middle : text.find('\'', middle + between.size());
    if (end == std::string_view::npos) {
      error("a kernel without an architecture");
      return;
    }
    const size_t begin = middle + between.size();
    current_ = Kernel{std::string(text.substr(begin, end - begin)), std::string(text.substr(0, middle)), {}};
    current_->compiled.logs = {name_};
  }

  void read_properties() {
    const auto stack = number_before(text_, " bytes stack frame");
    const auto stores = number_before(text_, " bytes spill stores");
    const auto loads = number_before(text_, " bytes spill loads");
    const auto spill = stores && loads ? (Integer(*stores) + *loads).value() : std::nullopt;
    if (!stack || !spill || text_.find(" bytes spill stores") == std::string_view::npos ||
        text_.find(" bytes spill loads") == std::string_view::npos) {
      error("figures of stack and spills that cannot be read");
    } else if (!function_) {
      error("figures of stack and spills of no function");
    } else if (current_ && *function_ == current_->name && current_->compiled.spill) {
      error("second figures of stack and spills of kernel '" + current_->name + "'");
    } else if (current_ && *function_ == current_->name) {
      current_->compiled.stack = std::max(*stack, current_->compiled.stack.value_or(0));
      current_->compiled.spill = spill;
    } else if (!is_kernel(*function_)) {
      functions_.push_back({*function_, *spill, *stack});
    } else {
      error("figures of kernel '" + *function_ + "' behind another one");
    }
    function_.reset();
  }

  void read_usage() {
    const auto registers = number_before(text_, " registers");
    const auto shared = number_before(text_, " bytes smem");
    const auto local = number_before(text_, " bytes lmem");
    const auto cumulative = number_before(text_, " bytes cumulative stack");
    if (!registers || !shared || !local || !cumulative || text_.find(" registers") == std::string_view::npos) {
      error("figures of registers that cannot be read");
    } else if (current_ && current_->compiled.registers) {
      error("a second number of registers for kernel '" + current_->name + "'");
    } else if (current_) {
      CompiledKernel& compiled = current_->compiled;
      compiled.registers = compiled.fewest_registers = registers;
      compiled.shared = shared;
      compiled.constant = constants_in(text_);
      const int64_t stack = std::max(*local, *cumulative);
      if (stack > 0 || compiled.stack) compiled.stack = std::max(stack, compiled.stack.value_or(0));
    }
  }

  // Of code without a stack nothing is spilled.
  void add_linked(const std::string& architecture, std::optional<int64_t> registers, std::optional<int64_t> shared,
                  std::optional<int64_t> constant, std::optional<int64_t> stack, std::optional<int64_t> local) {
    if (!registers || !shared) return error("figures of registers that cannot be read");
    Linked linked{architecture, *linked_name_, {}};
    linked.compiled.registers = linked.compiled.fewest_registers = registers;
    linked.compiled.shared = shared;
    linked.compiled.constant = constant;
    if (stack && local) linked.compiled.stack = std::max(*stack, *local);
    if (linked.compiled.stack == 0) linked.compiled.spill = 0;
    linked.compiled.logs = {name_};
    linked_.push_back(std::move(linked));
    linked_name_.reset();
  }

  void read_linked_usage() {
    add_linked("", number_before(text_, " registers"), number_before(text_, " bytes smem"), constants_in(text_),
               number_before(text_, " stack"), number_before(text_, " bytes lmem"));
  }

  void read_resources() {
    if (!linked_name_) return error("figures of no function");
    auto shared = number_behind(text_, "SHARED:");
    if (shared) shared = object::without_reserved(object::number_of(architecture_), *shared);
    add_linked(architecture_, number_behind(text_, "REG:"), shared, linked_constants_in(text_),
               number_behind(text_, "STACK:"), number_behind(text_, "LOCAL:"));
  }

  void finish_kernel() {
    if (!current_) return;
    if (!current_->compiled.registers) {
      error("kernel '" + current_->name + "' has no line 'Used ... registers' before this one");
      return;
    }
    kernels_.push_back(std::move(*current_));
    current_.reset();
  }

  void finish_function() {
    if (function_) error("no figures of stack and spills of '" + *function_ + "' before this line");
    if (linked_name_) error("no figures of '" + *linked_name_ + "' before this line");
    function_.reset();
    linked_name_.reset();
  }

  bool is_kernel(const std::string& name) const {
    for (const Kernel& kernel : kernels_) {
      if (kernel.name == name) return true;
    }
    return false;
  }

  // What was linked is what runs. Of several of one name none is known to be for the kernel's architecture: the worst.
  void take_linked(Kernel& kernel) const {
    std::optional<CompiledKernel> worst;
    for (const Linked& linked : linked_) {
      if (linked.name != kernel.name || !linked.architecture.empty()) continue;
      worst = worst ? worst_of(*worst, linked.compiled) : linked.compiled;
    }
    if (!worst) return;
    CompiledKernel& compiled = kernel.compiled;
    compiled.registers = worst->registers;
    compiled.fewest_registers = worst->fewest_registers;
    compiled.shared = worst->shared;
    compiled.constant = worst->constant;
    if (worst->stack) compiled.stack = std::max(*worst->stack, compiled.stack.value_or(0));
    if (!compiled.spill) compiled.spill = worst->spill;
  }

  CompiledKernels all() const {
    CompiledKernels all;
    for (Kernel kernel : kernels_) {
      take_linked(kernel);
      all.add(kernel.architecture, kernel.name, kernel.compiled);
    }
    for (const Linked& linked : linked_) {
      if (!linked.architecture.empty() || !is_kernel(linked.name)) {
        all.add(linked.architecture, linked.name, linked.compiled);
      }
    }
    for (const Function& function : functions_) {
      all.add_function(function.spill, function.stack, name_);
      all.add_frame(function.name, function.stack);
    }
    return all;
  }

  std::string name_;
  std::string_view text_;  // of the line
  int64_t line_ = 0;
  std::optional<Kernel> current_;
  std::optional<std::string> function_;     // whose properties the next line tells
  std::optional<std::string> linked_name_;  // the same, by nvlink, the driver or cuobjdump
  std::string architecture_;                // that cuobjdump has named last
  std::vector<Kernel> kernels_;
  std::vector<Linked> linked_;
  std::vector<Function> functions_;
  support::Diagnostics errors_;
};

}  // namespace

Result<CompiledKernels> parse_ptxas_log(const std::string& name, std::string_view text) {
  return LogReader(name).run(text);
}

CompiledKernels read_ptxas_logs(const std::vector<std::string>& paths, RunRecord& run, support::Diagnostics& errors) {
  CompiledKernels all;
  for (const std::string& path : paths) {
    const auto source = support::read_source(path);
    if (source) run.add_input(source->name(), source->bytes());
    const auto compiled = !source                ? source.errors()
                          : is_gpu_code(*source) ? figures_of(*source)
                                                 : parse_ptxas_log(source->name(), source->text());
    if (compiled) {
      all.add(*compiled);
    } else {
      errors.insert(errors.end(), compiled.errors().begin(), compiled.errors().end());
    }
  }
  return all;
}

}  // namespace warpspan::app
