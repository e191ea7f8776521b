// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/list_code.hpp"

#include <algorithm>
#include <memory>

#include "app/facts/spelling.hpp"
#include "app/requests/kernels/gpu_code.hpp"
#include "app/requests/kernels/input_files.hpp"
#include "frontend/frontend.hpp"
#include "frontend/object/cubin.hpp"
#include "frontend/object/image_choice.hpp"
#include "frontend/object/images.hpp"
#include "frontend/object/other_formats.hpp"
#include "support/isolated.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using object::Image;
using support::Result;

std::optional<ir::Extent> extent_of(const std::optional<std::array<uint32_t, 3>>& threads) {
  if (!threads) return std::nullopt;
  return ir::Extent{(*threads)[0], (*threads)[1], (*threads)[2]};
}

ListedFunction listed(const object::Cubin& cubin, const object::Function& function) {
  ListedFunction result;
  result.name = function.name;
  result.entry = function.entry;
  result.registers = function.registers;
  result.stack_bytes = function.min_stack_bytes ? function.min_stack_bytes : function.frame_bytes;
  result.shared_bytes = object::own_shared_bytes(cubin, function);
  result.code_bytes = static_cast<int64_t>(function.code.size());
  if (function.parameter_area) result.parameter_bytes = function.parameter_area->size;
  result.required_block = extent_of(function.required_threads);
  result.largest_block = extent_of(function.max_threads);
  return result;
}

std::string kind_text(Image::Kind kind) {
  switch (kind) {
    case Image::Kind::cubin: return "cubin";
    case Image::Kind::ptx: return "PTX";
    case Image::Kind::lto_ir: return "LTO-IR";
    case Image::Kind::unknown: break;
  }
  return "unknown";
}

class Listing {
 public:
  explicit Listing(const ListRequest& request) : request_(request), named_(request.kernels.size(), false) {}

  ListReport run() {
    const auto files = input_files(request_.files);
    if (!files) {
      report_.errors = files.errors();
      return std::move(report_);
    }
    for (const std::string& file : *files) add_file(file);
    for (size_t i = 0; i < named_.size() && report_.errors.empty(); ++i) {
      if (named_[i]) continue;
      report_.errors.push_back(support::usage_error("no kernel is named '" + request_.kernels[i] + "'",
                                                    "leave out --kernel to see which there are"));
    }
    fail(code_left_out(request_.files));
    return std::move(report_);
  }

 private:
  void fail(const support::Diagnostics& found) {
    const support::Diagnostics errors = spelled(found);
    report_.errors.insert(report_.errors.end(), errors.begin(), errors.end());
  }

  bool wants(const std::string& target) const {
    const auto& wanted = request_.targets;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), target) != wanted.end();
  }

  // Notes which patterns name it.
  bool is_chosen(const std::string& kernel) {
    bool chosen = request_.kernels.empty();
    for (size_t i = 0; i < named_.size(); ++i) {
      if (!support::names_symbol(request_.kernels[i], kernel)) continue;
      named_[i] = chosen = true;
    }
    return chosen;
  }

  void add_file(const std::string& path) {
    auto source = read_isolated(path);
    if (!source) return fail(source.errors());
    const auto file = std::make_shared<const support::SourceFile>(std::move(*source));
    const auto added = support::isolated({file->name(), 0, 0}, "in the list of its code",
                                         [&]() -> Result<bool> { return add_images(file); });
    if (!added) fail(added.errors());
  }

  Result<bool> add_images(const std::shared_ptr<const support::SourceFile>& file) {
    if (!is_gpu_code(*file)) {
      if (auto error = object::not_text({file->name(), file->bytes()})) return *error;
      ListedImage image;
      image.file = file->name();
      image.kind = kind_text(Image::Kind::ptx);
      image.bytes = static_cast<int64_t>(file->bytes().size());
      return add_ptx(file, std::move(image));
    }
    const object::Input input{file->name(), file->bytes()};
    const auto images = object::final_images(input);
    if (!images) return images.errors();
    const std::vector<uint64_t> parts = object::parts_of(*images);
    bool found = false;
    for (size_t i = 0; i < images->size(); ++i) {
      const Image& image = (*images)[i];
      if (!wants(image.architecture)) continue;
      found = true;
      auto added = add_image(input, image, static_cast<int64_t>(parts[i]));
      if (!added) fail(added.errors());
    }
    if (!found) return no_such_target(file->name(), object::targets_of(*images));
    return true;
  }

  support::Diagnostics no_such_target(const std::string& file, const std::vector<std::string>& all) const {
    return {support::usage_error("'" + file + "' holds no code for " + support::alternatives(request_.targets),
                                 "it has code for " + support::enumeration(all))};
  }

  Result<bool> add_image(const object::Input& input, const Image& image, int64_t part) {
    ListedImage listed_image;
    listed_image.file = input.name;
    listed_image.member = image.member;
    listed_image.part = part;
    listed_image.kind = kind_text(image.kind);
    listed_image.architecture = image.architecture;
    listed_image.bytes = static_cast<int64_t>(image.size);
    const bool is_read = image.kind == Image::Kind::cubin || image.kind == Image::Kind::ptx;
    listed_image.is_listed = is_read;
    if (!is_read) {
      report_.images.push_back(std::move(listed_image));
      return true;
    }
    const std::string name = input.name + ": " + listed_image.kind + " for " + image.architecture;
    auto bytes = object::contents(input, image);
    if (!bytes) return bytes.errors();
    if (image.kind == Image::Kind::ptx) {
      const auto text = std::make_shared<const support::SourceFile>(name, std::string(bytes->bytes));
      return add_ptx(text, std::move(listed_image));
    }
    auto cubin = object::read_cubin({name, bytes->bytes});
    if (!cubin) return cubin.errors();
    for (const object::Function& function : cubin->functions) {
      if (is_chosen(std::string(function.name))) listed_image.functions.push_back(listed(*cubin, function));
    }
    report_.images.push_back(std::move(listed_image));
    return true;
  }

  Result<bool> add_ptx(const std::shared_ptr<const support::SourceFile>& text, ListedImage image) {
    const auto contents = frontend::contents_of(text);
    if (!contents) return contents.errors();
    if (image.architecture.empty()) image.architecture = contents->target;
    if (!wants(image.architecture)) return no_such_target(image.file, {image.architecture});
    for (const frontend::Contents::Entry& kernel : contents->kernels) {
      ListedFunction function;
      function.name = kernel.name;
      if (is_chosen(kernel.name)) image.functions.push_back(std::move(function));
    }
    report_.images.push_back(std::move(image));
    return true;
  }

  const ListRequest& request_;
  ListReport report_;
  std::vector<bool> named_;  // by pattern: it names some function
};

}  // namespace

ListReport list_code(const ListRequest& request) { return Listing(request).run(); }

}  // namespace warpspan::app
