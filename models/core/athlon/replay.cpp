#include "models/core/athlon/replay.h"

#include <algorithm>

#include "models/core/athlon/core.h"
#include "models/core/parts/state_archive.h"

namespace pmusim::core::athlon {

namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20;  ///< of all states and stretches
constexpr std::size_t most_stretches = 16;                 ///< from one state
constexpr int most_worth = 3;
constexpr std::uint64_t most_wait = 256;  ///< lines between tries, which double without a replay

// In host instructions, approximately, as callgrind counts them.
constexpr std::int64_t cost_of_state = 25'000;      ///< to save one, or to restore it
constexpr std::int64_t cost_of_recording = 55'000;  ///< of a stretch
constexpr std::int64_t cost_of_line = 150;          ///< of a comparison
constexpr std::int64_t cost_of_stretch = 2 * cost_of_state + cost_of_recording;
constexpr std::int64_t gain_of_instruction = 1'700;
constexpr std::int64_t most_balance = 40'000'000;
// For each instruction that runs without replay, which costs about 2,600: the amount that may be spent on attempts, and
// the amount that may be owed while replays succeed.
constexpr std::int64_t allowance = 25, credit = 25, most_credit = 2'000'000;

constexpr std::uint64_t wrong_path_bit = std::uint64_t{1} << 63;

BlockDelta::Signals request_signals() {
  BlockDelta::Signals signals;
  for (const Signal s : {Signal::fetch, Signal::translation, Signal::dcache_lookup, Signal::load_return,
                         Signal::code_store, Signal::line_request, Signal::line_fill, Signal::l2_lookup,
                         Signal::l2_array, Signal::bus_request, Signal::cross_invalidate}) {
    signals.set(static_cast<std::size_t>(s));
  }
  return signals;
}

}  // namespace

Replay::Bases Replay::Bases::operator-(const Bases& o) const {
  return {cycle - o.cycle, sequence - o.sequence,           begin - o.begin,    line - o.line,
          place - o.place, dispatch_line - o.dispatch_line, record - o.record,  retired - o.retired,
          id - o.id,       wrong_id - o.wrong_id,           request - o.request};
}

Replay::Bases Replay::Bases::operator+(const Bases& o) const {
  return {cycle + o.cycle, sequence + o.sequence,           begin + o.begin,    line + o.line,
          place + o.place, dispatch_line + o.dispatch_line, record + o.record,  retired + o.retired,
          id + o.id,       wrong_id + o.wrong_id,           request + o.request};
}

Replay::Replay(AthlonCore& core, Replays when)
    : core_(core), off_(when == Replays::never), always_(when == Replays::always), fewest_lines_(always_ ? 3 : 24) {}

Replay::Bases Replay::bases() const {
  const AthlonCore& c = core_;
  return {c.next_step_,           c.flight_.retired,
          c.program_.begin(),     c.front_.line_,
          c.window_.head_,        c.window_.line_,
          c.flight_.next_record,  c.retired_,
          c.front_.next_id_,      wrong_path_bit | c.front_.next_wrong_id_,
          c.memory_.next_request_};
}

std::size_t Replay::Stretch::bytes() const {
  return sizeof *this + lines.size() * sizeof(Tape::Line) + accesses.size() * sizeof(Tape::LineAccess) +
         questions.size() * sizeof(Question) + stores.size() * sizeof(OrderedStore) +
         branches.size() * sizeof(BranchStep) + (code_lines.size() + code_pages.size()) * 8 + found.size() * 16 +
         carried.size() * 4 + delta.bytes();
}

