// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/lowering/lower.hpp"

#include <algorithm>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "ir/dependencies.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::kernel;
using test::module_of;

namespace {

// The entry named k, lowered.
ir::Kernel lowered(const std::string& text) {
  const ptx::Module module = module_of(text);
  for (const ptx::Function& function : module.functions) {
    if (function.name != "k") continue;
    const auto expanded = ptx::expand_calls(module, function);
    INFO((expanded.ok() ? std::string() : render(expanded.errors().front(), false)));
    REQUIRE(expanded.ok());
    return ptx::lower(module, *expanded);
  }
  FAIL("no kernel k");
  return {};
}

std::string expand_error(const std::string& text) {
  const ptx::Module module = module_of(text);
  for (const ptx::Function& function : module.functions) {
    if (function.name != "k") continue;
    const auto expanded = ptx::expand_calls(module, function);
    REQUIRE(!expanded.ok());
    return expanded.errors().front().message;
  }
  return "no kernel k";
}

std::vector<std::string> operations(const ir::Kernel& k) {
  std::vector<std::string> result;
  for (const ir::Instruction& instruction : k.instructions) result.push_back(k.operation(instruction).text);
  return result;
}

std::vector<std::vector<ir::BlockId>> successors(const ir::Kernel& k) {
  std::vector<std::vector<ir::BlockId>> result;
  for (const ir::Block& block : k.blocks) result.push_back(block.successors);
  return result;
}

using Successors = std::vector<std::vector<ir::BlockId>>;

}  // namespace

TEST_CASE("blocks begin at branch targets and end at branches") {
  const ir::Kernel k =
      lowered(kernel("mov.u32 %r1, 0;\n$unused: add.s32 %r2, %r1, 1;\nL: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, "
                     "9;\n@%p1 bra L;\nret;"));
  CHECK(successors(k) == Successors{{1}, {1, 2}, {}});
  CHECK(k.blocks[1].label == "L");
  CHECK(k.blocks[0].count == 2);
  CHECK(k.blocks[2].may_end);
  CHECK(k.instructions[2].line == 12);
}

TEST_CASE("ways out of a kernel") {
  const ir::Kernel guarded = lowered(kernel("@%p1 exit;\nadd.s32 %r1, %r1, 1;\n@%p2 bra E;\nE:"));
  CHECK(successors(guarded) == Successors{{1}, {2}, {}});
  CHECK(guarded.blocks[0].may_end);
  CHECK(!guarded.blocks[1].may_end);
  CHECK(guarded.blocks[2].may_end);
  const ir::Kernel falls = lowered(kernel("L: add.s32 %r1, %r1, 1; @%p1 bra L;"));
  CHECK(!falls.blocks[0].may_end);
  CHECK(falls.blocks[1].may_end);
  CHECK(lowered(kernel("")).blocks.size() == 1);
  CHECK(lowered(kernel("trap; add.s32 %r1, %r1, 1;")).blocks.size() == 2);
}

TEST_CASE("an indexed branch goes to each of its targets") {
  const ir::Kernel k = lowered(kernel("ts: .branchtargets A, B, A;\nbrx.idx %r1, ts;\nA: ret;\nB: ret;"));
  CHECK(successors(k) == Successors{{1, 2}, {}, {}});
}

TEST_CASE("how control leaves each block") {
  const ir::Kernel k =
      lowered(kernel("ts: .branchtargets A, B, A;\nadd.s32 %r1, %r1, 1;\nA: @!%p1 bra B;\n@%p2 brx.idx %r1, ts;\n@%p1 "
                     "exit;\nB: @%p2 ret;\nbra A;\ntrap;"));
  REQUIRE(k.blocks.size() == 7);
  const auto transfer = [&](size_t b) { return k.blocks[b].transfer; };
  CHECK(transfer(0).kind == ir::Transfer::fallthrough);
  CHECK(transfer(0).guard == ir::no_register);
  CHECK(transfer(0).next == 1);
  CHECK(transfer(1).kind == ir::Transfer::branch);
  CHECK(transfer(1).guard_negated);
  CHECK(transfer(1).guard == k.reads(k.instructions[k.blocks[1].first])[0]);
  CHECK(transfer(1).targets == std::vector<ir::BlockId>{4});
  CHECK(transfer(1).next == 2);
  CHECK(transfer(2).kind == ir::Transfer::indexed);
  CHECK_FALSE(transfer(2).guard_negated);
  CHECK(transfer(2).targets == std::vector<ir::BlockId>{1, 4, 1});
  CHECK(transfer(3).kind == ir::Transfer::exit);
  CHECK(transfer(3).falls_through());
  CHECK(transfer(4).kind == ir::Transfer::function_return);
  CHECK(transfer(5).kind == ir::Transfer::branch);
  CHECK_FALSE(transfer(5).falls_through());
  CHECK(transfer(6).kind == ir::Transfer::exit);
  CHECK_FALSE(transfer(6).falls_through());
}

