#include "models/core/athlon/core.h"

#include <utility>

#include "models/core/athlon/athlon.h"
#include "models/core/athlon/in_flight.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;
namespace hold = activity::dispatch_hold;

AthlonCore::AthlonCore(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters)
    : machine_(parameters),
      program_(std::move(trace)),
      memory_(machine_),
      window_(machine_, flight_, *this),
      load_store_(machine_, flight_, memory_, window_, *this),
      front_(machine_, flight_, memory_, program_, *this) {}

// --- the clock -------------------------------------------------------------------------------------------

void AthlonCore::start() {
  machine_.recorder.set(State::clock, 1);
  machine_.recorder.set(State::cpl, mode_.cpl);
  machine_.recorder.set(State::interrupt_flag, mode_.interrupt_flag ? 1 : 0);
  set_bus_ratio(machine_.settings.bus_halves, 2);
}

void AthlonCore::step() {
  machine_.agenda.start(now_);
  machine_.recorder.begin_cycle(now_);
  if ((clock_stopped_until_ | idle_until_ | pin_until_) != 0) update_timers();
  if (clock_stopped_until_ > now_) {
    machine_.agenda.at(clock_stopped_until_);
    return;
  }
  memory_.begin_cycle();
  if (own_interrupt_due_) enter_own_handler();
  front_.poll_gate();
  if (resolving_.next() <= now_) resolve_branches();
  machine_.agenda.at(resolving_.next());
  if (entry_operations_left_ != 0) retire_entry();
  retire();
  load_store_.step();
  window_.issue();
  if (window_.records_progress()) window_.record_progress();
  dispatch();
  front_.decode();
  front_.fetch();
  memory_.end_cycle();
  machine_.recorder.show(State::fetch_stall, front_.delivered() || front_.ended() ? 0 : 1);
  if (front_.ended() && at_rest() && !memory_.quiet()) memory_.flush_write_buffers();
}

// --- dispatch --------------------------------------------------------------------------------------------

void AthlonCore::dispatch() {
  const DispatchLine* line = front_.offered();
  machine_.recorder.show(State::decoder_empty, line == nullptr && !front_.decodes() ? 1 : 0);
  std::uint64_t causes = 0;
  if (line != nullptr) {
    causes = hold_causes(*line);
  } else if (machine_.settings.names_standing_causes) {
    causes = standing_causes();
  }
  machine_.recorder.show(State::dispatch_hold, causes);
  if (line == nullptr || causes != 0) return;
  dispatch_line(*line);
  front_.take_line();
  machine_.agenda.changed();
}

std::uint64_t AthlonCore::hold_causes(const DispatchLine& line) {
  std::uint64_t causes = window_.lacks_room(line);
  if (line.accesses != 0 && !load_store_.has_room(line.accesses)) causes |= hold::load_store_full;
  if (line.parts[0].operation == 0) {
    const Chunk& first = flight_.at(line.parts[0].sequence);
    if (first.code->serializing && !(window_.empty() && load_store_.empty() && !memory_.fills_pending())) {
      causes |= hold::all_quiet;
    }
    causes |= standing_causes();
  }
  return causes;
}

// The causes that prevent any instruction from dispatching.
std::uint64_t AthlonCore::standing_causes() {
  std::uint64_t causes = 0;
  if (serializing_ != 0) causes |= hold::serialize;
  if (far_ != 0 || resync_ != 0) causes |= hold::far_or_resync;
  if (aborted_ != 0) causes |= hold::branch_abort;
  if (segment_ != 0 || segment_until_ > machine_.agenda.now()) {
    causes |= hold::segment_load;
    if (segment_ == 0) machine_.agenda.at(segment_until_);
  }
  return causes;
}

void AthlonCore::dispatch_line(const DispatchLine& line) {
  std::array<std::uint8_t, dispatch_width> accesses{};
  for (unsigned i = 0; i < line.count; ++i) {
    const auto [sequence, operation] = line.parts[i];
    Chunk& chunk = flight_.at(sequence);
    if (operation == 0) begin(sequence, chunk);
    accesses[i] = accesses_of(chunk, operation);
  }
  window_.dispatch(line, accesses);
}

void AthlonCore::begin(Sequence sequence, Chunk& chunk) {
  const StaticCode& code = *chunk.code;
  flight_.begin_dispatch(chunk);
  if (chunk.first) occur(Signal::dispatch, chunk);
  if (chunk.accesses != 0 && chunk.wrong_path) {
    chunk.loads_left = code.absolute_loads ? 1 : 0;
    load_store_.dispatch_absolute(sequence);
  } else if (chunk.accesses != 0) {
    for (const trace::Access& access : chunk.entry->accesses) chunk.loads_left += access.store ? 0 : 1;
    load_store_.dispatch(sequence, chunk.entry->instruction);
  } else if (code.has(activity::Trait::load)) {
    chunk.loads_left = 1;  // a load without a known address takes as long as a hit
  }
  if (code.serializing) ++serializing_;
  if (code.far_transfer) ++far_;
  if (code.segment >= 0 && !code.far_transfer) segment_ = sequence + 1;
}

