#include "models/core/athlon/front_end.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

namespace {
constexpr std::uint64_t wrong_path_id = std::uint64_t{1} << 63;
constexpr std::uint64_t handler_id = std::uint64_t{1} << 62;
}  // namespace

FrontEnd::FrontEnd(Machine& machine, InFlight& flight, MemorySide& memory, Program& program, DirectiveGate& gate)
    : machine_(machine),
      flight_(flight),
      memory_(memory),
      program_(program),
      gate_(gate),
      codes_(machine.settings),
      prediction_(machine.settings),
      tlb_(settings_.itlb_entries, settings_.itlb2_entries, settings_.itlb2_ways) {}

// --- decode --------------------------------------------------------------------------------------------

void FrontEnd::decode() {
  if (line_count_ == lines_.size()) return;
  const Cycle now = agenda_.now();
  if (decode_free_ > now) {
    agenda_.at(decode_free_);
    return;
  }
  Sequence next = flight_.decoded;
  const Sequence end = flight_.fetched;
  if (next == end) return;
  if (const Cycle first = flight_.at(next).decode_at; first > now) {
    agenda_.at(first);
    return;
  }
  DispatchLine& line = lines_[line_count_];
  line.begin();
  bool full = false;
  while (!full && next < end) {
    Chunk& chunk = flight_.at(next);
    if (chunk.decode_at > now) break;
    if (!chunk.code->simple) {
      if (!decode_microcode(line, next, chunk)) break;
      full = (chunk.code->alone && chunk.last) || chunk.ends_line;
    } else {
      queue_bytes_ -= chunk.code->length;
      chunk.decoded = 1;
      line.add(next, 0, chunk);
      full = line.count == dispatch_width || chunk.ends_line;
    }
    ++next;
  }
  flight_.decoded = next;
  if (line.count == 0) return;
  line.ready = now + decode_to_dispatch;
  ++line_count_;
  agenda_.changed();
}

// Adds macro-operations of an instruction that may need more than one, or a line of its own. False: some are left.
bool FrontEnd::decode_microcode(DispatchLine& line, Sequence sequence, Chunk& chunk) {
  const unsigned operations = chunk.operations();
  std::uint8_t decoded = chunk.decoded;
  // The microcode of a repeated instruction fills its lines across iterations.
  const bool continues = line.count != 0 && !chunk.first;
  if (line.count != 0 && !continues && (chunk.code->alone || line.count + operations > dispatch_width)) return false;
  if (decoded == 0 && chunk.first) queue_bytes_ -= chunk.code->length;
  while (line.count < dispatch_width && decoded < operations) line.add(sequence, decoded++, chunk);
  chunk.decoded = decoded;
  if (decoded < operations) return false;
  if (chunk.code->decode_halves != 0) hold_decoder(*chunk.code);
  return true;
}

// Microcode whose lines are filled only in part, and prefixes, keep the decoder after the last line of an instruction.
void FrontEnd::hold_decoder(const StaticCode& code) {
  const unsigned halves = code.decode_halves + (odd_half_ ? 1 : 0);
  odd_half_ = halves % 2 != 0;
  decode_free_ = agenda_.now() + 1 + halves / 2;
  works_from_ = agenda_.now() + decode_to_dispatch;
  works_until_ = decode_free_ + decode_to_dispatch;
}

void FrontEnd::count_needs() {
  for (std::size_t i = 0; i < line_count_; ++i) {
    const DispatchLine line = lines_[i];
    lines_[i].begin();
    for (unsigned k = 0; k < line.count; ++k) {
      const auto [sequence, operation] = line.parts[k];
      lines_[i].add(sequence, operation, flight_.at(sequence));
    }
  }
}

// --- fetch -----------------------------------------------------------------------------------------------

void FrontEnd::poll_gate() {
  if (!at_closed_gate_ || gate_.pass(program_.directives_at(line_), true) != Gate::open) return;
  at_closed_gate_ = false;
  source_ = Source::trace;
  needs_window_ = false;
  agenda_.changed();
}

