// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/emitter.hpp"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Metadata.h>

#include <array>

namespace warpspan::lift {

namespace {

constexpr const char* float_name = "lift.pure.float.i";
constexpr const char* origin_name = "warpspan.instruction";
constexpr const char* source_name = "warpspan.source";
constexpr const char* description_name = "warpspan.description";
constexpr std::array<const char*, 4> thread_names = {"lift.thread.x.i", "lift.thread.y.i", "lift.thread.z.i",
                                                     "lift.thread.lane.i"};

llvm::StringRef callee_name(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function* function = call == nullptr ? nullptr : call->getCalledFunction();
  return function == nullptr ? llvm::StringRef() : function->getName();
}

// What it stands for, and its option.
std::string described(const llvm::Instruction& instruction, unsigned operand) {
  const llvm::MDNode* node = instruction.getMetadata(description_name);
  return node == nullptr ? std::string() : llvm::cast<llvm::MDString>(node->getOperand(operand))->getString().str();
}

}  // namespace

CallKind call_kind(const llvm::Value& value) {
  llvm::StringRef name = callee_name(value);
  if (!name.consume_front("lift.")) return CallKind::none;
  if (name.starts_with("opaque.")) return CallKind::opaque;
  if (name.starts_with("pure.")) return CallKind::pure;
  if (name.starts_with("group.")) return CallKind::group;
  if (name.starts_with("own.")) return CallKind::own;
  if (name.starts_with("uniform.")) return CallKind::uniform;
  if (name.starts_with("same.")) return CallKind::same;
  if (name.starts_with("thread.")) return CallKind::thread;
  if (name == "store") return CallKind::store;
  if (name == "amount") return CallKind::amount;
  if (name == "guard") return CallKind::guard;
  if (name == "vote") return CallKind::vote;
  if (name == "fragment") return CallKind::fragment;
  return name == "access" ? CallKind::access : CallKind::none;
}

bool is_float(const llvm::Value& value) { return callee_name(value).starts_with(float_name); }

std::optional<ThreadValue> thread_value(const llvm::Value& value) {
  const llvm::StringRef name = callee_name(value);
  for (size_t i = 0; i < thread_names.size(); ++i) {
    if (name.starts_with(thread_names[i])) return static_cast<ThreadValue>(i);
  }
  return std::nullopt;
}

std::optional<uint32_t> origin(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::CallInst>(instruction)) return std::nullopt;
  const llvm::MDNode* node = instruction.getMetadata(origin_name);
  if (node == nullptr) return std::nullopt;
  const auto* number = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0));
  return static_cast<uint32_t>(number->getZExtValue());
}

std::string description(const llvm::Instruction& instruction) { return described(instruction, 0); }

std::string option(const llvm::Instruction& instruction) { return described(instruction, 1); }

std::optional<LaunchSource> launch_source(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::MDNode* node = call == nullptr ? nullptr : call->getMetadata(source_name);
  if (node == nullptr) return std::nullopt;
  const auto number = [&](unsigned i) {
    return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getSExtValue();
  };
  return LaunchSource{static_cast<LaunchSource::Kind>(number(0)), static_cast<uint32_t>(number(1)), number(2)};
}

bool is_parameter(const llvm::Value& value) {
  const auto source = launch_source(value);
  return source && source->kind == LaunchSource::Kind::parameter;
}

void set_launch_source(llvm::Value& uniform, const LaunchSource& source) {
  auto& call = llvm::cast<llvm::CallInst>(uniform);
  auto* type = llvm::Type::getInt64Ty(call.getContext());
  const auto number = [&](int64_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::getSigned(type, value));
  };
  call.setMetadata(source_name, llvm::MDNode::get(call.getContext(), {number(static_cast<int64_t>(source.kind)),
                                                                      number(source.number), number(source.offset)}));
}

llvm::Value* disjoint_or(llvm::IRBuilderBase& ir, llvm::Value& a, llvm::Value& b) {
  llvm::Value* both = ir.CreateOr(&a, &b);
  auto* made = llvm::dyn_cast<llvm::PossiblyDisjointInst>(both);
  if (made != nullptr && both != &a && both != &b) made->setIsDisjoint(true);
  return both;
}

llvm::CallInst* make_same(llvm::Value& value, llvm::BasicBlock::iterator position) {
  llvm::Module& module = *position->getModule();
  const std::string name = "lift.same.i" + std::to_string(value.getType()->getIntegerBitWidth());
  auto* type = llvm::FunctionType::get(value.getType(), {value.getType()}, false);
  return llvm::CallInst::Create(module.getOrInsertFunction(name, type), {&value}, "", position);
}

llvm::CallInst* make_pure(unsigned bits, const std::vector<llvm::Value*>& operands,
                          llvm::BasicBlock::iterator position) {
  llvm::Module& module = *position->getModule();
  auto* type = llvm::FunctionType::get(llvm::Type::getIntNTy(module.getContext(), bits), true);
  auto callee = module.getOrInsertFunction("lift.pure.i" + std::to_string(bits), type);
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return llvm::CallInst::Create(callee, operands, "", position);
}

Emitter::Emitter(llvm::Function& function)
    : ir(function.getContext(), llvm::ConstantFolder(),
         llvm::IRBuilderCallbackInserter([this](llvm::Instruction* made) noexcept { note_origin(*made); })),
      function_(function),
      entry_(function.getEntryBlock().getTerminator()),
      origin_kind_(function.getContext().getMDKindID(origin_name)),
      description_kind_(function.getContext().getMDKindID(description_name)) {}

