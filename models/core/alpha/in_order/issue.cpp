// Issue: the instructions of a group in order, until one must wait.
#include <algorithm>

#include "models/core/alpha/in_order/core.h"

namespace pmusim::core::alpha {

namespace d = activity::detail;
using act::Kind;
using Work = StaticCode::Work;

void InOrderCore::issue() {
  IssueStall stall = IssueStall::no_instructions;
  bool issued = false;
  loaded_ = stored_ = false;
  missed_block_ = 0;
  FetchBlock& block = blocks_[block_first_];
  if (now_ < refill_until_) {
    stall = refill_stall_;
    machine_.agenda.at(refill_until_);
  } else if (now_ < barrier_until_) {
    stall = IssueStall::memory_barrier;
    machine_.agenda.at(barrier_until_);
  } else if (block_count_ != 0 && block.ready <= now_) {
    if (block.next == block.group_end) {
      const unsigned left = block.count - block.next;
      block.group_end += static_cast<std::uint8_t>(group(rules_, std::span(block.slotted).subspan(block.next, left)));
    }
    const unsigned first = block.next;
    stall = issue_group(block);
    issued = block.next != first;
    if (block_count_ != 0 && block.next == block.count) {
      block_first_ = (block_first_ + 1) % most_blocks;
      --block_count_;
    }
  } else if (block_count_ != 0) {
    machine_.agenda.at(block.ready);
  } else if (itb_missed_) {
    // All older instructions have issued: PALcode is entered for the instruction whose page missed in the ITB.
    Program::Entry& entry = *next_entry();
    Instruction instruction;
    describe(instruction, codes_.of(*entry.instruction.code), cursor_, now_);
    instruction.more.pal = modes_.pal();
    std::erase_if(itb_owed_, [this](const ItbOwed& o) { return o.ordinal == cursor_; });
    const Trap cause = itb_fault_ ? Trap::istream_access : Trap::itb_miss;
    instruction.more.trap = cause;
    recorder_.occur(Signal::pal_entry, instruction, static_cast<std::uint16_t>(cause));
    enter_pal(cause);
  }
  if (issued) {
    stall = IssueStall::issuing;
    machine_.agenda.changed();
  }
  recorder_.set(State::issue_stall, static_cast<std::uint64_t>(stall));
}

/// Issues instructions of the group. Returns the reason for which the first remaining instruction waits.
inline InOrderCore::IssueStall InOrderCore::issue_group(FetchBlock& block) {
  while (block.next < block.group_end) {
    const Slot& slot = block.slots[block.next];
    const Slotted& at = block.slotted[block.next];
    bool replays = false;
    const IssueStall why = obstacle(slot, at, replays);
    if (why != IssueStall::issuing) return why;
    ++block.next;
    if (!issue_one(slot, at, replays)) return IssueStall::issuing;
  }
  return IssueStall::issuing;
}

// --- stalls of an instruction --------------------------------------------------------------------------------------

InOrderCore::IssueStall InOrderCore::obstacle(const Slot& slot, const Slotted& at, bool& replays) {
  const StaticCode& code = *slot.code;
  if (code.emulated) return IssueStall::issuing;
  if (jumped_ + 1 == now_ && rules_.jump_delays_branch && code.has(Kind::conditional_branch)) {
    machine_.agenda.at(now_ + 1);
    return IssueStall::after_jump;
  }
  if (at.port != 0 && now_ < units_free_) {
    const IssueStall unit = unit_obstacle(code, at);
    if (unit != IssueStall::issuing) return unit;
  }
  if (!operands_ready(code, *at.rule)) {
    const IssueStall operands = operand_obstacle(code, *at.rule, replays);
    if (operands != IssueStall::issuing) return operands;
  }
  return !code.computes && code.waits_for_others() ? memory_obstacle(slot) : IssueStall::issuing;
}

InOrderCore::IssueStall InOrderCore::unit_obstacle(const StaticCode& code, const Slotted& at) {
  const auto wait = [this](Cycle until) {
    machine_.agenda.at(until);
    return IssueStall::unit_busy;
  };
  const ExecutionUnit unit = at.rule->unit;
  if ((code.is_branch() || unit == ExecutionUnit::branch) && now_ < branch_from_) return wait(branch_from_);
  if (unit == ExecutionUnit::multiplier && now_ < multiply_from_) return wait(multiply_from_);
  if (unit == ExecutionUnit::abox && replayed_ == now_) return wait(now_ + 1);
  if (unit == ExecutionUnit::divider && now_ < divide_ends_) return wait(divide_ends_);
  const bool integer = rules_.slots || unit == ExecutionUnit::ebox;
  if (now_ < multiply_over_ && at.port == rules_.integer_port && integer &&
      multiply_ends_in(now_ + rules_.multiply_hole)) {
    return wait(now_ + 1);
  }
  const bool fp = code.has(Kind::fp_operate) || rules_.slots;
  if (at.port == rules_.divide_port && fp &&
      (divide_ends_ == now_ + rules_.divide_hole || divide_ends_ == now_ + rules_.divide_hole_2)) {
    return wait(now_ + 1);
  }
  return IssueStall::issuing;
}

void InOrderCore::start_multiply(const Rule& rule, unsigned more) {
  multiply_from_ = now_ + rule.interval + more;
  const Cycle end = now_ + rule.latency + more;
  multiply_ends_[multiply_next_] = end;
  multiply_next_ = (multiply_next_ + 1) % multiply_ends_.size();
  multiply_over_ = std::max(multiply_over_, end);
  units_free_ = std::max({units_free_, multiply_from_, multiply_over_});
}

InOrderCore::IssueStall InOrderCore::operand_obstacle(const StaticCode& code, const Rule& rule, bool& replays) {
  const std::uint8_t uses = user_of(code);
  const bool store = code.has(Kind::store);
  const auto ra = static_cast<std::uint8_t>(code.encoding >> 21 & 31);
  const auto data = static_cast<std::uint8_t>(code.has(Kind::floating) ? ra + trace::alpha::reg_fp : ra);
  Cycle ready = 0;
  bool miss = false;
  for (unsigned i = 0; i < code.read_count; ++i) {
    const Result& result = results_[code.reads[i]];
    if (result.ready <= now_) continue;
    // The data of a store may come from an integer operate that issues with it.
    const std::uint8_t as = store && code.reads[i] == data ? user::store_data : uses;
    if ((result.early_for & as) != 0) {
      ready = std::max(ready, as == user::store_data ? Cycle{0} : result.early);
    } else if (result.ready == activity::never) {
      if (rules_.assumes_hits && now_ == result.assumed) {
        replays = true;
        continue;
      }
      miss = true;
      if (rules_.assumes_hits) machine_.agenda.at(result.assumed);
      if (now_ < result.assumed) ready = std::max(ready, result.assumed);
    } else {
      ready = std::max(ready, result.ready);
    }
  }
  // Results arrive in order: a result must not overtake an older one for the same register.
  for (unsigned i = 0; i < code.write_count; ++i) {
    const Result& result = results_[code.writes[i]];
    if (result.ready == activity::never) {
      miss = true;
    } else if (result.ready > now_ + rule.latency) {
      ready = std::max(ready, result.ready - rule.latency);
    }
  }
  if (code.has(Kind::trap_barrier)) ready = std::max(ready, results_at_);
  if (ready > now_) machine_.agenda.at(ready);
  if (miss && (!rules_.assumes_hits || ready <= now_)) return IssueStall::load_miss;
  return ready > now_ ? IssueStall::registers : IssueStall::issuing;
}

// --- one instruction -----------------------------------------------------------------------------------------------

InOrderCore::Trap InOrderCore::trap_of(const Slot& slot) const {
  if (slot.code->emulated) return Trap::opcdec;
  if (slot.code->floats && !stimulus_.fp_enabled() && allowed_fp_ != slot.ordinal) return Trap::fp_disabled;
  const auto* const annotations = slot.entry->instruction.annotations;
  if (annotations != nullptr && annotations->trap == trace::Trap::arithmetic) return Trap::arithmetic;
  return Trap::none;
}

bool InOrderCore::issue_one(const Slot& slot, const Slotted& at, bool replays) {
  if (replays || !only_computes(slot)) return issue_in_full(slot, at, replays);
  recorder_.occur(Signal::issue);
  execute(slot, at);
  if (slot.code->is_branch()) recorder_.occur(Signal::branch_resolved, outcome_of(slot));
  recorder_.occur(Signal::retire);
  program_.complete_through(slot.ordinal);
  return now_ >= barrier_until_;
}

/// The same, with the instruction's record.
bool InOrderCore::issue_in_full(const Slot& slot, const Slotted& at, bool replays) {
  Instruction instruction;
  describe(instruction, *slot.code, slot.ordinal, slot.fetched);
  instruction.more.pal = modes_.pal();
  instruction.more.fill_stream = slot.fill_stream;
  instruction.record.next_ip = slot.entry->instruction.next_pc();
  instruction.record.predicted_taken = slot.predicted_taken;
  recorder_.occur(Signal::issue, instruction);
  if (replays) {
    replay(instruction, act::Replay::load_use);
    return false;
  }
  const Trap cause = trap_of(slot);
  if (cause != Trap::none) {
    trap(slot, instruction, cause);
    return false;
  }
  if (slot.code->touches_memory()) {
    const Access result = access(slot, instruction, at.port);
    if (result != Access::done) return false;
  }
  execute(slot, at);
  if (slot.code->orders_memory) order_memory(slot, instruction);
  if (slot.code->is_branch()) resolve(slot, instruction);
  if (slot.entry->instruction.annotations != nullptr) {
    for (const trace::RegisterUse& use : slot.entry->instruction.annotations->registers)
      recorder_.access(instruction, use);
  }
  if (slot.ends_fetch) return leave_stream(slot, instruction);
  recorder_.occur(Signal::retire, instruction);
  program_.complete_through(slot.ordinal);
  return now_ >= barrier_until_;
}

/// Handles an instruction after which fetch must be redirected, or for which fetch waits. False if no later instruction
/// issues.
bool InOrderCore::leave_stream(const Slot& slot, Instruction& instruction) {
  const bool mispredicted = slot.mispredicted;
  const bool call = slot.code->has(Kind::call_pal), back = slot.code->has(Kind::pal_return);
  const std::uint32_t function = slot.code->pal_function;
  const std::uint64_t ordinal = slot.ordinal;
  if (call) recorder_.occur(Signal::pal_entry, instruction, static_cast<std::uint16_t>(Trap::call_pal));
  recorder_.occur(Signal::retire, instruction);
  program_.complete_through(ordinal);
  if (call) {
    // Unless the trace continues in PALmode itself.
    cursor_ = ordinal + 1;
    const Program::Entry* const next = next_entry();
    const bool shown = next != nullptr && std::any_of(next->directives.list.begin(), next->directives.list.end(),
                                                      [](const trace::Directive& x) { return x.name == "mode"; });
    constexpr std::uint32_t imb = 0x86;
    if (function == imb) memory_.flush_code();
    if (shown) {
      redirect(now_ + 1, IssueStall::trap);
    } else {
      enter_pal(Trap::call_pal, function);
    }
  } else if (mispredicted || back) {
    redirect(now_ + 1 + pipeline_.mispredict_penalty - pipeline_.fetch_to_issue, IssueStall::no_instructions);
  }
  return !call && !back && !mispredicted && now_ >= barrier_until_;
}

/// A multiply takes longer if an operand has just become available (21164).
unsigned InOrderCore::fresh_operand(const StaticCode& code) const {
  Cycle latest = 0;
  for (unsigned i = 0; i < code.read_count; ++i) latest = std::max(latest, results_[code.reads[i]].ready);
  const Cycle settled = latest + pipeline_.multiply_fresh;
  return latest != 0 && settled > now_ ? static_cast<unsigned>(settled - now_) : 0;
}

/// Reserves the unit of a branch, a multiply or a divide. Returns by how much its result is later.
unsigned InOrderCore::reserve(const StaticCode& code, const Slotted& at) {
  const Rule& rule = *at.rule;
  const unsigned more = rule.unit == ExecutionUnit::multiplier ? fresh_operand(code) : 0;
  if (at.port != 0) {
    if (rule.unit == ExecutionUnit::multiplier) start_multiply(rule, more);
    if (rule.unit == ExecutionUnit::divider) {
      divide_ends_ = now_ + rule.latency;
      units_free_ = std::max(units_free_, divide_ends_);
    }
    if (code.is_branch() || rule.unit == ExecutionUnit::branch) {
      branch_from_ = now_ + rules_.branch_busy;
      units_free_ = std::max(units_free_, branch_from_);
    }
  }
  if (code.has(Kind::jump)) jumped_ = now_;
  return more;
}

/// Reserves units and sets the times of results; access() handles the results of loads.
void InOrderCore::execute(const Slot& slot, const Slotted& at) {
  const StaticCode& code = *slot.code;
  const Rule& rule = *at.rule;
  const unsigned more = code.is_branch() || rule.reserves() ? reserve(code, at) : 0;
  if (code.has(Kind::load)) return;
  for (unsigned i = 0; i < code.write_count; ++i) {
    Result& result = results_[code.writes[i]];
    const unsigned latency = code.has(Kind::store_conditional) ? pipeline_.store_conditional : rule.latency;
    result.ready = now_ + latency + more;
    result.early = now_ + rule.early + more;
    result.early_for = rule.early_for;
    // An Ebox result reaches the data of a store of the same cycle (21064).
    if (rule.unit == ExecutionUnit::ebox) result.early_for |= user::store_data;
    results_at_ = std::max(results_at_, result.ready);
  }
}

void InOrderCore::order_memory(const Slot& slot, Instruction& instruction) {
  const StaticCode& code = *slot.code;
  if (code.work == Work::memory_barrier) barrier_until_ = now_ + pipeline_.barrier_cycles;
  if (code.has(Kind::store_conditional)) {
    instruction.record.conditional_success =
        std::any_of(slot.entry->accesses.begin(), slot.entry->accesses.end(), [](const auto& a) { return a.store; });
  } else {
    memory_.flush_writes();
  }
}

std::uint16_t InOrderCore::outcome_of(const Slot& slot) {
  std::uint16_t detail = d::branch_predicted;
  if (slot.code->has(Kind::conditional_branch)) detail |= d::branch_conditional;
  if (slot.entry->instruction.taken) detail |= d::branch_taken;
  if (slot.predicted_taken) detail |= d::branch_predicted_taken;
  if (!slot.mispredicted) detail |= d::branch_correct;
  return detail;
}

void InOrderCore::resolve(const Slot& slot, Instruction& instruction) {
  instruction.record.taken = slot.entry->instruction.taken;
  instruction.record.mispredicted = slot.mispredicted;
  if (slot.mispredicted) instruction.more.trap = Trap::mispredict;
  recorder_.occur(Signal::branch_resolved, instruction, outcome_of(slot));
}

/// A replay trap: the instruction and the younger ones are fetched and issued again. The 21064 has none of its own: a
/// load that finds no place for its miss freezes the pipe, as pfm(7) says of a load miss.
void InOrderCore::replay(Instruction& instruction, act::Replay cause) {
  instruction.more.trap = Trap::replay;
  instruction.more.replay = cause;
  recorder_.occur(Signal::replay_trap, instruction, static_cast<std::uint16_t>(cause));
  recorder_.occur(Signal::kill, instruction);
  block_count_ = 0;
  cursor_ = instruction.record.id;
  redirect(now_ + pipeline_.replay_penalty - pipeline_.fetch_to_issue,
           rules_.slots ? IssueStall::trap : IssueStall::load_miss);
}

/// PALcode and the system handle the trap. Then the instruction is executed again, unless they have emulated it.
void InOrderCore::trap(const Slot& slot, Instruction& instruction, Trap cause) {
  const std::uint64_t ordinal = slot.ordinal;
  instruction.more.trap = cause;
  recorder_.occur(Signal::pal_entry, instruction, static_cast<std::uint16_t>(cause));
  const bool repeats =
      flow_of(machine_.settings, cause).repeats || cause == Trap::fp_disabled || cause == Trap::dstream_fault;
  if (cause == Trap::fp_disabled) allowed_fp_ = ordinal;
  if (cause == Trap::dstream_fault) forced_dtb_ = ordinal;
  if (repeats) {
    recorder_.occur(Signal::kill, instruction);
  } else {
    instruction.record.taken = slot.entry->instruction.taken;
    for (unsigned i = 0; i < slot.code->write_count; ++i) results_[slot.code->writes[i]] = Result{};
    recorder_.occur(Signal::retire, instruction);
    program_.complete_through(ordinal);
  }
  enter_pal(cause);
  cursor_ = repeats ? ordinal : ordinal + 1;
}

}  // namespace pmusim::core::alpha
