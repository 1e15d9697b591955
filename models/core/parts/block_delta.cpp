#include "models/core/parts/block_delta.h"

namespace pmusim::core {

namespace {

/// Stored instead of a record's number if the record comes directly after those that exist.
constexpr std::uint32_t middle = 1u << 31;

/// All fields that may change in the record of an instruction in flight.
bool same_outcome(const InstructionRecord& a, const InstructionRecord& b) {
  return a.next_ip == b.next_ip && a.operations == b.operations && a.unit == b.unit && a.traits == b.traits &&
         a.predicted_taken == b.predicted_taken && a.taken == b.taken && a.mispredicted == b.mispredicted &&
         a.conditional_success == b.conditional_success && a.wrong_path == b.wrong_path;
}

}  // namespace

void BlockDelta::mark(const Recorder& recorder, Mark& mark) {
  const Block& block = *recorder.block_;
  mark.serial = recorder.serial_;
  for (std::size_t i = 0; i < activity::signal_count; ++i) mark.columns[i] = block.columns[i].size();
  for (std::size_t i = 0; i < activity::state_count; ++i) mark.states[i] = block.states[i].changes.size();
  mark.instructions = block.instructions.size();
  mark.requests = block.requests.size();
  mark.in_flight.clear();
  mark.in_flight_places.clear();
}

bool BlockDelta::capture(const Recorder& recorder, const Mark& mark, const RecordBases& bases, Signals of_requests,
                         std::span<const std::pair<std::uint64_t, std::uint32_t>> accesses) {
  if (recorder.block_ == nullptr || recorder.serial_ != mark.serial) return false;
  const Block& block = *recorder.block_;
  const auto begin = static_cast<std::uint32_t>(bases.cycle - block.begin);
  for (std::size_t i = 0; i < activity::signal_count; ++i) {
    const auto& column = block.columns[i];
    if (column.size() == mark.columns[i]) continue;
    const auto first = static_cast<std::uint32_t>(occurrences_.size());
    const std::size_t records = of_requests[i] ? mark.requests : mark.instructions;
    bool named = false;
    for (std::size_t k = mark.columns[i]; k < column.size(); ++k) {
      activity::Occurrence o = column[k];
      named |= o.ref != activity::no_ref;
      o.at -= begin;
      if (o.ref != activity::no_ref) o.ref += middle - static_cast<std::uint32_t>(records);
      occurrences_.push_back(o);
    }
    columns_.push_back(
        {static_cast<std::uint16_t>(i), of_requests[i], named, first, static_cast<std::uint32_t>(occurrences_.size())});
  }
  const auto relative = [&](InstructionRecord record) {
    record.id -= record.wrong_path ? bases.wrong_path : bases.instruction;
    record.tagged -= bases.cycle;
    return record;
  };
  for (std::size_t i = mark.instructions; i < block.instructions.size(); ++i) {
    instructions_.push_back(relative(block.instructions[i]));
  }
  for (std::size_t i = 0; i < mark.in_flight.size(); ++i) {
    const InstructionRecord& now = block.instructions[mark.in_flight_places[i]];
    if (same_outcome(now, mark.in_flight[i])) continue;
    changed_.push_back({static_cast<std::uint32_t>(mark.instructions - mark.in_flight_places[i]), relative(now)});
  }
  for (std::size_t i = mark.requests; i < block.requests.size(); ++i) {
    RequestRecord record = block.requests[i];
    std::uint32_t access = no_access;
    for (const auto& [id, number] : accesses) {
      if (id == record.id) access = number;
    }
    record.id -= bases.request;
    record.start -= bases.cycle;
    if (record.has_instruction) record.instruction -= record.wrong_path ? bases.wrong_path : bases.instruction;
    requests_.push_back(record);
    request_accesses_.push_back(access);
  }
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    const auto& changes = block.states[i].changes;
    for (std::size_t k = mark.states[i]; k < changes.size(); ++k) {
      states_.push_back({static_cast<std::uint16_t>(i), changes[k].at - begin, changes[k].value});
    }
  }
  return true;
}

void BlockDelta::emit(Recorder& recorder, const RecordBases& bases, std::span<const std::uint64_t> addresses) const {
  Block& block = *recorder.block_;
  const auto begin = static_cast<std::uint32_t>(bases.cycle - block.begin);
  const auto instructions = static_cast<std::uint32_t>(block.instructions.size());
  const auto requests = static_cast<std::uint32_t>(block.requests.size());
  for (const Column& c : columns_) {
    auto& column = block.columns[c.signal];
    const std::uint32_t add = (c.of_requests ? requests : instructions) - middle;
    const std::size_t old = column.size();
    column.insert(column.end(), occurrences_.begin() + c.begin, occurrences_.begin() + c.end);
    if (!c.named) {
      for (auto o = column.data() + old; o != column.data() + column.size(); ++o) o->at += begin;
      continue;
    }
    for (auto o = column.data() + old; o != column.data() + column.size(); ++o) {
      o->at += begin;
      o->ref += o->ref == activity::no_ref ? 0 : add;
    }
  }
  const auto absolute = [&](InstructionRecord& record) {
    record.id += record.wrong_path ? bases.wrong_path : bases.instruction;
    record.tagged += bases.cycle;
  };
  for (const Changed& changed : changed_) {
    InstructionRecord& record = block.instructions[instructions - changed.from_end];
    record = changed.record;
    absolute(record);
  }
  for (const InstructionRecord& record : instructions_) absolute(block.instructions.emplace_back(record));
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    RequestRecord& record = block.requests.emplace_back(requests_[i]);
    record.id += bases.request;
    record.start += bases.cycle;
    if (record.has_instruction) record.instruction += record.wrong_path ? bases.wrong_path : bases.instruction;
    if (request_accesses_[i] != no_access) record.address = addresses[request_accesses_[i]];
  }
  for (const StateChange& change : states_) {
    block.states[change.state].changes.push_back({begin + change.at, change.value});
    recorder.current_[change.state] = change.value;
  }
}

std::size_t BlockDelta::bytes() const {
  return sizeof *this + columns_.size() * sizeof(Column) + occurrences_.size() * sizeof(activity::Occurrence) +
         instructions_.size() * sizeof(InstructionRecord) + changed_.size() * sizeof(Changed) +
         requests_.size() * (sizeof(RequestRecord) + sizeof(std::uint32_t)) + states_.size() * sizeof(StateChange);
}

}  // namespace pmusim::core