TEST_CASE("successors and ends follow from how control leaves a block") {
  const auto left_by = [](ir::Transfer kind, bool is_guarded, std::vector<ir::BlockId> targets, ir::BlockId next) {
    ir::ControlTransfer transfer;
    transfer.kind = kind;
    if (is_guarded) transfer.guard = 3;
    transfer.targets = std::move(targets);
    transfer.next = next;
    ir::Block block;
    set_transfer(block, std::move(transfer));
    return std::pair(block.successors, block.may_end);
  };
  using Blocks = std::vector<ir::BlockId>;
  using enum ir::Transfer;
  CHECK(left_by(fallthrough, false, {}, 5) == std::pair(Blocks{5}, false));
  CHECK(left_by(fallthrough, false, {}, ir::no_block) == std::pair(Blocks{}, true));
  CHECK(left_by(branch, false, {2}, 5) == std::pair(Blocks{2}, false));
  CHECK(left_by(branch, true, {2}, 5) == std::pair(Blocks{2, 5}, false));
  CHECK(left_by(branch, true, {5}, 5) == std::pair(Blocks{5}, false));
  CHECK(left_by(branch, true, {2}, ir::no_block) == std::pair(Blocks{2}, true));
  CHECK(left_by(indexed, false, {7, 2, 7}, 5) == std::pair(Blocks{2, 7}, false));
  CHECK(left_by(call, false, {}, 5) == std::pair(Blocks{5}, false));
  CHECK(left_by(function_return, false, {}, 5) == std::pair(Blocks{}, true));
  CHECK(left_by(exit, true, {}, 5) == std::pair(Blocks{5}, true));
}

TEST_CASE("registers read and written, with guard and address") {
  const ir::Kernel k = lowered(kernel("@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];"));
  const ir::Instruction& load = k.instructions[0];
  CHECK(load.reads == 2);
  CHECK(load.writes == 2);
  CHECK(load.guarded);
  CHECK(k.operation(load).bytes == 8);
  CHECK(k.operation(load).space == ir::MemorySpace::global);
}

TEST_CASE("special registers make a move another operation") {
  const ir::Kernel k =
      lowered(kernel("mov.u32 %r1, %r2; mov.u32 %r1, %tid.x; mov.u32 %r1, %clock; mov.u32 %r1, %clock_hi;"));
  CHECK(k.operation(k.instructions[0]).kind == ir::OperationKind::move);
  CHECK(k.operation(k.instructions[1]).kind == ir::OperationKind::special_register);
  CHECK(!k.operation(k.instructions[1]).reads_clock);
  CHECK(k.operation(k.instructions[2]).reads_clock);
  CHECK(k.operation(k.instructions[3]).reads_clock);
}

TEST_CASE("special registers that one machine instruction reads are told from others") {
  const ir::Kernel k =
      lowered(kernel("mov.u32 %r1, %tid.x; mov.u32 %r1, %warpid; mov.u32 %r1, %laneid; mov.u32 %r1, %r2;"));
  const auto is_plain = [&k](size_t i) { return k.operation(k.instructions[i]).key.plain_special; };
  CHECK(is_plain(0));
  CHECK(!is_plain(1));
  CHECK(is_plain(2));
  CHECK(!is_plain(3));
}