// The costs of learning and of failed attempts are balanced against the savings of replays. Attempts are paid from an
// allowance for instructions that ran without replay, and from savings. A first stretch waits until the balance covers
// it; after a replay, which shows that states recur, the balance may be negative.
void Replay::between_steps(Cycle limit, std::uint64_t instructions) {
  AthlonCore& c = core_;
  Tape& tape = c.machine_.tape;
  tape.boundary = false;
  if (off_) return;
  if (tape.subscription_changed) forget_all();
  if (tape.disturbed) tape.on = false;
  if (c.front_.line_ - tried_line_ < (tape.on ? fewest_lines_ : wait_)) return;
  if (!c.memory_.quiet() || c.front_.codes_.changed()) return;
  earn();
  if (!tape.on && !always_ && balance_ < 0) return;
  tried_line_ = c.front_.line_;
  if (!always_) wait_ = std::min(2 * wait_, most_wait);
  const std::uint64_t mark = mark_of_state();
  const bool seen = always_ || seen_before(mark);
  if (!tape.on && !always_ && (!seen || (balance_ < cost_of_stretch && !leads_on(mark)))) return;
  if (!eligible()) return;
  const Bases present = bases();
  Bases b = present;
  auto [node, known] = node_of_present_state(mark, b);
  balance_ -= cost_of_state;
  if (tape.on) end_stretch(*node, b);
  bool room = true, replays = false;
  if (!node->stretches.empty()) {
    carried_.clear();
    each_access([&](std::uint64_t address) { carried_.push_back(address); });
    Node& first = *node;
    while (const Stretch* const s = find(*node, b, limit, instructions, room)) {
      apply(*s, b);
      node = s->to;
      replayed_ += s->distance.retired;
      balance_ += static_cast<std::int64_t>(s->distance.retired) * gain_of_instruction;
      replays = true;
    }
    if (replays) {
      restore(*node, b);
      tried_line_ = b.line;
      wait_ = fewest_lines_;
      balance_ -= cost_of_state;
      first.worth = std::min(first.worth + 1, most_worth);
    }
  }
  if (!replays && room) {
    const auto [begin, end] = nodes_.equal_range(mark);
    for (auto it = begin; it != end; ++it) --it->second->worth;
  }
  balance_ = std::min(balance_, most_balance);
  const std::int64_t owed = -std::min(most_credit, static_cast<std::int64_t>(executed_) * credit);
  if (!always_ && balance_ < (replays ? owed : cost_of_stretch - cost_of_state)) return;
  const bool recurs = always_ ? known || replays : seen || replays;
  if (recurs && room && node->stretches.size() < most_stretches) begin_stretch(*node, b);
}

void Replay::earn() {
  const std::uint64_t executed = core_.retired_ - replayed_;
  balance_ += static_cast<std::int64_t>(executed - executed_) * allowance;
  executed_ = executed;
}

/// The stretch that matches, or null. If there is one, everything has been compared, and only the predictor has
/// changed.
const Replay::Stretch* Replay::find(Node& node, const Bases& b, Cycle limit, std::uint64_t instructions, bool& room) {
  for (std::size_t i = 0; i < node.stretches.size(); ++i) {
    const Stretch& s = *node.stretches[i];
    if (b.cycle + s.distance.cycle > limit ||
        (instructions != activity::never && b.retired + s.distance.retired >= instructions)) {
      room = false;
    } else if (matches(s, b)) {
      std::swap(node.stretches[i], node.stretches[i / 2]);
      return &s;
    }
  }
  return nullptr;
}

/// A hash of a few values of the state, which distinguishes most states at low cost.
std::uint64_t Replay::mark_of_state() {
  AthlonCore& c = core_;
  const FrontEnd& f = c.front_;
  const Window& w = c.window_;
  InFlight& flight = c.flight_;
  std::uint64_t mark = f.scan_pc_;
  const auto mix = [&](std::uint64_t value) {
    mark = (mark ^ value) * 0x9e3779b97f4a7c15u;
    mark ^= mark >> 32;
  };
  mix(f.window_pc_ << 20 ^ f.queue_bytes_ << 8 ^ f.line_count_);
  mix((flight.fetched - flight.retired) << 40 ^ (flight.dispatched - flight.retired) << 20 ^ (w.tail_ - w.head_));
  mix(f.prediction_.state().history & f.prediction_.history_mask());
  mix(w.stations_[0].size() << 24 ^ w.stations_[1].size() << 16 ^ w.stations_[2].size() << 8 ^ w.fp_.size());
  mix(c.load_store_.stores_.size() << 16 ^ c.load_store_.to_probe_.size() << 8 ^ c.load_store_.held_.size());
  for (Sequence s = flight.retired; s != flight.dispatched; ++s) {
    const Chunk& chunk = c.flight_.at(s);
    const Cycle due = chunk.finish > c.next_step_ ? chunk.finish - c.next_step_ : 0;
    mix(due << 32 ^ std::uint64_t{chunk.code->id} << 8 ^ std::uint64_t{chunk.parts_left} << 1 ^ chunk.issued);
  }
  return mark;
}

/// True if there is a state with this mark whose stretches are replayed at least as often as not.
bool Replay::leads_on(std::uint64_t mark) {
  const auto [first, last] = nodes_.equal_range(mark);
  return std::any_of(first, last, [](const auto& n) { return n.second->worth > 0; });
}

bool Replay::seen_before(std::uint64_t mark) {
  std::uint64_t& place = seen_[mark >> 40 & (seen_.size() - 1)];
  if (place == mark) return true;
  place = mark;
  return false;
}

std::pair<Replay::Node*, bool> Replay::node_of_present_state(std::uint64_t mark, const Bases& b) {
  StateWriter writer(state_, b.cycle);
  describe(writer, b);
  writer.close();
  const auto [first, last] = nodes_.equal_range(mark);
  for (auto it = first; it != last; ++it) {
    if (it->second->state == state_) return {it->second.get(), true};
  }
  if (bytes_ > most_bytes) forget_all();
  bytes_ += state_.size() + sizeof(Node) + 64;
  auto node = std::make_unique<Node>();
  node->state = state_;
  return {nodes_.emplace(mark, std::move(node))->second.get(), false};
}

