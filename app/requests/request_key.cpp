// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/request_key.hpp"

#include <tuple>

#include "app/fleet/archive.hpp"
#include "app/requests/report_archive.hpp"

namespace warpspan::app {

// The members are named here one by one, so that a new one does not compile before it stands in the key.
std::string key_of(const Compilation& how) {
  const auto& [compiler, flags, target, wanted, assembler, assemblies, inputs, cancel] = how;
  if (!compiler.empty() || !assembler.empty()) return {};
  return "how" + archived(std::tie(flags, target, wanted));
}

std::string key_of(const BoundRequest& request, MachineShelf& machines) {
  const auto& [kernels, machine, assumed, advice, compiled, pipeline_model, string_model, with_code, expects, effort,
               limits, source_root, brief, inspect, fleet] = request;
  const auto& [files, compilation, devices, names, launch, unknown_opcodes, hopeless, explain, facts] = kernels;
  const std::string how = key_of(compilation);
  if (fleet.cache == nullptr || how.empty() || files.size() != 1 || files.front() == "-" || facts == "-") return {};
  if (string_model || inspect || hopeless) return {};
  std::string figures;
  if (!machine.empty()) {
    const auto& known = machines.find(machine, "");
    if (!known) return {};
    figures = machines.hash_of(*known);
  }
  return "bounds" +
         archived(std::tuple(fleet.cache->hash_of(files.front()), figures,
                             facts.empty() ? std::string() : fleet.cache->hash_of(facts))) +
         archived(std::tie(files, how, devices, names, launch, unknown_opcodes, explain, facts)) +
         archived(std::tie(machine, assumed, advice, pipeline_model, with_code, expects, effort, source_root, brief)) +
         archived(compiled.parts());
}

namespace {

std::string key_of_file(const char* kind, const Fleet& fleet, const std::string& file, const Compilation& how,
                        const std::vector<std::string>& devices) {
  const std::string compilation = key_of(how);
  if (fleet.cache == nullptr || compilation.empty() || file == "-") return {};
  return kind + archived(std::tuple(fleet.cache->hash_of(file), file, compilation, devices));
}

}  // namespace

std::string key_of_contents(const Fleet& fleet, const std::string& file, const Compilation& how,
                            const std::vector<std::string>& devices) {
  return key_of_file("contents", fleet, file, how, devices);
}

std::string key_of_figures(const Fleet& fleet, const std::string& file, const Compilation& how,
                           const std::vector<std::string>& devices, const std::vector<std::string>& kernels) {
  const std::string key = key_of_file("figures", fleet, file, how, devices);
  return key.empty() ? key : key + archived(kernels);
}

}  // namespace warpspan::app
