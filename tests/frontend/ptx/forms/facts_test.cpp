// SPDX-License-Identifier: GPL-3.0-or-later
// What words of PTX do besides what their kinds say (ir::OperationFacts).
#include <catch2/catch.hpp>
#include <string>

#include "frontend/ptx/forms/form.hpp"

using namespace warpspan;
using ir::AccessClass;
using ir::Scope;
using ir::Synchronisation;

namespace {

ir::Operation operation(const std::string& word) {
  static ptx::FormTable table;
  const ptx::Form* form = table.find(word);
  INFO(word);
  REQUIRE(form != nullptr);
  return form->operation;
}

ir::OperationFacts facts(const std::string& word) { return operation(word).facts; }

}  // namespace

TEST_CASE("copies tell who makes them, of what, and where they may go") {
  using Kind = ir::Copy::Kind;
  CHECK(ir::is_async_copy(operation("cp.async.ca.shared.global")));
  CHECK_FALSE(ir::is_async_copy(operation("cp.async.wait_all")));
  CHECK(facts("cp.async.commit_group").synchronisation == Synchronisation::commit);
  CHECK(facts("cp.async.bulk.commit_group").synchronisation == Synchronisation::commit);
  CHECK_FALSE(ir::is_bulk_copy(operation("cp.async.bulk.wait_group")));
  for (const char* word : {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "wgmma.commit_group.sync.aligned"}) {
    CHECK(facts(word).synchronisation == Synchronisation::arrive);
  }
  for (const char* word : {"wgmma.fence.sync.aligned", "wgmma.wait_group.sync.aligned"}) {
    CHECK(facts(word).synchronisation == Synchronisation::none);
  }
  const auto far = facts("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
  CHECK(far.copy == ir::Copy{Kind::bulk, false, {}});
  CHECK(far.of_cluster);
  CHECK_FALSE(facts("cp.async.bulk.global.shared::cta.bulk_group").of_cluster);
  CHECK(facts("cp.async.bulk.prefetch.L2.global").copy.kind == Kind::bulk_prefetch);
  CHECK(facts("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32").copy.kind == Kind::bulk_reduction);
}

TEST_CASE("copies of tensors tell the box as far as their words do") {
  using Mode = ir::Box::Mode;
  const std::string to_shared = ".shared::cluster.global", bytes = ".mbarrier::complete_tx::bytes";
  const auto box = [&](const std::string& dimension, const std::string& mode) {
    const auto found = facts("cp.async.bulk.tensor." + dimension + to_shared + mode + bytes);
    CHECK(found.copy.tensor);
    return found.copy.box;
  };
  CHECK(box("1d", "") == ir::Box{Mode::tiled, 1});
  CHECK(box("5d", ".tile") == ir::Box{Mode::tiled, 5});
  CHECK(box("2d", ".tile::gather4") == ir::Box{Mode::rows, 0});
  CHECK(box("4d", ".im2col") == ir::Box{Mode::image_to_columns, 0});
  CHECK(box("3d", ".im2col::w") == ir::Box{Mode::image_to_columns, 0});
}

TEST_CASE("barriers tell whether they wait, and whether they combine predicates") {
  for (const char* word : {"bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.cta.arrive.aligned"}) {
    CHECK(facts(word).synchronisation == Synchronisation::arrive);
  }
  for (const char* word :
       {"bar.red.popc.u32", "bar.cta.red.and.pred", "barrier.red.or.pred", "barrier.cta.red.popc.u32"}) {
    CHECK(facts(word).synchronisation == Synchronisation::reduce);
  }
  for (const char* word :
       {"bar.sync", "barrier.sync.aligned", "barrier.cluster.arrive", "mbarrier.arrive.shared.b64"}) {
    CHECK(facts(word).synchronisation == Synchronisation::none);
  }
  CHECK(facts("mbarrier.test_wait.shared.b64").synchronisation == Synchronisation::test);
  CHECK(facts("mbarrier.try_wait.parity.shared.b64").synchronisation == Synchronisation::try_wait);
}

TEST_CASE("atomics tell their scope, whether they answer, and whether they compare") {
  CHECK(facts("atom.global.cta.cas.b32").scope == Scope::block);
  CHECK(facts("atom.relaxed.cluster.global.add.u32").scope == Scope::cluster);
  CHECK(facts("atom.relaxed.gpu.global.add.u32").scope == Scope::device);
  CHECK(facts("membar.gl").scope == Scope::device);
  CHECK(facts("fence.sc.sys").scope == Scope::system);
  CHECK(facts("atom.global.add.u32").scope == Scope::none);
  CHECK(ir::access_class(operation("atom.add.u32")) == AccessClass::atomic);
  CHECK(ir::access_class(operation("red.add.u32")) == AccessClass::reduction);
  CHECK(ir::access_class(operation("red.shared.add.u32")) == AccessClass::reduction);
  CHECK(ir::is_compare_and_swap(operation("atom.global.cas.b32")));
  CHECK(ir::is_compare_and_swap(operation("atom.shared.cta.cas.b32")));
  CHECK_FALSE(ir::is_compare_and_swap(operation("atom.global.cta.cas.b32")));
  CHECK_FALSE(ir::is_compare_and_swap(operation("atom.global.exch.b32")));
  CHECK(facts("atom.shared::cluster.cas.b32").of_cluster);
  CHECK(facts("ld.shared::cluster.u32").of_cluster);
  CHECK_FALSE(facts("ld.shared::cta.u32").of_cluster);
}

TEST_CASE("loads tell whether they see what others write, and whether another device may answer") {
  for (const char* word : {"ld.volatile.global.u32", "ld.relaxed.gpu.global.u32", "ld.acquire.cta.u32"}) {
    CHECK(ir::is_strong_load(operation(word)));
    CHECK_FALSE(ir::is_of_mapped_device(operation(word)));
  }
  CHECK(ir::is_strong_load(operation("ld.mmio.relaxed.sys.global.u32")));
  CHECK(ir::is_of_mapped_device(operation("ld.mmio.relaxed.sys.global.u32")));
  CHECK_FALSE(ir::is_strong_load(operation("ld.global.u32")));
  CHECK_FALSE(ir::is_strong_load(operation("st.volatile.global.u32")));
  CHECK_FALSE(ir::is_strong_load(operation("fence.acq_rel.gpu")));
}

TEST_CASE("matrices tell how they are addressed and how large they are") {
  using Addressing = ir::Matrix::Addressing;
  const auto rows = [](const std::string& word) {
    CHECK(ir::gives_row_addresses(operation(word)));
    return facts(word).matrix.lines;
  };
  CHECK(rows("ldmatrix.sync.aligned.m8n8.x1.shared.b16") == 8);
  CHECK(rows("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16") == 16);
  CHECK(rows("stmatrix.sync.aligned.m8n8.x4.shared.b16") == 32);
  CHECK(ir::access_class(operation("ldmatrix.sync.aligned.m8n8.x1.shared.b16")) == AccessClass::load);
  CHECK(ir::access_class(operation("stmatrix.sync.aligned.m8n8.x4.shared.b16")) == AccessClass::store);
  const auto whole = [](const std::string& word) {
    CHECK(ir::is_fragment_access(operation(word)));
    return facts(word).matrix;
  };
  CHECK(whole("wmma.load.a.sync.aligned.row.m32n8k16.global.f16") == ir::Matrix{Addressing::whole, 32, 16, 16});
  CHECK(whole("wmma.load.a.sync.aligned.col.m32n8k16.global.f16") == ir::Matrix{Addressing::whole, 16, 32, 16});
  CHECK(whole("wmma.load.b.sync.aligned.row.m32n8k16.shared.f16") == ir::Matrix{Addressing::whole, 16, 8, 16});
  CHECK(whole("wmma.store.d.sync.aligned.row.m32n8k16.f32") == ir::Matrix{Addressing::whole, 32, 8, 32});
  CHECK_FALSE(ir::is_fragment_access(operation("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32")));
  CHECK_FALSE(ir::gives_row_addresses(operation("movmatrix.sync.aligned.m8n8.trans.b16")));
}

TEST_CASE("surfaces tell what they do to texels") {
  CHECK(ir::access_class(operation("suld.b.2d.b32.trap")) == AccessClass::load);
  CHECK(ir::access_class(operation("sust.p.2d.b32.trap")) == AccessClass::store);
  CHECK(ir::access_class(operation("sured.b.add.2d.u32.trap")) == AccessClass::reduction);
  CHECK(ir::access_class(operation("suq.width.b32")) == AccessClass::none);
}

TEST_CASE("elections, discards and calls") {
  CHECK(facts("elect.sync").elects);
  CHECK(facts("discard.global.L2").discards);
  CHECK_FALSE(facts("prefetch.global.L2").discards);
  CHECK(ir::is_call(operation("call.uni")));
  CHECK_FALSE(ir::is_call(operation("ret")));
}