void Replay::forget_all() {
  nodes_.clear();
  bytes_ = 0;
  core_.machine_.tape.on = core_.machine_.tape.subscription_changed = false;
}

/// The accesses in flight, in the order of the state: those in the load-store unit, then those not dispatched.
template <class Each>
void Replay::each_access(Each each) {
  AthlonCore& c = core_;
  for (const std::uint16_t i : order_) each(c.load_store_.entries_[i].address);
  for (Sequence s = c.flight_.dispatched; s != c.flight_.fetched; ++s) {
    const Chunk& chunk = c.flight_.at(s);
    for (unsigned i = 0; i < chunk.accesses; ++i) each(chunk.entry->accesses[i].address);
  }
}

void Replay::begin_stretch(Node& node, const Bases& b) {
  AthlonCore& c = core_;
  from_ = &node;
  from_bases_ = b;
  list_load_store();
  std::uint32_t number = 0;
  for (const std::uint16_t i : order_) c.load_store_.entries_[i].tag = number++;
  BlockDelta::mark(c.machine_.recorder, mark_);
  code_in_flight_.clear();
  for (Sequence s = c.flight_.retired; s != c.flight_.fetched; ++s) {
    Chunk& chunk = c.flight_.at(s);
    if (chunk.recorded) BlockDelta::keep(c.machine_.recorder, c.flight_.record(chunk), mark_);
    Tape::use(code_in_flight_, chunk.code->pc / page_bytes);
    Tape::use(code_in_flight_, (chunk.code->pc + chunk.code->length - 1) / page_bytes);
    if (s < c.flight_.dispatched) continue;
    chunk.tag = number;
    number += chunk.accesses;
  }
  c.machine_.tape.begin(number);
}

void Replay::end_stretch(Node& to, const Bases& b) {
  AthlonCore& c = core_;
  Tape& tape = c.machine_.tape;
  tape.on = false;
  const Program::Entry* const peeked = c.program_.at(c.front_.line_);
  if (peeked == nullptr || !peeked->directives.empty() || peeked->instruction.annotations != nullptr) return;
  auto made = std::make_unique<Stretch>();
  Stretch& s = *made;
  if (!s.delta.capture(c.machine_.recorder, mark_, from_bases_.records(), request_signals(), tape.requests)) return;
  s.to = &to;
  s.distance = b - from_bases_;
  s.last_step = c.now_ - 1 - from_bases_.cycle;
  s.peeked = peeked->instruction.code;
  s.lines = tape.lines;
  s.accesses = tape.accesses;
  s.questions = tape.questions;
  s.stores = tape.stores;
  s.branches = tape.branches;
  for (const std::uint64_t pc : tape.code_lines) Tape::use(s.code_lines, c.memory_.l1i_.line_of(pc));
  s.code_pages = tape.code_pages;
  s.found = tape.found;
  s.code_in_flight = code_in_flight_;
  const auto add_code = [&](const auto* code) {
    if (code == nullptr) return;
    Tape::use(s.code_in_flight, code->pc / page_bytes);
    Tape::use(s.code_in_flight, (code->pc + code->length - 1) / page_bytes);
  };
  for (const Tape::Line& line : s.lines) add_code(line.code);
  for (const auto& [pc, code] : s.found) add_code(code);
  for (const std::uint16_t i : order_) s.carried.push_back(c.load_store_.entries_[i].tag);
  for (Sequence q = c.flight_.dispatched; q != c.flight_.fetched; ++q) {
    const Chunk& chunk = c.flight_.at(q);
    for (unsigned i = 0; i < chunk.accesses; ++i) s.carried.push_back(chunk.tag + i);
  }
  bytes_ += s.bytes();
  balance_ -= cost_of_recording;
  from_->stretches.push_back(std::move(made));
  from_->worth = std::max(from_->worth, 1);
}

bool Replay::matches(const Stretch& s, const Bases& b) {
  addresses_ = carried_;
  try {
    if (!same_trace(s, b)) return false;
  } catch (const trace::TraceError&) {
    return false;  // the reader reports the error again when fetch reaches it
  }
  return same_answers(s) && core_.front_.prediction_.repeat(s.branches);
}