void FrontEnd::fetch() {
  delivered_ = false;
  if (ended_ || source_ == Source::stopped) return;
  if (resume_at_ > agenda_.now()) {
    agenda_.at(resume_at_);
    return;
  }
  if (waiting_fill_ >= 0) {
    if ((memory_.code_arrived() >> waiting_fill_ & 1u) == 0) return;
    waiting_fill_ = -1;
    delivered_ = true;
    fetched_end_ = (window_pc_ & ~(window_bytes - 1)) + window_bytes;
    window_pc_ = fetched_end_;
    scan();
    return;
  }
  if (!needs_window_) scan();  // the rest of earlier windows: iterations, or code after a gate
  if (ended_ || source_ == Source::stopped || resume_at_ > agenda_.now() || repeating_ || at_closed_gate_) return;
  if (fetch_window()) {
    delivered_ = true;
    scan();
  }
}

// The request for the window at window_pc_, unless it is there.
void FrontEnd::make_request() {
  if (!has_request()) memory_.start_request(request_, window_pc_, static_cast<std::uint32_t>(window_bytes));
  request_.record.wrong_path = source_ == Source::wrong || source_ == Source::lost;
}

bool FrontEnd::translate() {
  const Cycle now = agenda_.now();
  const std::uint64_t page = window_pc_ / page_bytes;
  if (page != page_) {
    const auto* const forced = notes();
    const unsigned level = tlb_.level_of(page, forced != nullptr ? forced->itlb : trace::TlbOutcome::unset);
    page_ = page;
    translated_at_ = now;
    fill_due_ = false;
    if (level != 1) {
      const bool second = level == 2;
      agenda_.changed();
      make_request();
      machine_.recorder.occur(Signal::translation, request_, second ? d::tlb_second_level_hit : d::tlb_walk);
      translated_at_ = now + (second ? settings_.itlb2_latency : settings_.itlb_walk);
      if (!second) {
        memory_.walk(window_pc_, false, false);
        if (!settings_.drops_redirected_walks) tlb_.second.fill(page);
      }
      fill_due_ = settings_.drops_redirected_walks;
      if (!fill_due_) tlb_.first.fill(page);
      machine_.recorder.set(State::table_walk, machine_.recorder.get(State::table_walk) | (second ? 0u : 1u));
    }
  }
  if (translated_at_ > now) {
    agenda_.at(translated_at_);
    return false;
  }
  if (fill_due_) {
    fill_due_ = false;
    if (!tlb_.second.lookup(page)) tlb_.second.fill(page);
    tlb_.first.fill(page);
  }
  machine_.recorder.set(State::table_walk, machine_.recorder.get(State::table_walk) & ~std::uint64_t{1});
  return true;
}

bool FrontEnd::fetch_window() {
  // Two windows are in the stages between fetch and the queue; one more may follow in each clock while there is room.
  const unsigned room = settings_.queue_bytes + 2 * static_cast<unsigned>(window_bytes);
  if (queue_bytes_ + lost_bytes_ + window_bytes > room || flight_.full()) return false;
  if (!translate()) return false;
  const auto* const annotations = notes();
  const trace::Level forced = annotations != nullptr ? annotations->fetch : trace::Level::unset;
  const std::uint64_t physical = machine_.map.translate(window_pc_);
  Probe probe{Outcome::hit};
  if (forced != trace::Level::unset || has_request() || !memory_.fetch_unobserved(window_pc_, physical)) {
    make_request();
    request_.record.start = agenda_.now();
    probe = memory_.probe_code(window_pc_, physical, request_, request_.record.wrong_path, forced);
  }
  if (probe.outcome == Outcome::stall) return false;
  request_.record.size = 0;  // the next window is a new request
  if (probe.outcome != Outcome::hit) {
    waiting_fill_ = probe.fill;
    return false;
  }
  fetched_end_ = (window_pc_ & ~(window_bytes - 1)) + window_bytes;
  window_pc_ = fetched_end_;
  return true;
}

void FrontEnd::scan() {
  while (true) {
    bool more = false;
    switch (source_) {
      case Source::trace:
        do {
          more = scan_trace();
        } while (more && source_ == Source::trace);
        break;
      case Source::wrong:
        scan_wrong();
        return;
      case Source::handler:
        more = scan_handler();
        break;
      case Source::lost:
        lost_bytes_ += static_cast<unsigned>(window_bytes);
        return;
      case Source::stopped:
        return;
    }
    if (!more) return;
    agenda_.changed();
  }
}

