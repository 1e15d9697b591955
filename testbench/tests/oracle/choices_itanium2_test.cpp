// Itanium 2 behaviours that no document specifies: each must follow its parameter, with both values.
#include <gtest/gtest.h>

#include "machine.h"
#include "testbench/oracle/captures.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT
using i64::Kind;
namespace d = activity::detail;
namespace id = i64::detail;

/// Expected counts with the parameter at 0 and at 1.
void expect(const Machine& machine, const Request& request, std::string_view parameter, std::uint64_t usual,
            std::uint64_t chosen) {
  EXPECT_EQ(counted(machine, request), usual) << request.event << " " << parameter;
  EXPECT_EQ(counted(machine, request, Values{{parameter, 1}}), chosen) << request.event << " " << parameter;
}
void expect_of(Signal signal, const Access& made, unsigned detail, const std::string& name, std::string_view parameter,
               std::uint64_t usual, std::uint64_t chosen) {
  Machine machine;
  machine.put(signal, 5, made, detail);
  expect(machine, row(name), parameter, usual, chosen);
}
template <class Change>
Request with(const std::string& name, Change change) {
  Request request = row(name);
  change(request.ia64);
  return request;
}
Insn at_address(std::uint64_t ip) {
  return but(insn({}), [ip](Insn& i) { i.record.ip = ip; });
}

