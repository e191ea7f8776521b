// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/work.hpp"

#include "frontend/amalthea/lookup.hpp"
#include "frontend/amalthea/quantities.hpp"

namespace warpspan::amalthea {

namespace {

using Keys = std::vector<std::string_view>;

const Keys keys_of_blocks = {"blocks", "threads", "shared", "registers"};
const Keys keys_of_file = {"file",    "kernel",    "block",  "grid",   "args", "loop_bounds",
                           "buffers", "registers", "shared", "assume", "facts"};

class Work {
 public:
  Work(const Model& model, const Mapping& mapping, const Clock& clock, Findings& findings)
      : model_(model), mapping_(mapping), clock_(clock), findings_(findings) {}

  std::vector<Operation> run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.is_kernel) {
        add_kernel(step);
      } else if (step.direction) {
        add_copies(step);
      }
    }
    return std::move(work_);
  }

 private:
  void add_kernel(const Step& step) {
    const Runnable& runnable = *step.owner;
    const std::string title = "runnable '" + runnable.name + "'";
    const bool of_file = runnable.find("file") != nullptr;
    refuse_other_keys(runnable, of_file ? keys_of_file : keys_of_blocks, title, of_file);
    const char* needed = of_file ? "grid" : "blocks";
    if (runnable.find(needed) == nullptr)
      return findings_.error(step.at, title + " is a kernel, and how many blocks it has is not told",
                             of_file ? property_help("grid", "8", "the runnable")
                                     : property_help("blocks", "8", "the runnable") +
                                           ": each takes the runnable's ticks at most; or warpspan.file and "
                                           "warpspan.grid of a kernel in PTX");
    Operation kernel{entries_of(runnable, Owner::runnable, of_file ? keys_of_file : keys_of_blocks, title, findings_),
                     runnable.name, findings_.locate(step.at)};
    if (of_file && step.execution != nullptr)
      findings_.note(step.at, "the ticks of " + title + " are not used: its kernel is bounded from its file");
    if (!of_file) add_time(step, title, kernel);
    work_.push_back(std::move(kernel));
  }

  void refuse_other_keys(const Runnable& runnable, const Keys& keys, const std::string& title, bool of_file) {
    for (const Property& property : runnable.properties) {
      if (has(keys, property.key) || property.key == "copy") continue;
      findings_.error(
          property.at,
          title +
              (of_file ? " is a kernel of a file, and has 'warpspan." : " is no kernel of a file, and has 'warpspan.") +
              property.key + "'",
          of_file ? "take one of the two out" : property_help("file", "kernel.ptx", "the runnable"));
    }
  }

  void add_time(const Step& step, const std::string& title, Operation& kernel) {
    const Execution::Case* most = most_of(*step.execution);
    const char* ticks_help =
        "write <default xsi:type=\"am:DiscreteValueConstant\" value=\"TICKS\"/>, the most that a "
        "block takes, or an upperBound";
    if (most == nullptr)
      return findings_.error(step.at, title + " has no ticks for '" + mapping_.definition->name + "', and no default",
                             ticks_help);
    if (!most->most.value)
      return findings_.error(
          most->most.at, "the most that " + title + " takes is not told by '" + most->most.written + "'", ticks_help);
    if (*most->most.value == 0) return findings_.error(most->most.at, title + " takes no ticks", ticks_help);
    if (step.execution->is_instructions && !clock_.per_tick)
      return findings_.error(most->most.at,
                             "how many instructions '" + mapping_.definition->name + "' does in a tick is not told",
                             "refer from it to a feature 'IPC' of the category 'Instructions'; or give ticks");
    if (!clock_.hertz) return;
    const Decimal once = {1, 0};
    const auto time =
        time_of_ticks(*most->most.value, *clock_.hertz, step.execution->is_instructions ? *clock_.per_tick : once);
    if (!time)
      return findings_.error(most->most.at, title + " takes more than 2^63 picoseconds", "give the ticks of one block");
    kernel.entries.push_back({"time", Picoseconds{*time}, findings_.locate(most->most.at)});
    kernel.comment += ": " + std::to_string(*most->most.value) +
                      (step.execution->is_instructions ? " instructions" : " ticks") + " at " + clock_.frequency;
  }

  // That of the GPU, else the default. All of them have to be read: another one might be the GPU's.
  const Execution::Case* most_of(const Execution& execution) {
    const Execution::Case* own = nullptr;
    const Execution::Case* other = nullptr;
    for (const Execution::Case& one : execution.cases) {
      if (one.on && follow(findings_, model_.definitions, *one.on) != mapping_.definition) continue;
      const Execution::Case*& known = one.on ? own : other;
      if (known != nullptr) findings_.error(one.most.at, "ticks for the same are told twice", "take one of them out");
      known = &one;
    }
    return own == nullptr ? other : own;
  }

  // A copy reads a label and writes another one, or only one of them is in the model.
  void add_copies(const Step& step) {
    std::vector<const Label*> from, to;
    const bool to_device = *step.direction == Direction::to_device;
    for (const Item* access : step.accesses) {
      const Label* label = follow(findings_, model_.labels, access->to);
      if (label == nullptr) continue;
      refuse_strangers(findings_, label->strangers, "label '" + label->name + "'");
      const bool reads = access->kind == Item::Kind::read;
      const auto place = memory_of(*label);
      // Read from its source, or written to its target; on the other side there is nothing to be copied.
      if (!place || (*place == Direction::to_host) == (reads == to_device)) (reads ? from : to).push_back(label);
    }
    if (!from.empty() && !to.empty() && from.size() != to.size())
      return findings_.error(step.at,
                             std::to_string(from.size()) + " labels are read and " + std::to_string(to.size()) +
                                 " written for copies: which belong together is not told",
                             property_help("memory", "device", "each label that stays on the GPU") +
                                 ", and one read and one write for each copy");
    const std::vector<const Label*>& labels = from.empty() ? to : from;
    for (size_t i = 0; i < labels.size(); ++i) {
      const auto bytes = bytes_of(*labels[i], step.at);
      if (!from.empty() && !to.empty()) {
        const auto others = bytes_of(*to[i], step.at);
        if (bytes && others && *bytes != *others)
          findings_.error(step.at,
                          "a copy of label '" + labels[i]->name + "' (" + std::to_string(*bytes) +
                              " bytes) to label '" + to[i]->name + "' (" + std::to_string(*others) + " bytes)",
                          "give both labels the size of the copy");
      }
      if (!bytes) continue;
      const support::Location at = findings_.locate(step.at);
      work_.push_back({{{"copy", std::string(to_device ? "to-device" : "to-host"), at}, {"bytes", *bytes, at}},
                       labels[i]->name + (from.empty() || to.empty() ? "" : " to " + to[i]->name),
                       at});
    }
  }

  // Where a label is: to_host stands for the host's memory.
  std::optional<Direction> memory_of(const Label& label) {
    const Property* own = label.find("memory");
    if (own == nullptr) return std::nullopt;
    const std::string value = own->value.value_or("");
    if (value == "host") return Direction::to_host;
    if (value != "device")
      findings_.error(own->at, "'warpspan.memory' has to be host or device",
                      property_help("memory", "device", "the label"));
    return Direction::to_device;
  }

  std::optional<int64_t> bytes_of(const Label& label, size_t access) {
    const std::string help = "write <size value=\"4096\" unit=\"byte\"/>";
    if (!label.size) {
      findings_.error(label.at,
                      "label '" + label.name + "' has no size, and is copied in line " +
                          std::to_string(findings_.locate(access).line),
                      help);
    } else if (!label.size->value || *label.size->value == 0) {
      findings_.error(label.size->at, "'" + label.size->written + "' is no size of a copy", help);
    } else {
      return label.size->value;
    }
    return std::nullopt;
  }

  const Model& model_;
  const Mapping& mapping_;
  const Clock& clock_;
  Findings& findings_;
  std::vector<Operation> work_;
};

}  // namespace

std::vector<Entry> entries_of(const Entity& entity, Owner owner, const std::vector<std::string_view>& keys,
                              const std::string& title, Findings& findings) {
  std::vector<Entry> entries;
  for (const std::string_view key : keys) {
    const Property* property = entity.find(key);
    if (property == nullptr) continue;
    const auto value = property->value ? parse_property(owner, key, *property->value) : std::nullopt;
    if (value) {
      entries.push_back({std::string(key), *value, findings.locate(property->at)});
    } else {
      findings.error(property->at,
                     "'warpspan." + std::string(key) + "' of " + title + " has to be " + expected_of(owner, key),
                     "write <value xsi:type=\"am:StringObject\" value=\"...\"/>");
    }
  }
  return entries;
}

std::vector<Operation> work_of(const Model& model, const Mapping& mapping, const Clock& clock,
                               const std::vector<Step>& steps, Findings& findings) {
  return Work(model, mapping, clock, findings).run(steps);
}

}  // namespace warpspan::amalthea