bool FrontEnd::scan_trace() {
  Program::Entry* entry = program_.at(line_);
  if (entry == nullptr || entry->directives.due()) return scan_gate();
  const trace::Instruction& instruction = entry->instruction;
  if (!started_ || scan_pc_ != instruction.code->pc) {
    // The start of the trace, or a discontinuity caused by a directive.
    started_ = true;
    go_to(instruction.code->pc);
    page_ = ~std::uint64_t{0};
    return false;
  }
  if (!repeating_ && !has_bytes(instruction.code->length)) return false;
  if (flight_.full()) return false;
  if (entry->accesses_registers()) {
    machine_.recorder.subscribe(activity::Subscription::everything());  // well before the access
  }
  const bool iteration = repeating_;
  const StaticCode& code = codes_.of(*instruction.code);
  Chunk& chunk = make(code, false);
  chunk.line = line_++;
  chunk.entry = entry;
  chunk.accesses = static_cast<std::uint16_t>(instruction.accesses.size());
  chunk.first = !iteration;
  if (iteration) {
    Chunk& before = flight_.at(flight_.fetched - 2);
    flight_.record(before);  // is the record of all iterations
    chunk.id = before.id;
    chunk.record = before.record;
    chunk.recorded = true;
  } else {
    name(chunk, next_id_++);
  }
  chunk.next = static_cast<std::uint32_t>(instruction.next_pc());
  chunk.taken = instruction.taken;
  chunk.last = !trace::goes_on(instruction, code.repeats);
  repeating_ = !chunk.last;
  if (repeating_) return false;  // one iteration per clock
  if (!iteration || code.is_branch) return follow(chunk);
  scan_pc_ = chunk.next;
  return true;
}

// Fetch is before directives, or after the last instruction.
bool FrontEnd::scan_gate() {
  ended_ = program_.ends_at(line_);
  if (ended_) {
    agenda_.changed();
    return false;
  }
  if (at_closed_gate_) return false;
  const Gate gate = gate_.pass(program_.directives_at(line_), false);
  agenda_.changed();
  if (gate == Gate::open) return true;
  at_closed_gate_ = true;
  if (gate == Gate::run_ahead && settings_.wrong_path) {
    source_ = Source::wrong;
    return true;
  }
  return false;
}

void FrontEnd::scan_wrong() {
  const StaticCode* code = nullptr;
  while (true) {
    const StaticCode* const before = code;
    code = before != nullptr ? code_after(*before) : find_code(scan_pc_);
    if (code == nullptr) {
      source_ = Source::lost;
      return;
    }
    if (!has_bytes(code->length) || flight_.full()) return;
    Chunk& chunk = make(*code, true);
    chunk.accesses = code->absolute_accesses;
    name(chunk, wrong_path_id | next_wrong_id_++);
    if (!follow(chunk)) return;
  }
}

bool FrontEnd::scan_handler() {
  if (handler_next_ == handler_codes_.size()) {
    source_ = Source::stopped;
    return false;
  }
  const StaticCode& code = handler_codes_[handler_next_];
  if (scan_pc_ + code.length > fetched_end_ || flight_.full()) return false;
  ++handler_next_;
  Chunk& chunk = make(code, false);
  chunk.handler = true;
  chunk.next = code.pc + code.length;
  name(chunk, handler_id | next_handler_id_++);
  scan_pc_ = chunk.next;
  return true;
}

Chunk& FrontEnd::make(const StaticCode& code, bool wrong_path) {
  agenda_.changed();
  Chunk& chunk = flight_.push();
  chunk.code = &code;
  chunk.before = prediction_.state();
  chunk.decode_at = agenda_.now() + fetch_to_decode;
  chunk.wrong_path = wrong_path;
  code_lines_.add(code);
  return chunk;
}

// For a chunk that is not a further iteration of the chunk before it.
void FrontEnd::name(Chunk& chunk, std::uint64_t id) {
  chunk.id = id;
  chunk.record = flight_.next_record++;
  queue_bytes_ += chunk.code->length;
}

