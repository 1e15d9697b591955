// The state of the pipeline that replay compares and restores.
#include "models/core/athlon/core.h"
#include "models/core/parts/state_archive.h"

namespace pmusim::core::athlon {

/// True if nothing outside the state is in flight, so that the state determines the activity that follows.
bool Replay::eligible() const {
  AthlonCore& c = core_;
  const FrontEnd& f = c.front_;
  const LoadStore& l = c.load_store_;
  if (!c.memory_.quiet() || !BlockDelta::possible(c.machine_.recorder, c.next_step_)) return false;
  if ((c.clock_stopped_until_ | c.idle_until_ | c.pin_until_) != 0 || c.in_handler_ || c.own_interrupt_due_ ||
      c.entry_operations_left_ != 0 || c.serializing_ != 0 || c.far_ != 0 || c.resync_ != 0 || c.segment_ != 0 ||
      c.last_was_interrupt_return_) {
    return false;
  }
  if (f.ended_ || f.at_closed_gate_ || f.waiting_fill_ >= 0 || f.repeating_ || f.fill_due_ ||
      f.request_.record.size != 0 || f.source_ == FrontEnd::Source::handler) {
    return false;
  }
  if (!l.waiting_.empty() || !c.window_.starting_.empty()) return false;
  for (const auto* list : {&l.stores_, &l.to_probe_, &l.held_}) {
    for (const LoadStore::Index i : *list) {
      const LoadStore::Entry& e = l.entries_[i];
      if (e.fills != 0 || e.missed || e.prefetch || e.wrong_path || e.type != MemoryType::write_back ||
          e.forced_latency != 0 || e.forced_level != trace::Level::unset || e.forced_tlb != trace::TlbOutcome::unset ||
          (!e.probed && e.request.record.size != 0)) {
        return false;
      }
    }
  }
  for (Sequence s = c.flight_.retired; s != c.flight_.fetched; ++s) {
    const Chunk& chunk = c.flight_.at(s);
    if (chunk.code->special || chunk.code->repeats || chunk.code->prefetches || chunk.code->segment >= 0 ||
        chunk.handler || chunk.resyncs || !chunk.first || !chunk.last || (chunk.wrong_path && chunk.accesses != 0) ||
        (chunk.entry != nullptr && chunk.entry->instruction.annotations != nullptr)) {
      return false;
    }
  }
  return true;
}

void Replay::list_load_store() {
  const LoadStore& l = core_.load_store_;
  order_.clear();
  position_.resize(l.entries_.size());
  const auto add = [&](LoadStore::Index i) {
    position_[i] = static_cast<std::uint16_t>(order_.size());
    order_.push_back(i);
  };
  for (const auto i : l.stores_) add(i);
  for (const auto i : l.to_probe_) {
    if (!l.entries_[i].store) add(i);
  }
  for (const auto i : l.held_) add(i);
}

template <class A>
void Replay::describe_chunk(A& a, const Bases& b, Chunk& chunk, std::uint64_t sequence) {
  AthlonCore& c = core_;
  InFlight& flight = c.flight_;
  const Recorder& recorder = c.machine_.recorder;
  std::uint32_t id = 0;
  if constexpr (A::writes) {
    id = chunk.code->id;
  } else {
    renew(chunk);
  }
  a.number(id);
  a.flags(chunk.wrong_path, chunk.taken, chunk.mispredicted, chunk.ends_line, chunk.recorded);
  if constexpr (!A::writes) {
    chunk.code = &c.front_.codes_.known(id);
    c.front_.code_lines_.add(*chunk.code);
  }
  if (!chunk.wrong_path) {
    a.from(chunk.line, b.line);
    if constexpr (!A::writes) chunk.entry = c.program_.at(chunk.line);
    a.number(chunk.next);
  }
  std::uint32_t history = chunk.before.history & c.front_.prediction_.history_mask();
  a.number(history);
  chunk.before.history = history;
  a.number(chunk.before.stack_top);
  a.number(chunk.before.stack_live);
  a.cycle(chunk.decode_at);
  if (chunk.code->is_branch) a.number(chunk.counter);
  a.from(chunk.id, chunk.wrong_path ? b.wrong_id : b.id);
  std::uint32_t record = b.record - chunk.record;
  a.number(record);
  chunk.record = b.record - record;
  a.number(chunk.accesses);
  a.number(chunk.decoded);
  a.number(chunk.retired);
  if (sequence < flight.dispatched) {
    if constexpr (!A::writes) chunk.begin_dispatch();
    a.flags(chunk.stores, chunk.issued);
    a.number(chunk.dispatched);
    a.number(chunk.loads_left);
    a.number(chunk.parts_left);
    a.due(chunk.data_ready);
    a.due(chunk.finish);
    a.from(chunk.reorder, b.place);
    a.number(chunk.stack);
    for (Awaited* awaited : {&chunk.address, &chunk.data}) {
      a.due(awaited->ready);
      awaited->count = static_cast<std::uint8_t>(a.count(awaited->count));
      for (unsigned i = 0; i < awaited->count; ++i) {
        std::uint16_t back = awaited->producers[i].back, second = awaited->producers[i].second;
        a.number(back);
        a.number(second);
        awaited->producers[i] = {back, second};
      }
    }
    a.cycle(flight.result(sequence));
    if (chunk.code->second_results != 0) a.cycle(flight.result(sequence, 1));
  }
  if (sequence >= flight.dispatched && !chunk.wrong_path) {  // its accesses have not entered the load-store unit
    for (std::size_t i = 0; i < chunk.accesses; ++i) {
      const trace::Instruction& in = chunk.entry->instruction;
      std::uint16_t size = in.accesses[i].size;
      bool store = in.accesses[i].store, update = Tape::updates(in, i);
      a.number(size);
      a.flags(store, update);
    }
  }
  if (!chunk.recorded) return;
  // its record, and the position of the record in the block
  if constexpr (!A::writes) {
    chunk.recorded = false;
    flight.record(chunk);
  }
  NamedInstruction& named = flight.record(chunk);
  InstructionRecord& r = named.record;
  a.number(r.next_ip);
  a.number(r.operations);
  a.flags(r.predicted_taken, r.taken, r.mispredicted);
  std::uint64_t place = A::writes ? BlockDelta::place_from_end(recorder, named) : 0;
  a.number(place);
  if constexpr (A::writes) {
    if (place != 0) {
      InstructionRecord there = BlockDelta::in_block(recorder, named);
      a.number(there.next_ip);
      a.number(there.operations);
      a.flags(there.predicted_taken, there.taken, there.mispredicted);
    }
  } else {
    BlockDelta::set_place_from_end(recorder, named, place);
    if (place != 0) {
      InstructionRecord there;
      a.number(there.next_ip);
      a.number(there.operations);
      a.flags(there.predicted_taken, there.taken, there.mispredicted);
    }
  }
}

template <class A>
void Replay::describe_window(A& a, const Bases& b) {
  Window& w = core_.window_;
  if constexpr (!A::writes) {
    w.head_ = b.place;
    w.line_ = b.dispatch_line;
  }
  a.from(w.tail_, b.place);
  for (std::uint64_t p = w.head_; p != w.tail_; ++p) {
    Window::Entry& e = w.entry(p);
    Cycle done = e.done + 1;  // it retires in the following cycle
    a.due(done);
    e.done = done - 1;
    a.from(e.sequence, b.sequence);
    std::uint32_t line = b.dispatch_line - e.line;
    a.number(line);
    e.line = b.dispatch_line - line;
    a.number(e.parts);
    a.flags(e.is_double);
  }
  const auto waiting = [&](std::vector<Window::Waiting>& list) {
    list.resize(a.count(list.size()));
    for (Window::Waiting& x : list) {
      a.from(x.sequence, b.sequence);
      a.from(x.place, b.place);
      a.due(x.earliest);
      a.number(x.operation);
      a.flags(x.address, x.execute);
      a.number(x.back);
      a.flags(x.second);
    }
  };
  for (auto& station : w.stations_) waiting(station);
  waiting(w.fp_);
  for (Releasing& released : w.released_) released.describe(a, b.cycle);
  for (std::size_t r = 0; r < w.writers_.size(); ++r) {
    std::uint64_t writer = w.writers_[r] <= b.sequence ? 0 : w.writers_[r] - b.sequence;
    a.number(writer);
    w.writers_[r] = writer == 0 ? 0 : b.sequence + writer;
    if (writer != 0) a.number(w.second_[r]);
  }
  a.number(w.stack_);
  w.finishing_.resize(a.count(w.finishing_.size()));
  for (Window::Finish& f : w.finishing_) {
    a.due(f.at);
    a.from(f.sequence, b.sequence);
  }
  for (Cycle& free : w.unit_free_) a.due(free);
  for (Cycle& free : w.fp_pipe_free_) a.due(free);
}

template <class A>
void Replay::describe_load_store(A& a, const Bases& b) {
  LoadStore& l = core_.load_store_;
  const std::size_t entries = a.count(order_.size());
  if constexpr (!A::writes) {
    l.entries_.clear();
    l.free_.clear();
    l.entries_.resize(entries);
    l.occupied_ = entries;
    l.store_words_.fill(0);
    order_.resize(entries);
    position_.resize(entries);
    for (std::size_t i = 0; i < entries; ++i) order_[i] = position_[i] = static_cast<std::uint16_t>(i);
  }
  for (std::size_t i = 0; i < entries; ++i) {
    LoadStore::Entry& e = l.entries_[order_[i]];
    a.from(e.sequence, b.sequence);
    a.due(e.probe_at);
    if (e.probe_at != activity::never) a.from(e.place, b.place);
    a.due(e.translated_at);
    a.number(e.size);
    a.number(e.operation);
    a.number(e.kind);
    a.flags(e.store, e.high_byte, e.update, e.first_half_done, e.probed, e.retired, e.forwards);
    a.number(e.pages_translated);
    std::uint32_t awaited = e.awaited == LoadStore::no_store ? 0 : position_[e.awaited] + 1u;
    a.number(awaited);
    if constexpr (!A::writes) {
      e.awaited = awaited == 0 ? LoadStore::no_store : static_cast<LoadStore::Index>(awaited - 1);
      e.address = carried_[i];
      e.physical = core_.machine_.map.translate(e.address);
      e.type = core_.machine_.map.type(e.physical);
      if (e.store) l.count_store(e, 1);
    }
  }
  const auto list = [&](std::vector<LoadStore::Index>& indices) {
    indices.resize(a.count(indices.size()));
    for (LoadStore::Index& index : indices) {
      std::uint16_t at = A::writes ? position_[index] : 0;
      a.number(at);
      if constexpr (!A::writes) index = at;
    }
  };
  list(l.stores_);
  list(l.to_probe_);
  list(l.held_);
  a.due(l.walk_until_);
}

template <class A>
void Replay::describe_front(A& a, const Bases& b) {
  FrontEnd& f = core_.front_;
  f.line_count_ = a.count(f.line_count_);
  for (std::size_t i = 0; i < f.line_count_; ++i) {
    DispatchLine& line = f.lines_[i];
    line.count = static_cast<unsigned>(a.count(line.count));
    for (unsigned p = 0; p < line.count; ++p) {
      a.from(line.parts[p].sequence, b.sequence);
      a.number(line.parts[p].operation);
    }
    a.due(line.ready);
  }
  if constexpr (!A::writes) f.count_needs();
  a.number(f.source_);
  if constexpr (!A::writes) f.line_ = b.line;
  a.number(f.scan_pc_);
  a.number(f.window_pc_);
  a.number(f.fetched_end_);
  a.number(f.page_);
  a.due(f.resume_at_);
  a.due(f.translated_at_);
  a.number(f.queue_bytes_);
  a.number(f.lost_bytes_);
  a.flags(f.started_, f.odd_half_);
  a.due(f.decode_free_);
  a.due(f.works_from_);
  a.due(f.works_until_);
  const PredictorState& state = f.prediction_.state();
  std::uint32_t history = state.history & f.prediction_.history_mask();
  std::uint16_t top = state.stack_top, live = state.stack_live;
  a.number(history);
  a.number(top);
  a.number(live);
  if constexpr (!A::writes) {
    constexpr std::uint64_t wrong_path_bit = std::uint64_t{1} << 63;
    f.next_id_ = b.id;
    f.next_wrong_id_ = b.wrong_id & ~wrong_path_bit;
    f.request_.record.size = 0;
    f.needs_window_ = f.delivered_ = f.ended_ = f.at_closed_gate_ = f.repeating_ = f.fill_due_ = false;
    f.waiting_fill_ = -1;
  }
}

template <class A>
void Replay::describe_core(A& a, const Bases& b) {
  AthlonCore& c = core_;
  c.resolves_.resize(a.count(c.resolves_.size()));
  for (AthlonCore::Resolve& r : c.resolves_) {
    a.due(r.at);
    a.from(r.sequence, b.sequence);
  }
  std::uint64_t aborted = c.aborted_ == 0 ? 0 : c.aborted_ - b.sequence;
  a.number(aborted);
  c.aborted_ = aborted == 0 ? 0 : b.sequence + aborted;
  a.due(c.segment_until_);
  for (std::uint64_t& value : BlockDelta::states(c.machine_.recorder)) {
    std::uint64_t written = value;
    a.number(written);
  }
  if constexpr (!A::writes) {
    c.resolve_at_ = activity::never;
    for (const AthlonCore::Resolve& r : c.resolves_) c.resolve_at_ = std::min(c.resolve_at_, r.at);
    c.retired_ = b.retired;
    c.memory_.next_request_ = b.request;
  }
}

template <class A>
void Replay::describe(A& a, const Bases& b) {
  InFlight& flight = core_.flight_;
  if constexpr (A::writes) {
    list_load_store();
  } else {
    flight.retired = b.sequence;
    flight.next_record = b.record;
    core_.front_.code_lines_ = {};
  }
  a.from(flight.fetched, b.sequence);
  a.from(flight.decoded, b.sequence);
  a.from(flight.dispatched, b.sequence);
  for (Sequence s = b.sequence; s != flight.fetched; ++s) describe_chunk(a, b, flight.at(s), s);
  describe_window(a, b);
  describe_load_store(a, b);
  describe_front(a, b);
  describe_core(a, b);
}

template void Replay::describe(StateWriter& a, const Bases& b);
template void Replay::describe(StateReader& a, const Bases& b);

}  // namespace pmusim::core::athlon