TEST_CASE("a move of a dimension of the launch is a move of a constant") {
  const ir::Kernel k = lowered(kernel("mov.u32 %r1, %ntid.x; cvt.u64.u32 %rd1, %nctaid.y; mov.u32 %r1, %nsmid;"));
  CHECK(k.operation(k.instructions[0]).kind == ir::OperationKind::move);
  CHECK(k.operation(k.instructions[0]).reads_constant);
  CHECK(k.operation(k.instructions[1]).kind == ir::OperationKind::special_register);
  CHECK(k.operation(k.instructions[2]).kind == ir::OperationKind::special_register);
}

TEST_CASE("a return of a kernel is its end, one of a function is not") {
  const ir::Kernel alone = lowered(kernel("ret;"));
  CHECK(alone.operation(alone.instructions[0]).kind == ir::OperationKind::exit);
  const ptx::Module module = module_of(".func f() { ret; }\n" + kernel("call f; ret;"));
  for (const ptx::Function& function : module.functions) {
    if (function.name != "k") continue;
    const auto expanded = ptx::expand_calls(module, function, {0, 0});
    REQUIRE(expanded.ok());
    const ir::Kernel k = ptx::lower(module, *expanded);
    REQUIRE(k.instructions.size() == 3);
    CHECK(k.operation(k.instructions[1]).kind == ir::OperationKind::exit);
    CHECK(k.operation(k.instructions[2]).kind == ir::OperationKind::call);
  }
}

TEST_CASE("the carry flag makes a dependency") {
  const ir::Kernel k = lowered(kernel("add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, %r6;"));
  REQUIRE(raw_edges(k).size() == 1);
  CHECK(raw_edges(k)[0].read == 1);
}

TEST_CASE("shared memory is counted once a variable") {
  CHECK(lowered(".shared .b8 a[100];\n.shared .b8 unused[1000];\n" +
                kernel(".shared .f32 b[8]; mov.u32 %r1, a; mov.u32 %r2, b; mov.u32 %r3, a;"))
            .shared_bytes == 132);
}

TEST_CASE("shared memory whose size the launch says, and what alignment may add") {
  const ir::Kernel k = lowered(".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 a[100];\n" +
                               kernel("mov.u32 %r1, a; mov.u32 %r2, dynamic;"));
  CHECK(k.shared_bytes == 100);
  CHECK(k.shared_padding == 15 + 3);
  CHECK(k.dynamic_shared);
  CHECK_FALSE(lowered(kernel("mov.u32 %r1, 0;")).dynamic_shared);
}

TEST_CASE("named barriers are counted up to the largest, as the assembler keeps them") {
  CHECK(lowered(kernel("mov.u32 %r1, 0;")).barriers == 0);
  CHECK(lowered(kernel("bar.sync 0;")).barriers == 1);
  CHECK(lowered(kernel("bar.sync 5; barrier.cta.sync 2, 64;")).barriers == 6);
  CHECK(lowered(kernel("bar.arrive 3, 64;")).barriers == 4);
  CHECK(lowered(kernel("bar.sync %r1;")).barriers == 16);
  CHECK(lowered(kernel("bar.red.popc.u32 %r1, 2, %p1;")).barriers == 3);
}

TEST_CASE("shared memory that no instruction names is the kernel's, too") {
  CHECK(lowered(kernel(".shared .align 4 .b8 unused[64]; mov.u32 %r1, 0;")).shared_bytes == 64);
}

TEST_CASE("calls are inlined") {
  const std::string callee =
      ".func (.param .b32 r) f(.param .b32 a) { .reg .pred %p<2>; .reg .b32 %r<3>; ld.param.b32 %r1, [a];\nsetp.eq.s32 "
      "%p1, "
      "%r1, 0;\n@%p1 ret;\nadd.s32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }\n";
  const ir::Kernel k = lowered(callee + kernel("{ .param .b32 x; st.param.b32 [x], %r1; .param .b32 y;\n"
                                               "call (y), f, (x);\nld.param.b32 %r2, [y]; } ret;"));
  CHECK(operations(k) == std::vector<std::string>{"st.param.b32", "call", "ld.param.b32", "setp.eq.s32", "bra",
                                                  "add.s32", "st.param.b32", "bra", "ld.param.b32", "ret"});
  CHECK(successors(k) == Successors{{1, 2}, {2}, {}});
  // Of the kernel %r1 and %r2, of the copy %r1, %r2 and %p1.
  CHECK(k.registers == 5);
}