bool FrontEnd::follow_branch(Chunk& chunk) {
  const StaticCode& code = *chunk.code;
  const Cycle now = agenda_.now();
  const Prediction prediction = prediction_.predict(code);
  bool predicted_taken = prediction.taken;
  chunk.counter = prediction.counter;
  if (prediction.stack_detail != 0) {
    machine_.recorder.occur(Signal::return_stack, flight_.record(chunk), prediction.stack_detail);
  }
  std::uint64_t next = prediction.next;
  bool wrong = chunk.wrong_path;
  if (!chunk.wrong_path) {
    const trace::Annotations* notes = chunk.entry->instruction.annotations;
    const trace::Mispredict forced = notes != nullptr ? notes->mispredict : trace::Mispredict::unset;
    if (forced == trace::Mispredict::none) next = chunk.next, predicted_taken = chunk.taken;
    if (code.far_transfer) {
      // Not predicted: fetch continues on the sequential path until it retires.
      wrong = chunk.transfers();
    } else if (forced == trace::Mispredict::path || forced == trace::Mispredict::target) {
      chunk.mispredicted = wrong = true;
      if (next == chunk.next) next = chunk.taken ? code.pc + code.length : code.has_target ? code.target : next;
    } else if (const Program::Entry* const after = next != chunk.next ? program_.at(chunk.line + 1) : nullptr;
               after != nullptr) {
      peeked_codes_ = after->instruction.code->id + 1;
      chunk.mispredicted = wrong = true;
    } else {
      next = chunk.next;
    }
  }
  chunk.ends_line = predicted_taken;
  if (chunk.recorded) flight_.record(chunk).record.predicted_taken = predicted_taken;
  if (next == code.pc + code.length && !predicted_taken) {
    scan_pc_ = next;
  } else {
    go_to(next);
    page_ = ~std::uint64_t{0};
    resume_at_ = now + 1 + (prediction.late ? settings_.decode_redirect : settings_.taken_bubble);
  }
  if (!chunk.wrong_path && wrong) source_ = settings_.wrong_path ? Source::wrong : Source::stopped;
  return resume_at_ <= now && source_ != Source::stopped;
}

// --- kills and redirections ------------------------------------------------------------------------------

void FrontEnd::redirect(std::uint64_t line, Cycle resume) {
  line_ = line;
  source_ = Source::trace;
  ended_ = false;
  at_closed_gate_ = false;
  waiting_fill_ = -1;
  started_ = false;  // the scan stage takes the address from the trace
  needs_window_ = false;
  page_ = ~std::uint64_t{0};
  request_.record.size = 0;
  lost_bytes_ = 0;
  resume_at_ = resume;
  translated_at_ = 0;
  machine_.recorder.set(State::table_walk, machine_.recorder.get(State::table_walk) & ~std::uint64_t{1});
  agenda_.at(resume);
  agenda_.changed();
}

void FrontEnd::enter_handler(unsigned instructions, Cycle resume) {
  handler_codes_.clear();
  handler_codes_.reserve(instructions);
  for (unsigned i = 0; i < instructions; ++i) {
    handler_codes_.push_back(codes_.handler(settings_.handler + 4 * std::uint64_t{i}, i + 1 == instructions));
  }
  handler_next_ = 0;
  // An instruction interrupted between its iterations continues with the remaining ones.
  if (repeating_) --next_id_;
  repeating_ = false;
  redirect(line_, resume);
  source_ = Source::handler;
  go_to(settings_.handler);
}

void FrontEnd::kill(Sequence from) {
  for (Sequence s = std::max(from, flight_.decoded); s < flight_.fetched; ++s) {
    const Chunk& chunk = flight_.at(s);
    if (chunk.first && chunk.decoded == 0) queue_bytes_ -= chunk.code->length;
  }
  for (Sequence s = from; s < flight_.fetched; ++s) forget(flight_.at(s));
  for (; line_count_ != 0; --line_count_) {
    DispatchLine& line = lines_[line_count_ - 1];
    while (line.count != 0 && line.parts[line.count - 1].sequence >= from) --line.count;
    if (line.count != 0) break;
  }
  count_needs();
  if (from >= flight_.fetched) return;
  const Chunk& chunk = flight_.at(from);
  prediction_.restore(chunk.before);
  decode_free_ = works_until_ = 0;
  flight_.next_record = chunk.first ? chunk.record : chunk.record + 1;
  repeating_ = !chunk.first;
  if (chunk.line != no_line) next_id_ = chunk.id + (chunk.first ? 0 : 1);
  flight_.fetched = from;
  flight_.decoded = std::min(flight_.decoded, from);
  flight_.dispatched = std::min(flight_.dispatched, from);
}

}  // namespace pmusim::core::athlon
