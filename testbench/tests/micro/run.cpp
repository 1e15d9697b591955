#include "run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "pmusim/trace/collection.h"
#include "pmusim/trace/reader.h"

namespace pmusim::micro {
namespace {

std::string name_of(const oracle::Request& request) {
  return request.umasks.empty() ? request.event : request.event + ":" + request.umasks.front();
}

/// The collection of a target's traces.
std::filesystem::path family_of(const std::string& target) {
  return fmt::format("{}/isa-traces/micro/{}.pmt", PMUSIM_SOURCE_DIR, target);
}

/// The greatest count of `EVENT` or `EVENT:UMASK` that a test expected, by target.
std::map<std::string, std::map<std::string, std::uint64_t>> covered;

/// Events that no instruction and no external cause can produce.
bool counts_nothing(const std::string& name) {
  return name == "NOTHING" || name.starts_with("PM_RSVD_") || name == "SEGMENT_REGISTER_LOADS:HS" ||
         name == "DATA_CACHE_REFILLS_FROM_SYSTEM:INVALID" || name == "DATA_CACHE_LINES_EVICTED:INVALID";
}

/// Runs last: a test must have counted every event and unit mask of a target, with a count above zero.
class Coverage : public ::testing::Environment {
 public:
  void TearDown() override {
    // Only a run that selects no tests covers all events; what it leaves out (PmusimTest.cmake) covers none.
    const std::string filter = ::testing::GTEST_FLAG(filter);
    if (filter != "*" && !filter.starts_with("-")) return;
    for (const char* target : {"ppc750gx", "athlon"}) {
      for (const oracle::EventName& event : oracle::events(target)) {
        const std::string name(event.name);
        if (event.umasks.empty()) check(target, name);
        for (const auto& umask : event.umasks) check(target, name + ":" + std::string(umask));
      }
    }
  }

 private:
  static void check(const std::string& target, const std::string& name) {
    const auto found = covered[target].find(name);
    ASSERT_NE(found, covered[target].end()) << target << ": no micro-trace for " << name;
    EXPECT_TRUE(found->second != 0 || counts_nothing(name)) << target << ": never occurs: " << name;
  }
};
const auto* const coverage = ::testing::AddGlobalTestEnvironment(new Coverage);

}  // namespace

std::vector<std::string> traces(const std::string& target) {
  std::vector<std::string> names;
  for (const auto& file : trace::members(family_of(target))) names.push_back(file.filename());
  return names;
}

oracle::Request ask(const std::string& event) {
  oracle::Request request;
  const std::size_t colon = event.find(':');
  request.event = event.substr(0, colon);
  if (colon != std::string::npos) request.umasks = {event.substr(colon + 1)};
  return request;
}

TraceRun::TraceRun(const std::string& target, const std::string& trace, const Settings& settings)
    : target_(models::find_target(target)), trace_(trace), parameters_(target_->parameters()) {
  for (const auto& [name, value] : settings) parameters_.set(name, std::string_view(value));
  const auto file = [&](const std::string& name) {
    const auto own = family_of(target) / name;
    // The Montecito also executes the Itanium 2's traces.
    return target == "montecito" && !trace::is_member(own) ? family_of("itanium2") / name : own;
  };
  std::unique_ptr<core::Core> core;
  if (trace::is_member(file(trace + "_0")) && target_->threads() == 2) {
    std::vector<std::unique_ptr<trace::Reader>> both;
    for (const char* thread : {"_0", "_1"}) both.push_back(trace::open(file(trace + thread)));
    core = target_->make_threaded_core(std::move(both), parameters_);
  } else {
    core = target_->make_core(trace::open(file(trace)), parameters_);
  }
  constexpr activity::Cycle length = 1u << 20;  // arbitrary length of a block
  bool more = true;
  while (more) {
    activity::Block& block = blocks_.emplace_back();
    if (blocks_.size() > 1) {
      block = blocks_[blocks_.size() - 2];
    }
    block.restart(core->now());
    more = core->run(core->now() + length, block);
  }
}

std::uint64_t TraceRun::count(const oracle::Request& request) {
  const auto counter =
      oracle::make_counter(target_->name, {request}, [this](std::string_view name) { return parameters_.get(name); });
  for (const auto& block : blocks_) counter->consume(block);
  const std::uint64_t counted = counter->tally(0).expected;
  std::uint64_t& seen = covered[std::string(target_->name)][name_of(request)];
  seen = std::max(seen, counted);
  return counted;
}
std::uint64_t TraceRun::count(const std::string& event) { return count(ask(event)); }

void TraceRun::expect(const oracle::Request& request, std::uint64_t expected) {
  EXPECT_EQ(count(request), expected) << trace_ << ": " << name_of(request);
}
void TraceRun::expect(const std::string& event, std::uint64_t expected) { expect(ask(event), expected); }

void TraceRun::expect(const std::string& event, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t seen = count(event);
  EXPECT_GE(seen, least) << trace_ << ": " << event;
  EXPECT_LE(seen, most) << trace_ << ": " << event;
}

}  // namespace pmusim::micro