TEST_CASE("a guarded call is branched around") {
  const ir::Kernel k = lowered(".func f() { ret; }\n" + kernel("@%p1 call f;\nadd.s32 %r1, %r1, 1;"));
  CHECK(operations(k) == std::vector<std::string>{"bra", "call", "bra", "add.s32", "ret"});
  CHECK(successors(k) == Successors{{1, 2}, {2}, {}});
}

TEST_CASE("register arguments and results are copied") {
  const ir::Kernel k =
      lowered(".func (.reg .b32 r) f(.reg .b32 a) { add.s32 r, a, 1; }\n" + kernel("call (%r2), f, (%r1);"));
  CHECK(operations(k) == std::vector<std::string>{"call", "mov.b32", "add.s32", "bra", "mov.b32", "ret"});
  REQUIRE(raw_edges(k).size() == 2);
  CHECK(raw_edges(k)[0].read == 2);
  CHECK(raw_edges(k)[1].read == 4);
}

TEST_CASE("calls that cannot be bounded are refused") {
  CHECK(expand_error(".func f() { call f; ret; }\n" + kernel("call f;")) == "recursive call of 'f' cannot be bounded");
  CHECK(expand_error(".extern .func f();\n" + kernel("call f;")) ==
        "'f' has no body in this file, so its time cannot be bounded");
  CHECK(expand_error(kernel("pr: .callprototype _ ();\ncall %rd1, pr;")) ==
        "an indirect call cannot be bounded: its target is not known");
  CHECK(expand_error(kernel("call f;") + ".func f(.param .b32 a) { ret; }\n") ==
        "the call has fewer arguments than the function");
  // g would read what it has written to its result, not what it was passed.
  CHECK(expand_error(".func (.param .b32 r) g(.param .b32 a) { st.param.b32 [r], 0; ret; }\n" +
                     kernel(".param .b32 x; st.param.b32 [x], 900; call (x), g, (x);")) ==
        "the call gives back its result in a variable that is also its argument: give it one of its own");
}

TEST_CASE("an assertion that fails ends the thread") {
  const std::string declaration = ".extern .func __assertfail(.param .b64 text, .param .b32 line);\n";
  const ir::Kernel k = lowered(declaration + kernel("@%p1 call __assertfail, (%rd1, %r1);\nadd.s32 %r2, %r1, 1;"));
  CHECK(operations(k) == std::vector<std::string>{"bra", "trap", "add.s32", "ret"});
  CHECK(successors(k) == Successors{{1, 2}, {}, {}});
  // One with a body is a function as any other.
  CHECK(operations(lowered(".func __assertfail() { ret; }\n" + kernel("call __assertfail;"))).front() == "call");
}

TEST_CASE("registers have the widths of their declarations") {
  const ir::Kernel k =
      lowered(kernel(".reg .b16 %h<3>;\n.reg .v2 .f64 %v;\n.reg .b128 %q<3>;\nmov.b16 %h1, %h2;\nmov.f64 %v.x, %v.y;\n"
                     "mov.b128 %q1, %q2;\nadd.u32 %r1, %r2, %r3;\nmov.b64 %rd1, %rd2;\n@%p1 ret;\nret;"));
  REQUIRE(k.register_bits.size() == k.registers);
  const auto count = [&](int bits) { return std::count(k.register_bits.begin(), k.register_bits.end(), bits); };
  CHECK(count(1) == 1);
  CHECK(count(16) == 2);
  CHECK(count(32) == 3);
  CHECK(count(64) == 2 + 2);
  CHECK(count(128) == 2);
}