/// True if the trace continues with the instructions of the stretch; notes the addresses of their accesses.
bool Replay::same_trace(const Stretch& s, const Bases& b) {
  Program& program = core_.program_;
  const auto plain = [](const Program::Entry* entry, const trace::Code* code) {
    return entry != nullptr && entry->instruction.code == code && entry->directives.empty() &&
           entry->instruction.annotations == nullptr;
  };
  const Tape::LineAccess* expected = s.accesses.data();
  std::uint64_t ordinal = b.line;
  for (const Tape::Line& line : s.lines) {
    const Program::Entry* const entry = program.at(ordinal++);
    balance_ -= cost_of_line;
    if (!plain(entry, line.code)) return false;
    const trace::Instruction& in = entry->instruction;
    if (in.taken != line.taken || in.next_pc() != line.next || in.accesses.size() != line.accesses) return false;
    for (std::size_t i = 0; i < in.accesses.size(); ++i, ++expected) {
      const trace::Access& a = in.accesses[i];
      if (a.size != expected->size || a.store != expected->store) return false;
      if (i != 0 && a.store && Tape::updates(in, i) != expected->update) return false;
      addresses_.push_back(a.address);
    }
  }
  return plain(program.at(ordinal), s.peeked);
}

bool Replay::same_answers(const Stretch& s) {
  AthlonCore& c = core_;
  MemorySide& memory = c.memory_;
  LoadStore& load_store = c.load_store_;
  const MemoryMap& map = c.machine_.map;
  touched_data_.clear();
  touched_code_.clear();
  touched_pages_.clear();
  for (const std::uint64_t pc : s.code_lines) {
    const Cache::Slot slot = memory.l1i_.find(pc, map.translate(pc));
    if (slot == Cache::none) return false;
    touched_code_.push_back(slot);
  }
  for (const std::uint64_t page : s.code_pages) {
    if (!c.front_.tlb_.contains(page)) return false;
  }
  for (const auto& [pc, code] : s.found) {
    if (c.front_.find_code(pc) != code) return false;
  }
  std::uint64_t page_before = ~std::uint64_t{0};
  for (const Question& q : s.questions) {
    const std::uint64_t address = addresses_[q.tag];
    if (q.kind == Question::data_page) {
      const std::uint64_t page = address / page_bytes;
      if (page == page_before) continue;
      if (!load_store.tlb_.contains(page)) return false;
      touched_pages_.push_back(page_before = page);
    } else if (q.kind == Question::data) {
      if (crosses(address, q.size, 4) != q.crosses_word || crosses(address, q.size, 8) != q.crosses_octet ||
          address % page_bytes + q.size > page_bytes) {
        return false;
      }
      const std::uint64_t at = half_of(address, q.second_half);
      const std::uint64_t physical = map.translate(at);
      const Cache::Slot slot = memory.l1d_.find(at, physical);
      if (slot == Cache::none || map.type(physical) != MemoryType::write_back) return false;
      if (q.store) {
        if (memory.l1d_.state(slot, physical) != LineState::modified) return false;
        for (const std::uint64_t page : s.code_in_flight) {
          if (map.translate(page * page_bytes) / page_bytes == physical / page_bytes) {
            return false;
          }
        }
      }
      touched_data_.push_back(slot);
    } else if (q.kind == Question::words) {
      if (same_words(address, q.size, addresses_[q.first], q.count) != q.depends) return false;
    } else if (q.kind == Question::banks) {
      const std::uint64_t other = half_of(addresses_[q.first], q.count != 0);
      if (meet_in_bank(half_of(address, q.second_half), other) != q.depends) return false;
    } else {
      const LoadStore::Operand load{address, q.size, false};
      for (std::uint32_t i = 0; i < q.count; ++i) {
        const OrderedStore& o = s.stores[q.first + i];
        const LoadStore::Operand store{addresses_[o.tag], o.size, o.high_byte};
        const bool last = q.depends && i + 1 == q.count;
        if (load_store.depends(load, store) != last) return false;
        if (last && load_store.may_forward(load, store) != q.forwards) return false;
      }
    }
  }
  return true;
}

void Replay::apply(const Stretch& s, Bases& b) {
  AthlonCore& c = core_;
  for (const Cache::Slot slot : touched_code_) c.memory_.l1i_.touch(slot);
  for (const Cache::Slot slot : touched_data_) c.memory_.l1d_.touch(slot);
  for (const std::uint64_t page : s.code_pages) (void)c.front_.tlb_.lookup(page);
  for (const std::uint64_t page : touched_pages_) (void)c.load_store_.tlb_.lookup(page);
  s.delta.emit(c.machine_.recorder, b.records(), addresses_);
  carried_.clear();
  for (const std::uint32_t number : s.carried) carried_.push_back(addresses_[number]);
  c.now_ = b.cycle + s.last_step + 1;
  b = b + s.distance;
  if (b.begin != 0) c.program_.complete_through(b.begin - 1);
}

void Replay::restore(const Node& node, const Bases& b) {
  core_.next_step_ = b.cycle;
  StateReader reader(node.state.data(), b.cycle);
  describe(reader, b);
}

}  // namespace pmusim::core::athlon
