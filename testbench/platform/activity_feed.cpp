#include "activity_feed.h"

#include <models/activity/vocabulary.h>

namespace platform {

using namespace pmusim::activity;

ActivityFeed::ActivityFeed(std::string_view target, Detail detail)
    : detail_(detail),
      ppc_(family_of(target) == Family::ppc),
      ia64_(family_of(target) == Family::itanium),
      digital_(family_of(target) == Family::digital) {
  set_running(true);
  set_user(false);
  state(State::interrupt_flag, 1);
  state(State::bus_ratio, 1 << 16 | 1);
}

void ActivityFeed::retire(const Retired& instruction) {
  const std::uint64_t id = instructions_++;
  std::uint32_t ref = no_ref;
  if (detail_ != Detail::counts) {
    ref = static_cast<std::uint32_t>(blocks_[open_].instructions.size());
    add_record(instruction);
    blocks_[open_].instructions.back().id = id;
  }
  if (digital_) occur(Signal::issue, ref);  // the counters of the in-order chips use issue
  occur(Signal::retire, ref);
  if (detail_ == Detail::accesses) add_accesses(instruction, ref);
}

void ActivityFeed::add_record(const Retired& instruction) {
  Block& block = blocks_[open_];
  InstructionRecord record;
  record.ip = instruction.ip;
  record.next_ip = instruction.next_ip;
  record.encoding = instruction.encoding;
  record.tagged = now_;
  record.length = instruction.length;
  bool load = false, store = false;
  for (const Access& access : instruction.accesses) (access.store ? store : load) = true;
  if (load) record.traits |= bit(Trait::load);
  if (store) record.traits |= bit(Trait::store);
  if (instruction.branch) record.traits |= bit(Trait::branch);
  if (instruction.conditional) record.traits |= bit(Trait::conditional);
  record.taken = instruction.branch && instruction.next_ip != instruction.ip + instruction.length;
  block.instructions.push_back(record);
  if (ia64_) {
    ia64::Syllable half;
    if (load) half.kinds |= bit(ia64::Kind::integer_load);
    if (store) half.kinds |= bit(ia64::Kind::store);
    if (instruction.branch) {
      half.kinds |= bit(ia64::Kind::branch);
      half.type = ia64::SlotType::b;
      half.branch_class = ia64::BranchClass::ip_relative;
      half.prediction = ia64::Prediction::correct;
    }
    block.syllables.push_back(half);
  }
  if (digital_) {
    using Kind = pmusim::activity::alpha::Kind;
    pmusim::activity::alpha::Instruction half;
    if (load) half.kinds |= bit(Kind::load);
    if (store) half.kinds |= bit(Kind::store);
    if (instruction.branch)
      half.kinds |= bit(instruction.conditional ? Kind::conditional_branch : Kind::unconditional_branch);
    if (half.kinds == 0) half.kinds = bit(Kind::integer_operate);
    block.alpha_instructions.push_back(half);
  }
}

void ActivityFeed::add_accesses(const Retired& instruction, std::uint32_t owner) {
  Block& block = blocks_[open_];
  for (const Access& access : instruction.accesses) {
    const auto ref = static_cast<std::uint32_t>(block.requests.size());
    RequestRecord record;
    record.id = requests_++;
    record.address = access.address;
    record.instruction = block.instructions[owner].id;
    record.ip = instruction.ip;
    record.start = record.end = now_;
    record.size = access.size;
    record.has_instruction = true;
    record.store = access.store;
    record.cpl = user_ ? 3 : 0;
    block.requests.push_back(record);
    const auto kind = access.store ? detail::access_store : detail::access_load;
    const auto found = access.miss ? detail::lookup_miss : detail::lookup_hit;
    if (ia64_) {
      ia64::Request half;
      half.owner = owner;
      half.load = !access.store;
      half.store = access.store;
      half.l1d_read = !access.store;
      block.ia64_requests.push_back(half);
      occur(Signal::data_reference, ref, kind);
      occur(Signal::access_retire, ref);
    }
    occur(Signal::dcache_lookup, ref, static_cast<std::uint16_t>(kind | found));
  }
}

void ActivityFeed::set_user(bool user) {
  user_ = user;
  state(State::cpl, user ? 3 : 0);
  if (ppc_) state(State::msr, msr::ee | (user ? msr::pr : 0));
  if (ia64_) state(State::psr, ia64::psr::i | ia64::psr::up | ia64::psr::pp);
  if (digital_) state(State::ipl, user ? 0 : 7);
}

void ActivityFeed::set_running(bool running) { state(State::clock, running ? 1 : 0); }

void ActivityFeed::state(State which, std::uint64_t value) {
  Block& block = blocks_[open_];
  StateColumn& column = block.states[static_cast<std::size_t>(which)];
  const auto at = static_cast<std::uint32_t>(now_ - block.begin);
  if (at == 0) {
    column.initial = value;
  } else if (!column.changes.empty() && column.changes.back().at == at) {
    column.changes.back().value = value;
  } else if ((column.changes.empty() ? column.initial : column.changes.back().value) != value) {
    column.changes.push_back({at, value});
  }
}

// Without records, all instructions of one cycle form one occurrence.
void ActivityFeed::occur(Signal signal, std::uint32_t ref, std::uint16_t detail) {
  Block& block = blocks_[open_];
  auto& column = block.columns[static_cast<std::size_t>(signal)];
  const auto at = static_cast<std::uint32_t>(now_ - block.begin);
  if (ref == no_ref && !column.empty() && column.back().at == at) {
    ++column.back().amount;
  } else {
    column.push_back({at, ref, 1, detail});
  }
}

const Block& ActivityFeed::end_block() {
  Block& done = blocks_[open_];
  done.end = now_;
  open_ = 1 - open_;
  Block& next = blocks_[open_];
  next.restart(now_);
  for (std::size_t i = 0; i < state_count; ++i) {
    const StateColumn& last = done.states[i];
    next.states[i].initial = last.changes.empty() ? last.initial : last.changes.back().value;
  }
  return done;
}

}  // namespace platform