TEST_CASE("what compilers keep in constant memory is marked") {
  const ir::Kernel k = lowered(
      ".global .u32 g;\n.shared .u32 s;\n.const .u32 c;\n" +
      kernel("mov.u32 %r1, %tid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r1, %nctaid.y;\nmov.u64 %rd1, g;\nmov.u32 %r1, s;\n"
             "ld.global.u32 %r1, [g];\nld.const.u32 %r1, [c];\nmov.u64 %rd1, c;\nmov.b64 %rd1, 4591870180066957722;\n"
             "mov.b64 %rd1, 5;\nadd.f32 %f1, %f2, 0f3DCCCCCD;\nret;"));
  std::vector<bool> marks;
  for (const ir::Instruction& instruction : k.instructions) marks.push_back(k.operation(instruction).reads_constant);
  CHECK(marks == std::vector<bool>{false, true, true, true, false, true, false, true, true, false, false, false});
}

TEST_CASE("launch bounds hold registers and blocks too") {
  const ir::Kernel k = lowered(".entry k()\n.maxntid 64, 2\n.minnctapersm 3\n.maxnreg 40\n{\nret;\n}\n");
  CHECK(k.launch_bounds.maximum.x == 64);
  CHECK(k.launch_bounds.maximum.y == 2);
  CHECK(k.launch_bounds.min_blocks == 3);
  CHECK(k.launch_bounds.max_registers == 40);
  CHECK(lowered(kernel("ret;")).launch_bounds.max_registers == 0);
}

TEST_CASE("an operation is named by its parts, whatever their order in the file") {
  const ir::Kernel k = lowered(
      kernel("mad.lo.s32 %r1, %r2, 3, %r3;\n@%p1 mad.lo.s32 %r1, %r2, %r3, %r3;\nld.global.ca.nc.v2.u32 {%r1, %r2}, "
             "[%rd1+8];\nld.global.nc.ca.v2.u32 {%r1, %r2}, [%rd1];\nret;"));
  const ir::OperationKey multiply = {"mad.lo", {"s32"}, {}, 1, true, false};
  const ir::OperationKey load = {"ld", {"u32"}, {"ca", "global", "nc"}, 2, false, false};
  CHECK(k.operation(k.instructions[0]).key == multiply);
  CHECK(k.operation(k.instructions[1]).key == ir::OperationKey{"mad.lo", {"s32"}, {}, 1, false, true});
  CHECK(k.operation(k.instructions[2]).key == load);
  CHECK(k.operation(k.instructions[3]).key == load);
}

namespace {

// The program of the entry k, in one body.
ir::Program program_of(const std::string& text) {
  const ptx::Module module = module_of(text);
  for (const ptx::Function& function : module.functions) {
    if (function.name != "k") continue;
    const auto expanded = ptx::expand_calls(module, function);
    REQUIRE(expanded.ok());
    return ptx::lower_program(module, *expanded);
  }
  FAIL("no kernel k");
  return {};
}

using Kind = ir::Operand::Kind;

}  // namespace

TEST_CASE("operands are sources and results, whatever their order in the file") {
  const ir::Program program =
      program_of(kernel(".reg .v2 .b32 %v;\nsetp.lt.and.s32 %p1|%p2, %r1, -7, !%p1;\n@!%p2 st.global.v2.u32 [%rd1+8], "
                        "{%r1, %r2};\nld.global.v2.u32 %v, [%rd1];\nmov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;\n"
                        "mov.f32 %f1, 0f40000000;\nmov.u32 %r5, %ctaid.y;\natom.global.add.u32 _, [%rd1], 1;"));
  REQUIRE(program.bodies.size() == 1);
  const ir::Body& body = program.bodies.front();
  REQUIRE(body.instructions.size() == body.kernel.instructions.size());

  REQUIRE(body.results(0).size() == 2);  // a pair is two results
  REQUIRE(body.sources(0).size() == 3);
  CHECK(body.sources(0)[1].kind == Kind::integer);
  CHECK(body.sources(0)[1].value == -7);
  CHECK(body.sources(0)[2].negated);
  CHECK(body.sources(0)[2].index == body.results(0)[0].index);

  CHECK(body.instructions[1].guard == body.results(0)[1].index);
  CHECK(body.instructions[1].guard_negated);
  CHECK(body.results(1).empty());
  REQUIRE(body.sources(1).size() == 2);
  CHECK(body.sources(1)[0].kind == Kind::address);
  CHECK(body.sources(1)[0].value == 8);
  REQUIRE(body.elements(body.sources(1)[0]).size() == 1);
  CHECK(body.sources(1)[1].kind == Kind::vector);
  CHECK(scalars(body, body.sources(1)[1])[0].index == body.sources(0)[0].index);

  REQUIRE(body.results(2).size() == 1);  // a vector register is a vector of registers
  const auto elements = scalars(body, body.results(2)[0]);
  REQUIRE(elements.size() == 2);
  CHECK(elements[1].index == elements[0].index + 1);

  CHECK(body.sources(3)[0].kind == Kind::special);
  CHECK(body.sources(3)[0].index == static_cast<uint32_t>(ir::SpecialValue::thread_index));
  CHECK(body.sources(3)[0].component == 0);
  CHECK(body.sources(4)[0].kind == Kind::floating);
  CHECK(body.results(6)[0].kind == Kind::none);
  CHECK(body.sources(5)[0].index == static_cast<uint32_t>(ir::SpecialValue::block_index));
  CHECK(body.sources(5)[0].component == 2);
  CHECK(program.special_names[static_cast<size_t>(ir::SpecialValue::block_index)] == "%ctaid");
}

