// A core that omits the starts and ends of instructions reports everything else unchanged.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "models/pmu/multiplexer.h"
#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {
namespace {

using activity::Occurrence;
using activity::Signal;

struct RecordedProgram {
  const char* target;
  const char* trace;
};
constexpr RecordedProgram i386_program{"athlon", "i386-quicksort-O2"}, ppc_program{"ppc750gx", "ppc-quicksort-O2"};

class Progress : public testing::TestWithParam<RecordedProgram> {
 protected:
  const models::Target& target = *models::find_target(GetParam().target);
  [[nodiscard]] static std::unique_ptr<trace::Reader> trace() {
    return trace::open(std::string(PMUSIM_SOURCE_DIR) + "/isa-traces/recorded/" + GetParam().trace + ".pmt");
  }
};

activity::Subscription without_progress() {
  activity::Subscription all = activity::Subscription::everything();
  for (const Signal signal : {Signal::issue, Signal::finish}) all.signals.reset(static_cast<std::size_t>(signal));
  return all;
}

bool is_progress(Signal signal) { return signal == Signal::issue || signal == Signal::finish; }

auto fields(const activity::InstructionRecord& r) {
  return std::tuple(r.id, r.ip, r.next_ip, r.encoding, r.tagged, r.traits, r.length, r.operations, r.unit, r.wrong_path,
                    r.predicted_taken, r.taken, r.mispredicted, r.conditional_success);
}
auto fields(const activity::RequestRecord& r) {
  return std::tuple(r.id, r.address, r.instruction, r.start, r.end, r.size, r.store, r.wrong_path);
}

/// Expects equal occurrences: their records have different positions but the same contents.
void expect_same(Signal signal, const Block& full, const Occurrence& a, const Block& less, const Occurrence& b) {
  ASSERT_EQ(std::tuple(a.at, a.amount, a.detail), std::tuple(b.at, b.amount, b.detail));
  ASSERT_EQ(a.ref == activity::no_ref, b.ref == activity::no_ref);
  if (a.ref == activity::no_ref) return;
  if (pmu::refers_to_request(signal)) {
    ASSERT_TRUE(fields(full.requests[a.ref]) == fields(less.requests[b.ref]));
  } else {
    ASSERT_TRUE(fields(full.instructions[a.ref]) == fields(less.instructions[b.ref]));
  }
}

void expect_same(const Block& full, const Block& less) {
  ASSERT_EQ(full.end, less.end);
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    const auto signal = static_cast<Signal>(s);
    if (is_progress(signal)) {
      ASSERT_TRUE(less.column(signal).empty());
      continue;
    }
    ASSERT_EQ(full.column(signal).size(), less.column(signal).size()) << "signal " << s << " from " << full.begin;
    for (std::size_t i = 0; i < full.column(signal).size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_same(signal, full, full.column(signal)[i], less, less.column(signal)[i]))
          << "signal " << s << " from " << full.begin;
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    ASSERT_EQ(full.states[s].initial, less.states[s].initial) << "state " << s << " from " << full.begin;
    ASSERT_EQ(full.states[s].changes.size(), less.states[s].changes.size()) << "state " << s << " from " << full.begin;
    for (std::size_t i = 0; i < full.states[s].changes.size(); ++i) {
      ASSERT_EQ(full.states[s].changes[i].at, less.states[s].changes[i].at);
      ASSERT_EQ(full.states[s].changes[i].value, less.states[s].changes[i].value);
    }
  }
}

TEST_P(Progress, BlocksSayTheSameOtherwise) {
  constexpr Cycle cycles = 499;  // instructions are in flight at the end of nearly every block
  const auto full = target.make_core(trace(), target.parameters()),
             less = target.make_core(trace(), target.parameters());
  less->subscribe(without_progress());
  Block a, b;
  std::size_t started = 0, retired = 0;
  for (unsigned i = 0; i < 100; ++i) {
    a.restart(full->now());
    b.restart(less->now());
    ASSERT_TRUE(full->run(full->now() + cycles, a));
    ASSERT_TRUE(less->run(less->now() + cycles, b));
    ASSERT_NO_FATAL_FAILURE(expect_same(a, b));
    started += a.column(Signal::issue).size();
    retired += a.column(Signal::retire).size();
  }
  EXPECT_GT(retired, 0u);
  EXPECT_GE(started, retired) << "what retires has started";
}

INSTANTIATE_TEST_SUITE_P(Targets, Progress, testing::Values(i386_program, ppc_program),
                         [](const auto& info) { return std::string(info.param.target); });

}  // namespace
}  // namespace pmusim::testbench