// Access i belongs to macro-operation i, or the last one.
std::uint8_t AthlonCore::accesses_of(const Chunk& chunk, unsigned operation) {
  if (chunk.accesses == 0) return operation == 0 && chunk.code->touches_memory ? 1 : 0;
  if (operation >= chunk.accesses) return 0;
  return static_cast<std::uint8_t>(operation + 1 < chunk.operations() ? 1 : chunk.accesses - operation);
}

// --- execution -------------------------------------------------------------------------------------------

void AthlonCore::executes(Sequence sequence, Cycle result) {
  Chunk& chunk = flight_.at(sequence);
  const StaticCode& code = *chunk.code;
  if (code.segment >= 0) {
    machine_.recorder.occur(Signal::segment_load, flight_.record(chunk), static_cast<std::uint16_t>(code.segment));
    if (segment_ == sequence + 1) {
      segment_ = 0;
      segment_until_ = result;
    }
  }
  if (code.is_branch && !code.far_transfer && !chunk.wrong_path) {
    resolving_.add(result, sequence);
    machine_.agenda.at(result);
  }
}

void AthlonCore::resolve_branches() {
  const Cycle now = machine_.agenda.now();
  while (const std::optional<Sequence> due = resolving_.take(now)) {
    const Sequence sequence = *due;
    Chunk& chunk = flight_.at(sequence);
    NamedInstruction& record = flight_.record(chunk);
    const bool conditional = chunk.code->has(activity::Trait::conditional);
    const bool taken = chunk.taken || !conditional;
    const auto outcome = [&](InstructionRecord& r) {
      r.taken = taken;
      r.mispredicted = chunk.mispredicted;
      r.next_ip = chunk.next;
    };
    const std::uint32_t place = machine_.recorder.revise_for(record, outcome, Signal::branch_resolved);
    std::uint16_t detail = d::branch_predicted;
    if (!chunk.mispredicted) detail |= d::branch_correct;
    if (conditional) detail |= d::branch_conditional;
    if (taken) detail |= d::branch_taken;
    if (record.record.predicted_taken) detail |= d::branch_predicted_taken;
    machine_.recorder.occur_of(place, Signal::branch_resolved, detail);
    if (!chunk.mispredicted || (in_handler_ && !chunk.handler)) continue;
    kill(sequence + 1);
    if (conditional) front_.prediction().correct_history(chunk.before, chunk.taken);
    aborted_ = sequence + 1;
    front_.redirect(chunk.line + 1, now + machine_.settings.mispredict_penalty - front_depth);
  }
}

void AthlonCore::kill(Sequence from) {
  for (Sequence s = from; s < flight_.dispatched; ++s) {
    Chunk& chunk = flight_.at(s);
    if (chunk.first) occur(Signal::kill, chunk);
    if (chunk.code->serializing) --serializing_;
    if (chunk.code->far_transfer) --far_;
  }
  if (aborted_ > from) aborted_ = 0;
  if (resync_ > from) resync_ = 0;
  if (segment_ > from) segment_ = 0;
  resolving_.kill(from);
  window_.kill(from);
  load_store_.kill(from);
  front_.kill(from);
  machine_.agenda.changed();
}

// --- stores into code --------------------------------------------------------------------------------------

Sequence AthlonCore::code_in_flight(std::uint64_t physical, std::uint64_t size, Sequence from) {
  for (Sequence s = from; s < flight_.fetched; ++s) {
    const StaticCode& code = *flight_.at(s).code;
    const std::uint64_t begin = machine_.map.translate(code.pc);
    if (begin < physical + size && physical < begin + code.length) return s + 1;
  }
  return 0;
}

void AthlonCore::store_probed(Sequence sequence, std::uint64_t address, unsigned size, NamedRequest& request) {
  if (!front_.may_hold_code(address) && !front_.may_hold_code(address + size - 1)) return;
  if (code_in_flight(machine_.map.translate(address), size, sequence + 1) == 0) return;
  machine_.recorder.occur(Signal::code_store, request);
  flight_.at(sequence).resyncs = true;
  if (resync_ == 0) resync_ = sequence + 1;
}

void InFlight::grow() {
  const std::size_t mask = chunks_.size() * 2 - 1;
  std::vector<Chunk> chunks(mask + 1);
  std::vector<Cycle> results(2 * (mask + 1));
  std::vector<NamedInstruction> records(mask + 1);
  for (Sequence s = retired; s != fetched; ++s) {
    Chunk& chunk = at(s);
    chunks[s & mask] = chunk;
    for (const unsigned i : {0u, 1u}) results[(s & mask) * 2 + i] = result(s, i);
    if (chunk.recorded) records[chunk.record & mask] = record(chunk);
  }
  chunks_ = std::move(chunks);
  results_ = std::move(results);
  records_ = std::move(records);
  mask_ = mask;
}

}  // namespace pmusim::core::athlon

namespace pmusim::core {

template class SteppedCore<athlon::AthlonCore>;

std::unique_ptr<Core> make_athlon(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters) {
  require_isa(*trace, trace::Isa::i386, "athlon");
  return std::make_unique<athlon::AthlonCore>(std::move(trace), parameters);
}

}  // namespace pmusim::core