TEST_CASE("parameters come first among the variables, others as they are mentioned") {
  const ir::Program program = program_of(
      ".global .u16 unused;\n.global .f32 g[4];\n.entry k(.param .u64 p, .param .align 4 .b8 s[12])\n{\n"
      ".local .b8 frame[16];\n.reg .b64 %d<3>;\n.reg .f32 %f<2>;\nmov.u64 %d1, frame;\nmov.u64 %d2, "
      "g+8;\nld.global.f32 %f1, [g+4];\nret;\n}\n");
  REQUIRE(program.parameters == 2);
  REQUIRE(program.variables.size() == 4);
  CHECK(program.variables[0].name == "p");
  CHECK(program.variables[0].is_integer);
  CHECK(program.variables[0].element_bits == 64);
  CHECK(is_kernel_parameter(program.variables[1]));
  CHECK(program.variables[1].bytes == 12);
  CHECK_FALSE(is_private(program.variables[1]));
  CHECK(program.variables[2].name == "frame");
  CHECK(is_private(program.variables[2]));
  CHECK(program.variables[3].type == "f32");
  CHECK_FALSE(is_private(program.variables[3]));
  const ir::Body& body = program.bodies.front();
  CHECK(body.sources(1)[0].index == 3);
  CHECK(body.sources(1)[0].value == 8);
  CHECK(body.elements(body.sources(2)[0])[0].index == 3);
}

TEST_CASE("a shared body is a body of the program, and its call keeps what it passes") {
  const ptx::Module module = module_of(
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret; "
      "}\n" +
      kernel("{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x); ld.param.b32 %r2, [y]; } ret;"));
  for (const ptx::Function& function : module.functions) {
    if (function.name != "k") continue;
    const auto expanded = ptx::expand_calls(module, function, {0, 0});
    REQUIRE(expanded.ok());
    const ir::Program program = ptx::lower_program(module, *expanded);
    REQUIRE(program.bodies.size() == 2);
    const ir::Body& body = program.bodies.front();
    const ir::Block& block = body.kernel.blocks.front();
    CHECK(block.transfer.kind == ir::Transfer::call);
    CHECK(block.transfer.callee == 0);
    const ir::InstructionId call = block.first + block.count - 1;
    CHECK(body.operation(call).semantics.computation == ir::Computation::call);
    REQUIRE(body.sources(call).size() == 1);
    CHECK(program.variables[body.sources(call)[0].index].name == "x");
    REQUIRE(body.results(call).size() == 1);
    CHECK(program.variables[body.results(call)[0].index].name == "y");
    CHECK(program.bodies.back().kernel.blocks.back().transfer.kind == ir::Transfer::function_return);
    CHECK(program.bodies.back().kernel.instructions.size() == 3);
  }
}

TEST_CASE("a body that control can leave at its closing brace returns there") {
  CHECK(operations(lowered(kernel(""))) == std::vector<std::string>{"ret"});
  CHECK(operations(lowered(kernel("mov.u32 %r1, 2;"))).back() == "ret");
  CHECK(operations(lowered(kernel("@%p1 exit;"))).back() == "ret");
  CHECK(operations(lowered(kernel("L: bra L;\nE:"))).back() == "ret");
  CHECK(operations(lowered(kernel("L: bra L;"))) == std::vector<std::string>{"bra"});
  CHECK(operations(lowered(kernel("trap;"))) == std::vector<std::string>{"trap"});
  CHECK(lowered(kernel("mov.u32 %r1, 2;\n")).instructions.back().line == 12);
}

