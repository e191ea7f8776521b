// Reads the format of docs/machines.md.
#include "timing/machine/read_fetch.hpp"
#include "timing/machine/read_operations.hpp"

namespace warpspan::timing {

namespace {

constexpr TableReader::Range positive = {1, 1'000'000'000};
constexpr TableReader::Range natural = {0, 1'000'000'000};

class MachineFile {
 public:
  MachineFile(const std::string& name, std::string_view text) : file_(name, text) {}

  support::Result<Machine> read() {
    const std::optional<toml::table> root = file_.parse();
    if (root) read_root(*root);
    if (support::Diagnostics errors = file_.errors(); !errors.empty()) return errors;
    return std::move(machine_);
  }

 private:
  using Section = void (MachineFile::*)(TableReader&);

  void read_root(const toml::table& table);
  void read_head(TableReader& root);
  void read_sources(const toml::table& table);
  void read_section(TableReader& root, std::string_view key, Section section, Provenance* provenance);
  void read_board(TableReader& board);
  void read_issue(TableReader& issue);
  void read_warp_size(TableReader& issue);
  void read_limits(TableReader& limits);
  void read_dispatch(TableReader& dispatch);
  void read_lanes(TableReader& lanes);
  void read_resources(const toml::table& table);

  TomlFile file_;
  Machine machine_;
};

void MachineFile::read_root(const toml::table& table) {
  TableReader root(file_, table, "the file");
  refuse_control_characters(file_, table);
  read_head(root);
  if (const auto* sources = root.table("sources")) read_sources(*sources);
  read_section(root, "board", &MachineFile::read_board, &machine_.board);
  read_section(root, "issue", &MachineFile::read_issue, &machine_.issue);
  read_section(root, "limits", &MachineFile::read_limits, &machine_.limits);
  if (root.node("dispatch") != nullptr) {
    read_section(root, "dispatch", &MachineFile::read_dispatch, &machine_.dispatch.emplace().provenance);
  }
  read_section(root, "lanes", &MachineFile::read_lanes, &machine_.units);
  machine_.resources.push_back(
      {"issue", 1, ResourceFigures::Sharing::scheduler, machine_.issue.evidence, machine_.issue.source});
  if (root.has("resource")) {
    if (const auto* resources = root.table("resource")) read_resources(*resources);
  }
  read_fetch(file_, root, machine_);
  if (const auto* operations = root.table("operation")) read_operations(file_, *operations, machine_);
  root.finish();
}

void MachineFile::read_head(TableReader& root) {
  machine_.name = root.text("name").text;
  machine_.description = root.text("description").text;
  for (const Text& target : root.texts_or_none("targets")) {
    if (target.text.rfind("sm_", 0) != 0) {
      root.error(target.at, "unknown target '" + target.text + "'",
                 "a target is written as in .target, such as \"sm_80\"");
    }
    machine_.targets.push_back(target.text);
  }
  for (const Text& sentence : root.texts("assumptions")) machine_.assumptions.push_back(sentence.text);
}

void MachineFile::read_sources(const toml::table& table) {
  TableReader sources(file_, table, "[sources]");
  for (auto&& [key, value] : table) {
    machine_.references.push_back({std::string(key.str()), sources.text(key.str()).text});
  }
}

void MachineFile::read_section(TableReader& root, std::string_view key, Section section, Provenance* provenance) {
  const toml::table* table = root.table(key);
  if (table == nullptr) return;
  TableReader reader(file_, *table, "[" + std::string(key) + "]");
  (this->*section)(reader);
  *provenance = reader.provenance(machine_.references);
  reader.finish();
}

void MachineFile::read_board(TableReader& board) {
  machine_.multiprocessors = board.integer("multiprocessors", positive);
  machine_.clock_khz = board.integer("clock_khz", positive);
}

void MachineFile::read_issue(TableReader& issue) {
  read_warp_size(issue);
  machine_.schedulers = issue.integer("schedulers", positive);
  machine_.issue_gap = issue.integer("gap", positive);
  machine_.issue_hold = issue.integer("hold", positive);
}

// All analyses of lanes, divergence and memory transactions are for warps of this size.
void MachineFile::read_warp_size(TableReader& issue) {
  const toml::node* value = issue.node("warp_size");
  if (value == nullptr || (value->is_integer() && *value->as_integer() == warp_size)) return;
  const std::string size = std::to_string(warp_size);
  issue.error(value->source(), "every machine has warps of " + size + " threads",
              "write warp_size = " + size + ", or leave it out");
}

void MachineFile::read_limits(TableReader& limits) {
  machine_.max_warps = limits.integer("warps", positive);
  machine_.max_blocks = limits.span("blocks", positive);
  machine_.max_threads_per_block = limits.integer("threads_per_block", positive);
  machine_.shared_bytes = limits.span("shared_bytes", natural);
  machine_.shared_bytes_per_block = limits.integer("shared_bytes_per_block", natural);
  machine_.shared_granularity = limits.integer("shared_granularity", positive);
  machine_.shared_reserved_per_block = limits.integer("shared_reserved_per_block", natural);
  machine_.registers = limits.integer("registers", positive);
  machine_.registers_per_block = limits.integer("registers_per_block", positive);
  machine_.registers_per_thread = limits.integer_or("registers_per_thread", {1, 65536}, machine_.registers_per_thread);
  machine_.register_granularity = limits.span("register_granularity", positive);
}

void MachineFile::read_dispatch(TableReader& dispatch) {
  machine_.dispatch->latency = dispatch.integer("latency", natural);
  machine_.dispatch->interval = dispatch.integer("interval", natural);
}

void MachineFile::read_lanes(TableReader& lanes) {
  const auto width = [&](ir::UnitClass unit, std::string_view key) {
    const auto warps = support::make_rational(lanes.integer(key, positive), warp_size);
    machine_.unit_width[static_cast<size_t>(unit)] = warps.value_or(support::Rational{});
  };
  width(ir::UnitClass::load_store, "load_store");
  width(ir::UnitClass::core, "core");
  width(ir::UnitClass::special, "special");
}

void MachineFile::read_resources(const toml::table& table) {
  for_each_table(file_, table, "resource", [this](const std::string& name, TableReader& reader) {
    if (name == "issue")
      reader.error(reader.at(), "resource 'issue' is given by [issue]", "leave [resource.issue] out");
    ResourceFigures resource;
    resource.name = name;
    resource.servers = reader.integer("servers", positive);
    resource.sharing = read_sharing(reader);
    const Provenance provenance = reader.provenance(machine_.references);
    resource.evidence = provenance.evidence;
    resource.source = provenance.source;
    machine_.resources.push_back(std::move(resource));
  });
}

}  // namespace

support::Result<Machine> parse_machine(const std::string& name, std::string_view text) {
  return MachineFile(name, text).read();
}

}  // namespace warpspan::timing
