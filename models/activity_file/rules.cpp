#include "models/activity_file/rules.h"

#include <fmt/format.h>

#include <bit>

#include "models/activity/vocabulary.h"

namespace pmusim::activity_file {

using activity::Block;
using activity::Fields;
using activity::Signal;

namespace {

/// Cycles within a block have 32 bits, and a session adds two in each cycle (testbench/driver).
constexpr activity::Cycle longest_block = 0x7fff'ffff;
/// The last cycle that a session simulates.
constexpr activity::Cycle last_cycle = activity::Cycle{1} << 53;

/// The bits of `value` that belong to no field, or to a field whose value has no name.
std::uint64_t unnamed(const Fields& fields, std::uint64_t value) {
  for (const activity::Field& field : fields) {
    const std::uint64_t part = (value & field.mask) >> std::countr_zero(field.mask);
    if (field.values.empty() || part < field.values.size()) value &= ~field.mask;
  }
  return value;
}

}  // namespace

Rules::Rules(std::string_view target, std::function<void(const std::string&)> report)
    : signals_(activity::signal_names(target)),
      states_(activity::state_names(target)),
      report_(std::move(report)),
      ia64_(activity::family_of(target) == activity::Family::itanium),
      alpha_(activity::family_of(target) == activity::Family::digital) {}

template <class... Args>
void Rules::broken(const char* format, const Args&... args) {
  report_(fmt::format("block {}: {}", block_, fmt::format(fmt::runtime(format), args...)));
}

void Rules::consume(const Block& block) {
  if (block_ > 0 && block.begin != end_)
    broken("it begins with cycle {}, the one before ends with {}: blocks follow each other", block.begin, end_);
  if (block.end <= block.begin) broken("cycles {} to {}: a block has one cycle at least", block.begin, block.end);
  if (block.end > block.begin && block.end - block.begin > longest_block)
    broken("{} cycles; at most {}", block.end - block.begin, longest_block);
  if (block.end > last_cycle) broken("it ends with cycle {}; the last that is simulated is {}", block.end, last_cycle);
  check_columns(block);
  check_states(block);
  check_records(block);
  end_ = block.end;
  ++block_;
}

void Rules::check_columns(const Block& block) {
  const activity::Cycle length = block.end - block.begin;
  for (std::size_t s = 0; s < block.columns.size(); ++s) {
    const std::string& name = signals_[s].name;
    const bool of_request = activity::refers_to_request(static_cast<Signal>(s));
    const std::size_t records = of_request ? block.requests.size() : block.instructions.size();
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < block.columns[s].size(); ++i) {
      const activity::Occurrence& o = block.columns[s][i];
      if (o.at < last)
        broken("signal {}: occurrence {} in cycle {} after one in cycle {}: columns are sorted by cycle", name, i,
               block.begin + o.at, block.begin + last);
      if (o.at >= length)
        broken("signal {}: occurrence {} in cycle {}, not before the block's end {}", name, i, block.begin + o.at,
               block.end);
      if (o.amount == 0) broken("signal {}: occurrence {} has amount 0; at least 1", name, i);
      if (o.ref != activity::no_ref && o.ref >= records)
        broken("signal {}: occurrence {} names {} {} of {}: records that are named are in the block", name, i,
               of_request ? "request" : "instruction", o.ref, records);
      if (const std::uint64_t bits = unnamed(signals_[s].fields, o.detail); bits != 0)
        broken("signal {}: occurrence {} has detail bits {:#x} without a name; they are 0", name, i, bits);
      last = o.at;
    }
  }
}

void Rules::check_states(const Block& block) {
  const activity::Cycle length = block.end - block.begin;
  for (std::size_t s = 0; s < block.states.size(); ++s) {
    const activity::Name& state = states_[s];
    const activity::StateColumn& column = block.states[s];
    const auto check_value = [&](std::uint64_t value) {
      if (state.fields.empty()) return;
      if (const std::uint64_t bits = unnamed(state.fields, value); bits != 0)
        broken("state {}: value {:#x} has bits {:#x} without a name", state.name, value, bits);
    };
    check_value(column.initial);
    std::uint32_t before = 0;
    for (const activity::Change& change : column.changes) {
      if (change.at <= before)
        broken("state {}: a change in cycle {}: changes come after the first cycle and rise", state.name,
               block.begin + change.at);
      if (change.at > length)
        broken("state {}: a change in cycle {}, after the block's end {}", state.name, block.begin + change.at,
               block.end);
      check_value(change.value);
      before = change.at;
    }
  }
}

void Rules::check_records(const Block& block) {
  const auto continues = [&](bool due, std::size_t rows, std::size_t of, const char* table, const char* whole) {
    if (rows == of || (!due && rows == 0)) return;
    broken("table {} has {} rows, {} has {}: row for row{}", table, rows, whole, of, due ? "" : ", or none");
  };
  continues(ia64_, block.syllables.size(), block.instructions.size(), "ia64_instruction", "instruction");
  continues(ia64_, block.ia64_requests.size(), block.requests.size(), "ia64_request", "request");
  continues(alpha_, block.alpha_instructions.size(), block.instructions.size(), "alpha_instruction", "instruction");
  const auto in_range = [&](const auto& records, const char* table) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].thread > 1) broken("table {}: row {} is of thread {}; 0 or 1", table, i, records[i].thread);
    }
  };
  in_range(block.instructions, "instruction");
  in_range(block.requests, "request");
  for (std::size_t i = 0; ia64_ && i < block.instructions.size(); ++i) {
    if (block.instructions[i].slot > 2)
      broken("table instruction: row {} is in slot {}; 0 to 2", i, block.instructions[i].slot);
  }
  for (std::size_t i = 0; i < block.ia64_requests.size(); ++i) {
    const std::uint32_t owner = block.ia64_requests[i].owner;
    if (owner != activity::no_ref && owner >= block.instructions.size())
      broken("table ia64_request: row {} names instruction {} of {}", i, owner, block.instructions.size());
  }
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < block.accesses.size(); ++i) {
    const activity::RegisterAccess& access = block.accesses[i];
    if (access.at < last || access.at >= block.end - block.begin)
      broken("table access: row {} in cycle {}: accesses are sorted by cycle and within the block", i,
             block.begin + access.at);
    if (access.ref != activity::no_ref && access.ref >= block.instructions.size())
      broken("table access: row {} names instruction {} of {}", i, access.ref, block.instructions.size());
    last = access.at;
  }
  if (block.accesses.size() != block.column(Signal::register_access).size())
    broken("{} accesses and {} occurrences of register_access: each has both", block.accesses.size(),
           block.column(Signal::register_access).size());
}

}  // namespace pmusim::activity_file