TEST_CASE("instructions know the file and line that they were compiled from") {
  const ir::Kernel k = lowered(kernel("mov.u32 %r1, 1;\n.loc 7 30 2\nmov.u32 %r1, 2;\n.loc 2 31 0\nmov.u32 %r1, 3;\n"
                                      ".loc 9 32 0\nmov.u32 %r1, 4;\n.loc 7 33 1\nmov.u32 %r1, 5;") +
                               ".file 2 \"/src/inline.h\"\n.file 7 \"k.cu\", 1700000000, 512\n");
  CHECK(k.source_files == std::vector<std::string>{"k.cu", "/src/inline.h"});
  std::vector<std::pair<uint32_t, std::string>> places;
  for (const ir::Instruction& instruction : k.instructions) {
    const bool known = instruction.source_line != 0;
    places.emplace_back(instruction.source_line, known ? k.source_files[instruction.source_file] : "");
  }
  CHECK(places == std::vector<std::pair<uint32_t, std::string>>{
                      {0, ""}, {30, "k.cu"}, {31, "/src/inline.h"}, {0, ""}, {33, "k.cu"}, {33, "k.cu"}});
}

TEST_CASE("a mask of threads is constant where it is one, or a register that an unguarded move of one sets once") {
  const auto constant = [](const std::string& before, const std::string& shuffle) {
    const ir::Kernel k = lowered(kernel(before + shuffle + "ret;"));
    for (const ir::Operation& operation : k.operations) {
      if (operation.key.constant_mask) return true;
    }
    return false;
  };
  const std::string shuffle = "shfl.sync.up.b32 %r1, %r2, 1, 0, %r3;\n";
  CHECK(constant("", "shfl.sync.up.b32 %r1, %r2, %r4, 0, -1;\n"));
  CHECK(constant("mov.u32 %r3, -1;\n", shuffle));
  CHECK(constant("mov.u32 %r3, -1;\n", "vote.sync.ballot.b32 %r1, %p1, %r3;\n"));
  CHECK(constant("mov.u32 %r3, -1;\n", "bar.warp.sync %r3;\n"));
  CHECK_FALSE(constant("", shuffle));
  CHECK_FALSE(constant("mov.u32 %r3, %r4;\n", shuffle));
  CHECK_FALSE(constant("mov.u32 %r3, %lanemask_lt;\n", shuffle));
  CHECK_FALSE(constant("@%p1 mov.u32 %r3, -1;\n", shuffle));
  CHECK(constant("mov.u32 %r3, %r4;\nmov.u32 %r3, 7;\n", shuffle));
  CHECK_FALSE(constant("mov.u32 %r3, -1;\n@%p1 mov.u32 %r3, 7;\n", shuffle));
  CHECK_FALSE(constant("add.u32 %r3, 1, 2;\n", shuffle));
  // The last operand of these is no mask.
  CHECK_FALSE(constant("mov.u32 %r3, -1;\n", "shfl.up.b32 %r1, %r2, 1, %r3;\n"));
  CHECK_FALSE(constant("mov.u32 %r3, -1;\n", "add.u32 %r1, %r2, %r3;\n"));
}

TEST_CASE("operations with and without a constant mask are told apart") {
  const ir::Kernel k = lowered(
      kernel("mov.u32 %r3, -1;\nshfl.sync.up.b32 %r1, %r2, %r4, %r5, %r3;\nshfl.sync.up.b32 %r1, %r2, %r4, %r5, %r6;\n"
             "shfl.sync.up.b32 %r1, %r2, %r4, %r5, %r3;\nret;"));
  CHECK(k.operation(k.instructions[1]).key.constant_mask);
  CHECK_FALSE(k.operation(k.instructions[2]).key.constant_mask);
  CHECK(k.instructions[1].operation == k.instructions[3].operation);
}
