#include "models/core/alpha/out_of_order/front_end.h"

#include <algorithm>
#include <bit>

namespace pmusim::core::alpha::out_of_order {

namespace {
constexpr std::uint64_t block_bytes = LinePredictor::block_bytes;
std::uint64_t block_of(std::uint64_t pc) { return pc & ~(block_bytes - 1); }
}  // namespace

FrontEnd::FrontEnd(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, MemorySide& memory,
                   Translation& translation, Program& program, Stimulus& stimulus, const Modes& modes,
                   DirectiveGate& gate)
    : machine_(machine),
      pipeline_(pipeline),
      flight_(flight),
      memory_(memory),
      translation_(translation),
      program_(program),
      stimulus_(stimulus),
      modes_(modes),
      gate_(gate),
      codes_(machine.settings.chip),
      lines_(std::bit_ceil(machine.settings.l1i_bytes / block_bytes)),
      returns_(pipeline.return_stack) {
  made_up_code_.work = StaticCode::Work::logical;
}

// --- directives ------------------------------------------------------------------------------------------

// The next line of the trace, unless a directive precedes it.
inline Program::Entry* FrontEnd::next_line() {
  Program::Entry* entry = program_.at(line_);
  if (entry != nullptr) return entry->directives.due() ? nullptr : entry;
  ended_ = program_.ends_at(line_);
  return nullptr;
}

void FrontEnd::poll_gate() {
  if (!at_closed_gate_ || gate_.pass(program_.directives_at(line_), true) != Gate::open) return;
  at_closed_gate_ = false;
  source_ = Source::trace;
  agenda_.changed();
}

// The line of the trace that may be fetched; null: none.
inline Program::Entry* FrontEnd::pass_gate() {
  if (at_closed_gate_) return nullptr;
  Program::Entry* const entry = next_line();
  return entry != nullptr ? entry : open_gate();
}

Program::Entry* FrontEnd::open_gate() {
  if (ended_) {
    agenda_.changed();
    return nullptr;
  }
  const Gate gate = gate_.pass(program_.directives_at(line_), false);
  if (gate == Gate::open) {
    agenda_.changed();
    return next_line();
  }
  at_closed_gate_ = true;
  agenda_.changed();
  if (gate == Gate::run_ahead && pipeline_.wrong_path != 0) {
    source_ = Source::wrong;
    wrong_page_ = pc_ / page_bytes;
  }
  return nullptr;
}

// --- fetch -----------------------------------------------------------------------------------------------

void FrontEnd::fetch() {
  if (ended_ || source_ == Source::stopped) return;
  if (resume_at_ > agenda_.now()) {
    agenda_.at(resume_at_);
    return;
  }
  if (flight_.full()) return;
  if (flight_.mapped != flight_.fetched) {
    const std::uint64_t waiting = group_ - flight_.at(flight_.mapped).group;
    if (waiting >= most_groups_before_map) return;
  }
  in_group_ = 0;
  if (source_ == Source::flow || source_ == Source::handler) {
    fetch_made_up();
  } else {
    fetch_block();
  }
  if (in_group_ != 0) ++group_;
}

void FrontEnd::fetch_block() {
  if (half_) make_second_half();
  if (source_ == Source::trace) {
    const Program::Entry* const entry = pass_gate();
    if (entry == nullptr) return;
    const std::uint64_t pc = entry->instruction.code->pc;
    if (in_group_ != 0 && (pc != pc_ || pc % block_bytes == 0)) return;  // the second half was the last of its block
    pc_ = pc;
  } else if (in_group_ != 0 && pc_ % block_bytes == 0) {
    return;
  }
  if (!code_there(pc_)) return;
  scan();
}

// Nearly always the line is there, and nothing else is asked.
inline bool FrontEnd::code_there(std::uint64_t pc) {
  const bool wrong = source_ == Source::wrong;
  const bool ordinary = !waiting_for_ && in_group_ == 0 && (wrong || owed_.empty()) && !stimulus_.has_parity_errors() &&
                        (wrong || program_.at(line_)->instruction.annotations == nullptr);
  if (!ordinary || !memory_.fetch_hit(pc)) return look_for_code(pc);
  if (!wrong) wrong_page_ = pc / page_bytes;
  return true;
}

bool FrontEnd::look_for_code(std::uint64_t pc) {
  if (waiting_for_) {
    const bool there = memory_.has_code(*waiting_for_);
    if (!there && !memory_.quiet()) return false;
    waiting_for_.reset();
    if (there) return true;  // otherwise another fill has replaced the line again
  }
  if (in_group_ != 0) return true;  // it is in the block of the first half
  const bool wrong = source_ == Source::wrong;
  const auto owed = std::find_if(owed_.begin(), owed_.end(), [this](const Owed& o) { return o.line == line_; });
  if (!wrong && owed != owed_.end()) {
    const act::Trap trap = owed->trap;
    owed_.erase(owed);
    fault(pc, trap);
    return false;
  }
  const trace::Annotations* notes = wrong ? nullptr : program_.at(line_)->instruction.annotations;
  NamedRequest request = machine_.new_request(pc, static_cast<std::uint32_t>(block_bytes));
  request.record.wrong_path = wrong;
  // The Icache is virtual: an address is translated only on a miss, or if the trace annotates its translation.
  const bool again = was_served(line_, act::Trap::itb_miss) || was_served(line_, act::Trap::istream_access);
  const trace::TlbOutcome forced = notes != nullptr && !again ? notes->itlb : trace::TlbOutcome::unset;
  const bool there = memory_.has_code(pc);
  if (wrong) {
    if (!there && pc / page_bytes != wrong_page_) {
      source_ = Source::stopped;
      return false;
    }
  } else {
    wrong_page_ = pc / page_bytes;
    if (there && stimulus_.take_parity_error(pc)) {
      memory_.drop_code(pc);
      fault(pc, act::Trap::machine_check);
      return false;
    }
    const bool misses = forced == trace::TlbOutcome::walk || forced == trace::TlbOutcome::fault;
    const Translated translated = !there || misses ? translation_.code(request, forced) : Translated::hit;
    if (translated != Translated::hit) {
      fault(pc, translated == Translated::fault ? act::Trap::istream_access : act::Trap::itb_miss);
      return false;
    }
  }
  switch (memory_.fetch(request, wrong ? Forced{} : forced_code(notes))) {
    case Probe::hit:
      return true;
    case Probe::miss:
      fill_stream_ = true;
      waiting_for_ = pc;
      return false;
    case Probe::merged:
      waiting_for_ = pc;
      return false;
    case Probe::full:
      return false;
  }
  return false;
}

// An instruction whose fetch enters PALcode: it is in flight, but never mapped.
void FrontEnd::fault(std::uint64_t pc, act::Trap trap) {
  Program::Entry& entry = *program_.at(line_);
  Operation& operation = make(codes_.of(*entry.instruction.code), line_, false);
  operation.line = line_++;
  operation.next = pc;
  operation.trap = trap;
  operation.trap_at = agenda_.now() + pipeline_.itb_penalty - 1;
  (void)flight_.record(flight_.fetched - 1);  // while map_at says when it was fetched
  operation.map_at = activity::never;
  agenda_.at(operation.trap_at);
  source_ = Source::stopped;
}

void FrontEnd::scan() {
  const std::uint64_t start = pc_;
  const std::uint64_t block = block_of(pc_);
  const unsigned before = in_group_;
  while (block_of(pc_) == block && in_group_ < 4) {
    if (!scan_one()) break;
  }
  fill_stream_ = false;
  if (in_group_ == before || half_) return;
  // The line predictor gives the next block; the slot stage corrects a wrong prediction.
  if (source_ == Source::stopped || lines_.next(start) == pc_) return;
  lines_.train(start, pc_);
  resume_at_ = std::max(resume_at_, agenda_.now() + 1 + pipeline_.line_bubble);
}

// Returns false when the group ends.
bool FrontEnd::scan_one() {
  if (source_ == Source::wrong) {
    const trace::Code* found = program_.find(pc_);
    if (found == nullptr) {
      source_ = Source::stopped;
      return false;
    }
    const StaticCode& code = codes_.of(*found);
    return follow(make(code, machine_.own_id(), true));
  }
  const Program::Entry* const entry = pass_gate();
  if (entry == nullptr) return false;
  const trace::Instruction& instruction = entry->instruction;
  if (instruction.code->pc != pc_) return false;  // a directive has changed the address
  if (entry->accesses_registers())
    machine_.recorder.subscribe(activity::Subscription::everything());  // well before the access
  const StaticCode& code = codes_.of(*instruction.code);
  Operation& operation = make(code, line_, false);
  operation.line = line_++;
  operation.next = instruction.next_pc();
  operation.taken = instruction.taken;
  operation.notes = instruction.annotations;
  return follow(operation);
}

Operation& FrontEnd::push(const StaticCode& code) {
  Operation& operation = flight_.push();
  operation.code = &code;
  operation.rule = &pipe_rule(code.work);
  operation.history = directions_.history();
  operation.stack = returns_.top();
  operation.group = group_;
  operation.map_at = agenda_.now() + fetch_to_map;
  return operation;
}

Operation& FrontEnd::make(const StaticCode& code, std::uint64_t id, bool wrong_path) {
  const Sequence sequence = flight_.fetched;
  Operation& operation = push(code);
  operation.id = id;
  operation.wrong_path = wrong_path;
  operation.squashed = code.has(act::Kind::squashed);
  operation.pal = modes_.pal();
  operation.fill_stream = fill_stream_;
  if (machine_.recorder.names_some(code.kinds)) {
    make_with_record(operation, sequence);
  } else {
    machine_.recorder.occur(Signal::instruction_fetch);
  }
  ++in_group_;
  agenda_.changed();
  return operation;
}

void FrontEnd::make_with_record(const Operation& operation, Sequence sequence) {
  machine_.recorder.occur_first(
      Signal::instruction_fetch, flight_.fresh_record(sequence),
      [&operation](activity::InstructionRecord& record, act::Instruction& more) { describe(record, more, operation); });
}

void FrontEnd::note_fetch(Sequence sequence) {
  ++in_group_;
  machine_.recorder.occur(Signal::instruction_fetch, flight_.record(sequence));
  agenda_.changed();
}

// The second half of a conditional move is fetched in the cycle after the first.
void FrontEnd::make_second_half() {
  half_ = false;
  const Sequence sequence = flight_.fetched;
  const Operation first = flight_.at(sequence - 1);
  Operation& operation = flight_.at(flight_.fetched++);
  operation = first;
  operation.first = false;
  operation.last = true;
  operation.group = group_;
  operation.map_at = agenda_.now() + fetch_to_map;
  operation.mapped = false;
  operation.complete = operation.result = operation.issued = activity::never;
  operation.writes = operation.pending_count = 0;
  operation.ready = {};
  note_fetch(sequence);
}

// --- prediction ------------------------------------------------------------------------------------------

std::uint64_t FrontEnd::predict(Operation& operation, bool& taken) {
  using Branch = StaticCode::Branch;
  const StaticCode& code = *operation.code;
  const std::uint64_t fall_through = code.next();
  if (code.branch == Branch::conditional) {
    operation.direction = directions_.predict(code.pc);
    taken = operation.direction.taken;
    return taken ? code.target : fall_through;
  }
  taken = true;
  const bool computed = code.branch == Branch::computed || code.branch == Branch::computed_subroutine;
  const std::uint64_t next = code.pops_return() ? returns_.pop() : computed ? lines_.next(code.pc) : code.target;
  if (code.pushes_return()) returns_.push(fall_through);
  return next;
}

bool FrontEnd::follow_special(Operation& operation) {
  const StaticCode& code = *operation.code;
  if (code.has(act::Kind::conditional_move) && !code.has(act::Kind::squashed)) {
    operation.last = false;
    half_ = true;
    pc_ = code.next();
    return false;
  }
  if (!code.is_branch()) {
    pc_ = code.next();
    // PALcode, or emulation by the system: nothing is fetched until it has ended.
    const bool leaves = code.has(act::Kind::call_pal) || code.has(act::Kind::pal_return) || code.emulated;
    if (leaves) source_ = Source::stopped;
    return !leaves;
  }
  bool taken = false;
  std::uint64_t next = predict(operation, taken);
  bool wrong = false;
  if (!operation.wrong_path) {
    const trace::Annotations* notes = operation.notes;
    const trace::Mispredict forced = notes != nullptr ? notes->mispredict : trace::Mispredict::unset;
    if (forced == trace::Mispredict::none) {
      next = operation.next;
      taken = operation.taken;
    } else if (forced != trace::Mispredict::unset) {
      wrong = true;
      if (next == operation.next) next = operation.taken ? code.next() : code.target != 0 ? code.target : next;
      if (code.has(act::Kind::conditional_branch)) taken = !operation.taken;
    } else if (next != operation.next && program_.at(operation.line + 1) != nullptr) {
      wrong = true;
    } else {
      next = operation.next;
    }
  }
  if (code.has(act::Kind::conditional_branch)) directions_.follow(taken);
  operation.predicted_taken = taken;
  if (operation.recorded) flight_.record(flight_.fetched - 1).record.predicted_taken = taken;
  operation.mispredicted = wrong;
  pc_ = next;
  if (wrong) source_ = pipeline_.wrong_path != 0 ? Source::wrong : Source::stopped;
  return !taken && source_ != Source::stopped;
}

void FrontEnd::train(const Operation& operation) {
  const StaticCode& code = *operation.code;
  if (code.has(act::Kind::conditional_branch)) directions_.train(code.pc, operation.direction, operation.taken);
  if (code.has(act::Kind::jump)) lines_.train(code.pc, operation.next);
}

void FrontEnd::correct(const Operation& operation) {
  if (operation.code->has(act::Kind::conditional_branch)) {
    directions_.restore(operation.history);
    directions_.follow(operation.taken);
  }
}

// --- kills and redirections ------------------------------------------------------------------------------

void FrontEnd::kill(Sequence from) {
  if (from >= flight_.fetched) return;
  // An operation that is never mapped is the youngest. If an older one kills it before its trap is taken, the trap
  // occurs again.
  const Operation& youngest = flight_.at(flight_.fetched - 1);
  const bool faulted = youngest.map_at == activity::never && youngest.trap != act::Trap::none;
  if (faulted && !was_served(youngest.line, youngest.trap)) owed_.push_back({youngest.line, youngest.trap});
  const Operation& operation = flight_.at(from);
  half_ = false;  // its first half is the youngest
  directions_.restore(operation.history);
  returns_.restore(operation.stack);
  const bool starts_group = from == flight_.retired || flight_.at(from - 1).group != operation.group;
  group_ = operation.group + (starts_group ? 0 : 1);
  flight_.fetched = from;
  flight_.mapped = std::min(flight_.mapped, from);
}

void FrontEnd::redirect(std::uint64_t line, Cycle resume) {
  line_ = line;
  source_ = Source::trace;
  ended_ = at_closed_gate_ = half_ = fill_stream_ = false;
  waiting_for_.reset();
  resume_at_ = resume;
  agenda_.at(resume);
  agenda_.changed();
}

void FrontEnd::refetch_wrong(std::uint64_t pc, Cycle resume) {
  source_ = Source::wrong;
  pc_ = pc;
  fill_stream_ = false;
  waiting_for_.reset();
  resume_at_ = resume;
  agenda_.at(resume);
  agenda_.changed();
}

void FrontEnd::enter_flow(const Flow& flow, Cycle start) {
  flow_ = flow;
  made_up_ = 0;
  made_up_count_ = flow.instructions;
  // One instruction per cycle; the last one retires in the last cycle of the flow, or later if the flow is too short.
  const Cycle needs = pipeline_.integer_retire + flow.instructions;
  redirect(line_, start + (flow.cycles > needs ? flow.cycles - needs : 0));
  source_ = Source::flow;
}

void FrontEnd::enter_handler(unsigned instructions, std::uint64_t address, Cycle start) {
  made_up_ = 0;
  made_up_count_ = instructions;
  redirect(line_, start);
  source_ = Source::handler;
  pc_ = address;
}

void FrontEnd::fetch_made_up() {
  const Sequence sequence = flight_.fetched;
  Operation& operation = push(made_up_code_);
  Instruction& instruction = flight_.fresh_record(sequence);
  if (source_ == Source::flow) {
    operation.flow = true;
    make_pal_instruction(machine_, instruction, flow_, made_up_);
    if (made_up_ == 0 && flow_.table_miss != act::Trap::none) {
      operation.trap = flow_.table_miss;
      operation.trap_at = agenda_.now() + pipeline_.dtb_penalty - 1;
    }
  } else {
    operation.handler = true;
    describe(instruction, made_up_code_, machine_.own_id(), agenda_.now());
    instruction.record.ip = pc_ + 4 * std::uint64_t{made_up_};
    instruction.record.next_ip = instruction.record.ip + 4;
  }
  operation.flow_ends = ++made_up_ == made_up_count_;
  if (operation.flow_ends) source_ = Source::stopped;
  note_fetch(sequence);
}

void FrontEnd::served(std::uint64_t line, act::Trap trap) {
  if (line != served_line_) served_ = 0;
  served_line_ = line;
  served_ |= 1u << static_cast<unsigned>(trap);
}

}  // namespace pmusim::core::alpha::out_of_order