TEST(Itanium2Choices, Events) {
  const Access lfetch = but(load_of(), [](Access& a) {
    a.request.load = false;
    a.request.prefetch = true;
  });
  const Access read = but(load_of(), [](Access& a) { a.request.l1d_read = true; });
  const Access walk = access(i64::Requester::page_walker, true, false);
  expect_of(Signal::data_reference, lfetch, 0, "DATA_REFERENCES_SET1", "pmu.lfetch_reference", 0, 1);
  expect_of(Signal::dcache_lookup, read, d::lookup_miss | id::access_replayed, "L1D_READ_MISSES_ALL",
            "pmu.replayed_misses", 0, 1);
  expect_of(Signal::fetch, prefetch_of(), d::lookup_pending, "L1I_FETCH_RAB_HIT", "pmu.fetch_hits", 0, 1);
  expect_of(Signal::fetch, prefetch_of(), id::fetch_stream_buffer, "L1I_FETCH_ISB_HIT", "pmu.fetch_hits", 0, 1);
  expect_of(Signal::walk_read, walk, 0, "LOADS_RETIRED", "pmu.walker_loads", 1, 0);
  expect_of(Signal::queue_cancel, load_of(), static_cast<unsigned>(i64::QueueCancel::l2_error), "L2_OZQ_CANCELS0_ANY",
            "pmu.ozq_cancels_any", 0, 1);
  Machine ia32;
  ia32.happen(Signal::ia32_retire, 5, 0, 2);
  for (const char* name : {"IA64_INST_RETIRED", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9"}) {
    expect(ia32, row(name), "pmu.ia32_retirement", 2, 0);
  }
  Machine dense;
  for (unsigned i = 0; i < 5; ++i) dense.put(Signal::access_retire, 5, store_of());
  expect(dense, row("STORES_RETIRED"), "pmu.increment_limit", 2, 5);
}

TEST(Itanium2Choices, Retirement) {
  Machine machine;
  machine.put(Signal::retire, 3, insn({Kind::nop}));
  machine.put(Signal::retire, 4, but(insn({Kind::nop}), [](Insn& i) { i.syllable.predicate = false; }));
  machine.put(Signal::retire, 4, insn({}, i64::SlotType::x));
  expect(machine, row("NOPS_RETIRED"), "pmu.nop_predicate", 1, 2);
  for (const char* name : {"IA64_INST_RETIRED", "IA64_INST_RETIRED_THIS", "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8",
                           "IA64_TAGGED_INST_RETIRED_IBRP3_PMC9"}) {
    expect(machine, row(name), "pmu.long_instruction", 3, 4);
  }
}

TEST(Itanium2Choices, Ranges) {
  Machine machine;
  for (const Cycle at : {1, 2, 3}) machine.put(Signal::retire, at, at_address(0x1000 * at));
  const auto outside = [](auto& q) {
    q.code = {{0x1000, 0x3000}, {0x1000, 0x1010}};
    q.outside = true;
  };
  expect(machine, with("IA64_TAGGED_INST_RETIRED_IBRP1_PMC9", outside), "pmu.inv_scope", 1, 2);
  expect(machine, with("IA64_TAGGED_INST_RETIRED_IBRP3_PMC9", outside), "pmu.inv_scope", 3, 3);
  Machine accesses;
  for (const std::uint64_t address : {0x8ff8, 0x8ff9, 0x9000, 0x9010}) {
    accesses.put(Signal::access_retire, accesses.block.requests.size(), load_of(address));
  }
  const auto both = [](auto& q) { q.data = {{0x9000, 0x9008}, {0x9000, 0x9100}}; };
  expect(accesses, with("LOADS_RETIRED", both), "pmu.data_channels", 2, 1);
}

TEST(Itanium2Choices, TrackedLoads) {
  const auto tracked = [](const Access& made) {
    Machine machine(30);
    const auto ref = machine.put(Signal::data_reference, 2, made);
    machine.again(Signal::load_return, 12, ref);
    return machine;
  };
  const Access semaphore = but(access(i64::Requester::data, true, true), [](Access& a) { a.request.semaphore = true; });
  expect(tracked(semaphore), row("DATA_EAR_CACHE_LAT8"), "pmu.dear_candidates", 0, 1);
}

TEST(Itanium2Choices, WhatACaptureTells) {
  const auto captures = [](const Machine& machine, const Request& request, const ParameterLookup& parameters) {
    const auto list = make_capture_list(request, parameters, "itanium2");
    list->consume(machine.block);
    return list->captures();
  };
  Machine machine;
  Insn failed = but(insn({Kind::check_load}), [](Insn& i) { i.syllable.check_failed = true; });
  Access reload = load_of(0xa000);
  reload.request.owner = machine.put(Signal::retire, 3, failed);
  machine.put(Signal::access_retire, 3, reload);
  failed.syllable.kinds = i64::bit(Kind::check_advanced);
  machine.put(Signal::retire, 5, failed);
  EXPECT_EQ(captures(machine, row("DATA_EAR_ALAT"), Values()).at(1).address, 0xa000u);
  EXPECT_EQ(captures(machine, row("DATA_EAR_ALAT"), Values{{"pmu.dear_chk_a", 1}}).at(1).address, 0u);
  Machine behind;
  behind.put(Signal::retire, 3,
             but(insn({Kind::branch}), [](Insn& i) { i.syllable.prediction = i64::Prediction::wrong_path; }));
  behind.put(Signal::retire, 4, failed);
  const Request beside = with("DATA_EAR_ALAT", [](auto& q) { q.branch_buffer_on = true; });
  EXPECT_FALSE(captures(behind, beside, Values()).at(0).ip_known);
  EXPECT_TRUE(captures(behind, beside, Values{{"pmu.dear_hazard", 1}}).at(0).ip_known);
}

TEST(Itanium2Ears, TheOldestOfACycle) {
  Machine machine;
  for (const std::uint64_t address : {0x10, 0x20, 0x30}) {
    machine.put(Signal::access_retire, address == 0x30 ? 7 : 6,
                but(load_of(address), [](Access& a) { a.request.translation = i64::Translation::walker; }));
  }
  const auto list = make_capture_list(row("DATA_EAR_TLB_ALL"), Values(), "itanium2");
  list->consume(machine.block);
  std::vector<std::uint64_t> found;
  for (const Capture& capture : list->captures()) found.push_back(capture.address);
  EXPECT_EQ(found, (std::vector<std::uint64_t>{0x10, 0x30}));
}

Insn branch_of(std::uint64_t ip, bool taken) {
  return but(insn({Kind::branch}, i64::SlotType::b), [&](Insn& i) {
    i.record.ip = ip;
    i.record.taken = taken;
    i.record.next_ip = 0x9000;
    i.syllable.window = ip;
  });
}

TEST(Itanium2Choices, BranchesThatAreRecorded) {
  Machine untaken;
  for (const std::uint64_t ip : {0x4000, 0x4010, 0x4020}) untaken.put(Signal::retire, 5, branch_of(ip, false));
  const auto recorded = [](const Machine& machine, const ParameterLookup& parameters, Cycle wrap) {
    BranchList list(row("BRANCH_EVENT"), parameters, "itanium2");
    list.consume(machine.block);
    return list.written_until(wrap);
  };
  EXPECT_EQ(recorded(untaken, Values(), 9).at(0).bundle, 0x4020u);
  EXPECT_EQ(recorded(untaken, Values{{"pmu.btb_choice", 1}}, 9).at(0).bundle, 0x4000u);
  Machine taken;
  taken.put(Signal::retire, 5, branch_of(0x4000, true));
  EXPECT_EQ(recorded(taken, Values(), 5).size(), 2u) << "the target is written while frozen";
}

TEST(Itanium2Choices, BranchTypes) {
  Machine machine;
  machine.put(Signal::retire, 5,
              but(insn({Kind::branch}), [](Insn& i) { i.syllable.branch_class = i64::BranchClass::return_; }));
  expect(machine, row("BRANCH_EVENT"), "pmu.btb_type0", 1, 0);
  const auto returns = [](auto& q) { q.branches.type = ia64::BranchFilter::Type::returns; };
  expect(machine, with("BRANCH_EVENT", returns), "pmu.btb_type0", 1, 1);
}

}  // namespace
}  // namespace pmusim::oracle