void Emitter::note_origin(llvm::Instruction& instruction) {
  if (!origin_ || !llvm::isa<llvm::CallInst>(instruction)) return;
  auto* number = llvm::ConstantAsMetadata::get(ir.getInt32(*origin_));
  instruction.setMetadata(origin_kind_, llvm::MDNode::get(ir.getContext(), number));
}

llvm::ConstantInt* Emitter::constant(unsigned bits, uint64_t value) {
  const unsigned low = std::min(bits, 64U);
  llvm::APInt number(64, value);
  return llvm::ConstantInt::get(ir.getContext(), bits > 64 ? number.sext(bits) : number.trunc(low));
}

llvm::Value* Emitter::resize(llvm::Value* value, unsigned bits, bool is_signed) {
  return is_signed ? ir.CreateSExtOrTrunc(value, type(bits)) : ir.CreateZExtOrTrunc(value, type(bits));
}

llvm::FunctionCallee Emitter::callee(const std::string& name, llvm::Type* result) {
  llvm::FunctionCallee& known = callees_[name];
  if (known.getCallee() == nullptr) {
    auto* declared = llvm::Function::Create(llvm::FunctionType::get(result, true), llvm::Function::ExternalLinkage,
                                            name, *function_.getParent());
    declared->setDoesNotThrow();
    known = declared;
  }
  return known;
}

llvm::Value* Emitter::opaque(unsigned bits, const std::vector<llvm::Value*>& operands) {
  return ir.CreateCall(callee("lift.opaque.i" + std::to_string(bits), type(bits)), operands);
}

llvm::Value* Emitter::pure(unsigned bits, const std::vector<llvm::Value*>& operands) {
  return ir.CreateCall(callee("lift.pure.i" + std::to_string(bits), type(bits)), operands);
}

llvm::Value* Emitter::of_floats(const FloatOperation& operation, unsigned bits, std::vector<llvm::Value*> operands) {
  operands.insert(operands.begin(), ir.getInt32(packed(operation)));
  return ir.CreateCall(callee(float_name + std::to_string(bits), type(bits)), operands);
}

llvm::Value* Emitter::of_group(unsigned bits, const std::vector<llvm::Value*>& operands) {
  return ir.CreateCall(callee("lift.group.i" + std::to_string(bits), type(bits)), operands);
}

llvm::Value* Emitter::of_own_memory(unsigned bits, llvm::Value* address) {
  return ir.CreateCall(callee("lift.own.i" + std::to_string(bits), type(bits)), {address});
}

void Emitter::store(const std::vector<llvm::Value*>& operands) {
  ir.CreateCall(callee("lift.store", ir.getVoidTy()), operands);
}

void Emitter::access(llvm::Value* address, bool is_kernel_parameter, llvm::Value* guard, llvm::Value* destination) {
  std::vector<llvm::Value*> operands = {address, ir.getInt1(is_kernel_parameter),
                                        guard == nullptr ? ir.getTrue() : guard};
  if (destination != nullptr) operands.push_back(destination);
  ir.CreateCall(callee("lift.access", ir.getVoidTy()), operands);
}

void Emitter::fragment(llvm::Value* address, llvm::Value* distance) {
  ir.CreateCall(callee("lift.fragment", ir.getVoidTy()), {address, distance});
}

void Emitter::amount(llvm::Value* value) { ir.CreateCall(callee("lift.amount", ir.getVoidTy()), {value}); }

void Emitter::guard(llvm::Value* value) { ir.CreateCall(callee("lift.guard", ir.getVoidTy()), {value}); }

void Emitter::vote(llvm::Value* answer, llvm::Value* asked) {
  ir.CreateCall(callee("lift.vote", ir.getVoidTy()), {answer, asked});
}

llvm::Value* Emitter::opaque_at_entry(unsigned bits) {
  return entry_call("lift.opaque.i" + std::to_string(bits), bits, std::nullopt);
}

llvm::CallInst* Emitter::entry_call(const std::string& name, unsigned bits, std::optional<Range> range) {
  llvm::CallInst* call = entry_.CreateCall(callee(name, type(bits)));
  if (range && (bits >= 64 || range->end >> bits == 0)) {
    const llvm::APInt first(bits, range->first);
    const llvm::APInt end(bits, range->end);
    call->setMetadata(llvm::LLVMContext::MD_range, llvm::MDBuilder(ir.getContext()).createRange(first, end));
  }
  return call;
}

llvm::Value* Emitter::uniform(unsigned bits, const std::string& what, std::optional<Range> range,
                              const std::string& option) {
  llvm::CallInst* call = entry_call("lift.uniform.i" + std::to_string(bits), bits, range);
  if (!what.empty()) describe(*call, what, option);
  return call;
}

void Emitter::describe(llvm::Value& call, const std::string& what, const std::string& option) {
  auto& context = ir.getContext();
  llvm::cast<llvm::CallInst>(call).setMetadata(
      description_kind_,
      llvm::MDNode::get(context, {llvm::MDString::get(context, what), llvm::MDString::get(context, option)}));
}

llvm::Value* Emitter::thread(ThreadValue which, unsigned bits, Range range) {
  llvm::Value*& known = threads_[{which, bits}];
  if (known == nullptr) {
    const std::string name = thread_names[static_cast<size_t>(which)] + std::to_string(bits);
    known = entry_call(name, bits, range);
  }
  return known;
}

}  // namespace warpspan::lift
