#include "models/ia64/events.h"

#include <algorithm>
#include <optional>

#include "models/ia64/filters.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {
namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;

bool qualifies(Qualifier qualifier, const EventInput& in) {
  const Tagger& t = in.tagger;
  switch (qualifier) {
    case Qualifier::none:
      return true;
    case Qualifier::address:
      return t.address_ok(0, in.origin, in.mode);
    case Qualifier::prefetch:
      return t.address_ok(1, in.origin, in.mode);
    case Qualifier::fetch: {
      const bool prefetch =
          in.origin.access != nullptr && in.origin.access->requester == activity::ia64::Requester::prefetch_fetch;
      return t.address_ok(prefetch ? 1 : 0, in.origin, in.mode);
    }
    case Qualifier::tag:
      return t.tag(0, in.origin, in.mode);
    case Qualifier::tag_by_umask:
      return t.tag(in.umask % channels, in.origin, in.mode);
    case Qualifier::data:
    case Qualifier::data_address:
      return t.data_ok(in.origin, data_address_of(in.block, in.signal, in.occurrence, in.origin), in.mode,
                       qualifier == Qualifier::data);
  }
  return true;
}

/// True if the qualifier of this line passes every occurrence.
bool unqualified(const EventLine& line, const Tagger& t) {
  switch (line.event->qualifier) {
    case Qualifier::none:
      return true;
    case Qualifier::address:
      return t.address_free(0);
    case Qualifier::prefetch:
      return t.address_free(1);
    case Qualifier::fetch:
      return t.address_free(0) && t.address_free(1);
    case Qualifier::tag:
      return t.tag_free(0);
    case Qualifier::tag_by_umask:
      return t.tag_free(line.umask % channels);
    case Qualifier::data:
    case Qualifier::data_address:
      break;
  }
  return t.data_free();
}

bool looks_at_data(Qualifier qualifier) { return qualifier == Qualifier::data || qualifier == Qualifier::data_address; }

/// Bit of a line state in EventLine::line_states.
unsigned line_state_bit(std::uint16_t state) {
  static constexpr unsigned bits[8] = {1, 2, 4, 0, 8, 0, 0, 0};  // LineState: there are no owned lines
  return bits[state & 7];
}

/// The filter of a column; null if every occurrence passes with its own amount.
Event::Amount filter_of(const Event& event, Signal signal, const EventChoices& choices) {
  const bool each = event.amount == filters::retired && signal != Signal::ia32_retire && !choices.long_is_two;
  return each ? nullptr : event.amount;
}

/// True if only the detail and the filter determine whether an occurrence counts.
bool only_filtered(const EventLine& line, const Tagger& tagger, bool alike) {
  const Event& event = *line.event;
  return unqualified(line, tagger) && alike && (event.line_state < 0 || line.line_states == EventLine::every_state) &&
         !event.first_of_cycle;
}

/// True if every instruction of the filter's kind with a true predicate counts its own amount.
bool counts_executed(const EventLine& line, Event::Amount filter, const Tagger& tagger, const EventChoices& choices,
                     bool alike) {
  const Event& event = *line.event;
  return filter == filters::nop && !choices.false_nops && event.mask == 0 && event.value == 0 &&
         only_filtered(line, tagger, alike);
}

/// One column of a line, cycle by cycle.
class Column {
 public:
  /// `all`: the occurrences of `signal` in the cycles to be counted.
  Column(const EventLine& line, const EventContext& context, Signal signal, std::span<const Occurrence> all)
      : line_(line),
        event_(*line.event),
        context_(context),
        signal_(signal),
        filter_(filter_of(*line.event, signal, context.choices)),
        unqualified_(unqualified(line, context.tagger)),
        of_instructions_(signal != Signal::count_ && !refers_to_request(signal)),
        plain_(filter_ == nullptr && only_filtered(line, context.tagger, context.owners.alike)),
        executed_(counts_executed(line, filter_, context.tagger, context.choices, context.owners.alike)),
        kinds_(of_instructions_ ? filters::kinds_of(filter_) : 0),
        instructions_(context.block.instructions),
        syllables_(context.block.syllables),
        next_(all.data()),
        end_(next_ + all.size()) {
    if (signal == Signal::count_) return;
    if (context.funnels != nullptr) {  // each occurrence is reported
      plain_ = executed_ = false;
      kinds_ = 0;
      told(no_thread).looks_at(signal, State::count_);
    }
    if (kinds_ != 0) skip();
  }
  [[nodiscard]] bool done() const { return next_ == end_; }
  [[nodiscard]] std::uint32_t at() const { return next_->at; }
  /// Returns the amount that the next cycle of the column counts, and advances past this cycle.
  std::uint32_t take() { return plain_ ? take_plain() : executed_ ? take_executed() : take_filtered(); }
  [[nodiscard]] bool plain() const { return plain_; }
  std::uint32_t take_plain() {
    const std::uint32_t cycle = at(), mask = event_.mask, value = event_.value;
    std::uint32_t n = 0;
    do {
      if ((next_->detail & mask) == value) n += next_->amount;
    } while (++next_ != end_ && next_->at == cycle);
    return n;
  }

 private:
  std::uint32_t take_executed() {
    const std::uint32_t cycle = at();
    std::uint32_t n = 0;
    do {
      if (syllables_[next_->ref].predicate) n += next_->amount;
      ++next_;
      skip();
    } while (next_ != end_ && next_->at == cycle);
    return n;
  }
  std::uint32_t take_filtered() {
    const std::uint32_t cycle = at();
    std::uint32_t n = 0;
    bool counted = false;
    while (next_ != end_ && next_->at == cycle) {
      const Occurrence& o = *next_++;
      if (kinds_ != 0) skip();
      if (counted && event_.first_of_cycle && context_.funnels == nullptr) continue;
      const int amount = context_.funnels != nullptr ? told_amount_of(o, counted) : amount_of(o);
      if (amount < 0) continue;
      counted = true;
      n += static_cast<std::uint32_t>(amount);
    }
    return n;
  }
  /// Advances to an instruction of one of the kinds.
  void skip() {
    const activity::ia64::Syllable* const syllables = syllables_.data();
    const std::size_t count = syllables_.size();
    while (next_ != end_ && (next_->ref >= count || (syllables[next_->ref].kinds & kinds_) == 0)) ++next_;
  }
  [[nodiscard]] bool detail_passes(const Occurrence& o) const {
    if ((o.detail & event_.mask) != event_.value) return false;
    if (event_.line_state < 0 || line_.line_states == EventLine::every_state) return true;
    const auto state = static_cast<std::uint16_t>(o.detail >> event_.line_state);
    return (line_.line_states & line_state_bit(state)) != 0;
  }
  [[nodiscard]] const Funnel& told(unsigned owner) const { return (*context_.funnels)[owner]; }
  /// As amount_of(), but reports each step. `not_first`: another occurrence of the cycle has counted.
  [[nodiscard]] int told_amount_of(const Occurrence& o, bool not_first) const {
    const Cycle at = context_.block.begin + o.at;
    const Origin origin = origin_of(context_.block, signal_, o);
    const unsigned owner = context_.owners.alike ? no_thread : origin.owner();
    const Funnel& funnel = told(owner);
    funnel.tell(Step::signal, {at, at + 1, o.amount});
    if (!detail_passes(o)) return -1;
    const EventInput in{context_.block,  signal_,         o, origin, line_.umask, context_.owners.modes[owner],
                        context_.tagger, context_.choices};
    const int amount = filter_ == nullptr ? o.amount : filter_(in);
    if (amount < 0) return -1;
    const Run run{at, at + 1, static_cast<std::uint32_t>(amount)};
    funnel.tell(Step::selected, run);
    if (!unqualified_) {
      tell_qualifier(funnel, in, run);
      if (!qualifies(event_.qualifier, in)) return -1;
    }
    funnel.line(run);
    if (!context_.owners.counted[owner] || (not_first && event_.first_of_cycle)) return -1;
    if (event_.first_of_cycle) funnel.tell(Step::first, run);
    funnel.named(context_.block, signal_, o, run.n);
    return amount;
  }
  /// Reports the parts of the qualifier that the occurrence passes.
  void tell_qualifier(const Funnel& funnel, const EventInput& in, const Run& run) const {
    const Qualifier qualifier = event_.qualifier;
    const bool passes = qualifies(qualifier, in);
    if (looks_at_data(qualifier)) {
      if (passes) funnel.tell(Step::data_range, run);
      return;
    }
    if (qualifier == Qualifier::tag || qualifier == Qualifier::tag_by_umask) {
      const unsigned channel = qualifier == Qualifier::tag ? 0 : in.umask % channels;
      if (!in.tagger.opcode_ok(channel, in.origin)) return;
      funnel.tell(Step::opcode, run);
    }
    if (passes) funnel.tell(Step::code_range, run);
  }
  /// As origin_of(), for signals of instructions.
  [[nodiscard]] Origin instruction_of(const Occurrence& o) const {
    Origin origin;
    if (o.ref >= instructions_.size()) return origin;
    origin.index = o.ref;
    origin.instruction = &instructions_[o.ref];
    if (o.ref < syllables_.size()) origin.syllable = &syllables_[o.ref];
    return origin;
  }
  [[nodiscard]] int amount_of(const Occurrence& o) const {
    if (!detail_passes(o)) return -1;
    if (filter_ == nullptr && unqualified_ && context_.owners.alike) return o.amount;
    const Origin origin = of_instructions_ ? instruction_of(o) : origin_of(context_.block, signal_, o);
    const unsigned owner = context_.owners.alike ? no_thread : origin.owner();
    if (!context_.owners.counted[owner]) return -1;
    if (filter_ == nullptr && unqualified_) return o.amount;
    const EventInput in{context_.block,  signal_,         o, origin, line_.umask, context_.owners.modes[owner],
                        context_.tagger, context_.choices};
    const int amount = filter_ == nullptr ? o.amount : filter_(in);
    return amount >= 0 && (unqualified_ || qualifies(event_.qualifier, in)) ? amount : -1;
  }

  const EventLine& line_;
  const Event& event_;
  const EventContext& context_;
  Signal signal_;
  Event::Amount filter_;
  bool unqualified_;
  bool of_instructions_;
  bool plain_;           ///< every occurrence with a matching detail counts its own amount
  bool executed_;        ///< every instruction of `kinds_` with a true predicate counts its own amount
  std::uint32_t kinds_;  ///< only instructions of one of these kinds can count; 0: not restricted
  std::span<const activity::InstructionRecord> instructions_;
  std::span<const activity::ia64::Syllable> syllables_;
  const Occurrence *next_, *end_;
};

/// Sums the runs of a line.
class Adder {
 public:
  Adder(const EventLine& line, const EventContext& context, Cycle to, std::uint64_t distance)
      : threshold_(line.threshold),
        most_(context.choices.limited ? line.event->most : ~std::uint32_t{0}),
        to_(to),
        left_(distance),
        funnels_(context.funnels) {}
  /// The following runs do not come from a column, so they have not been reported. They belong to `owner`, and count
  /// only if `counted`.
  void belongs_to(unsigned owner, bool counted) {
    owner_ = owner;
    closed_ = !counted;
  }
  /// Adds `n` occurrences in each of the cycles [begin, end). Returns false if the counter wraps, which ends the scan.
  bool add(Cycle begin, Cycle end, std::uint32_t n) {
    if (funnels_ != nullptr) n = told(begin, end, n);
    return add_all(begin, end, std::min(n, most_));
  }
  /// As add(), without the limit of the event table.
  bool add_all(Cycle begin, Cycle end, std::uint32_t n) {
    if (end == to_) scan_.last = n;
    const std::uint64_t each = above_threshold(n, threshold_);
    if (funnels_ != nullptr) {
      const Run run{begin, end, static_cast<std::uint32_t>(each)};
      if (threshold_ != 0) (*funnels_)[no_thread].tell(Step::threshold, run);
      (*funnels_)[no_thread].tell(Step::added, run);
    }
    const std::uint64_t all = each * (end - begin);
    if (all >= left_) {
      scan_.wrap = begin + (left_ + each - 1) / each - 1;
      return false;
    }
    left_ -= all;
    scan_.added += all;
    return true;
  }
  /// True if there is neither a threshold nor a wrap, so that sum() can be used.
  [[nodiscard]] bool sums() const { return threshold_ == 0 && left_ == ~std::uint64_t{0}; }
  /// As add() for one cycle, without reports.
  void sum(Cycle at, std::uint32_t n) {
    n = std::min(n, most_);
    if (at + 1 == to_) scan_.last = n;
    scan_.added += n;
  }
  [[nodiscard]] const EventScan& result() const { return scan_; }

 private:
  /// Reports a run, and returns the amount that remains after the gates.
  std::uint32_t told(Cycle begin, Cycle end, std::uint32_t n) const {
    const Funnel& funnel = (*funnels_)[owner_.value_or(no_thread)];
    if (owner_) {
      funnel.tell(Step::signal, {begin, end, 1});
      funnel.tell(Step::selected, {begin, end, n});
      funnel.line({begin, end, n});
      if (closed_) n = 0;
    }
    funnel.tell(Step::limited, {begin, end, std::min(n, most_)});
    return n;
  }

  unsigned threshold_;
  std::uint32_t most_;
  Cycle to_;
  std::uint64_t left_;
  const std::array<Funnel, 3>* funnels_;
  std::optional<unsigned> owner_;
  bool closed_ = false;
  EventScan scan_;
};

void add_columns(const EventLine& line, const EventContext& context, Cycle from, Cycle to, Adder& adder) {
  const Cycle begin = context.block.begin;
  const auto all_of = [&](Signal signal) {
    return signal == Signal::count_ ? std::span<const Occurrence>() : occurrences(context.block, signal, from, to);
  };
  const auto firsts = all_of(line.event->signal), seconds = all_of(line.event->second_signal);
  if (firsts.empty() && seconds.empty() && context.funnels == nullptr) return;
  Column first(line, context, line.event->signal, firsts);
  Column second(line, context, line.event->second_signal, seconds);
  if (second.done() && first.plain() && adder.sums()) {  // the usual case
    while (!first.done()) {
      const Cycle at = begin + first.at();
      adder.sum(at, first.take_plain());
    }
    return;
  }
  while (!first.done() || !second.done()) {
    const std::uint32_t at = second.done()  ? first.at()
                             : first.done() ? second.at()
                                            : std::min(first.at(), second.at());
    std::uint32_t n = 0;
    if (!first.done() && first.at() == at) n += first.take();
    if (!second.done() && second.at() == at) n += second.take();
    if (!adder.add(begin + at, begin + at + 1, n)) return;
  }
}

// When a tagged instruction retires, the cycles since the previous retirement count.
void add_awaited(const EventLine& line, const EventContext& context, Cycle from, Cycle to, Adder& adder) {
  Cycle since = from - context.happened.since_retirement;
  const auto all = occurrences(context.block, line.event->signal, from, to);
  for (Column retired(line, context, line.event->signal, all); !retired.done();) {
    const Cycle at = context.block.begin + retired.at();
    const bool tagged = retired.take() != 0;
    if (tagged && !adder.add_all(at, at + 1, static_cast<std::uint32_t>(at + 1 - since))) return;
    since = at + 1;
  }
}

void add_levels(const EventLine& line, const EventContext& context, Cycle from, Cycle to, Adder& adder) {
  const Event& event = *line.event;
  StateCursor first_state(context.block, event.state, from);
  std::optional<StateCursor> second_state;
  if (event.second_state != State::count_) second_state.emplace(context.block, event.second_state, from);
  for (Cycle at = from; at < to;) {
    const Held first = first_state.at(at);
    const Held second = second_state ? second_state->at(at) : Held{0, activity::never};
    const Cycle end = std::min({to, first.until, second.until});
    if (!adder.add(at, end, event.level(first.value, second.value, line.umask))) return;
    at = end;
  }
}

// The first bus clock begins in cycle 0.
void add_bus_clocks(const Happened& happened, Cycle from, Cycle to, Adder& adder) {
  if (from == 0 && !adder.add(0, 1, 1)) return;
  const std::uint64_t last = happened.bus_clock->ticks(to - 1);
  for (std::uint64_t tick = happened.bus_ticks + 1; tick <= last; ++tick) {
    const Cycle at = happened.bus_clock->first_cycle(tick);
    if (!adder.add(at, at + 1, 1)) return;
  }
}

void add_captures(std::span<const Capture> captures, const EventContext& context, Cycle from, Cycle to, Adder& adder) {
  const bool named = context.funnels != nullptr && context.owners.counted[context.thread];
  for (const Capture& capture : captures) {
    if (capture.at < from || capture.at >= to) continue;
    if (named) (*context.funnels)[context.thread].named(context.block, capture.signal, capture.what, 1);
    if (!adder.add(capture.at, capture.at + 1, 1)) return;
  }
}

}  // namespace

activity::Subscription subscription_of(const EventLine& line, const Tagger& tagger, const EventChoices& choices,
                                       bool alike) {
  activity::Subscription result;
  const Event& event = *line.event;
  if (event.source != Source::activity) return result;
  if (event.level != nullptr) {
    result.add(event.state);
    result.add(event.second_state);
    return result;
  }
  const bool only_by_filter = only_filtered(line, tagger, alike);
  const bool looks_at_addresses = looks_at_data(event.qualifier) && !unqualified(line, tagger);
  for (const Signal signal : {event.signal, event.second_signal}) {
    if (signal == Signal::count_) continue;
    result.add(signal);
    if (!only_by_filter || filter_of(event, signal, choices) != nullptr) result.add_named(signal);
    if (looks_at_addresses && !refers_to_request(signal)) result.add_named(accesses_beside(signal));
  }
  const bool retirement = event.signal == Signal::retire || event.second_signal == Signal::retire;
  if (!retirement) return result;
  const Event::Amount filter = filter_of(event, Signal::retire, choices);
  if (filter == nullptr && event.mask == 0 && event.value == 0 && only_by_filter) return result;
  const std::uint32_t kinds = filters::kinds_of(filter);
  if (counts_executed(line, filter, tagger, choices, alike)) {
    // For nops a core may record sums; other executed instructions are needed one by one.
    constexpr std::uint32_t nop = activity::ia64::bit(activity::ia64::Kind::nop);
    result.executed_nops = (kinds & nop) != 0;
    result.retired = kinds & ~nop;
    return result;
  }
  result.retired = kinds;
  result.each_retired = kinds == 0;
  return result;
}

EventScan scan(const EventLine& line, const EventContext& context, Cycle from, Cycle to, std::uint64_t distance) {
  if (line.event == nullptr || from >= to) return {};
  Adder adder(line, context, to, distance);
  const Source source = line.event->source;
  const bool captures = source == Source::data_ear || source == Source::fetch_ear || source == Source::branch_ring;
  const bool columns = source == Source::activity && line.event->level == nullptr;
  if (!columns) {
    const unsigned owner = captures ? context.thread : no_thread;
    const bool counted = context.owners.counted[owner];
    if (!counted && context.funnels == nullptr) return {};
    adder.belongs_to(owner, counted);
    if (context.funnels != nullptr && line.event->level != nullptr) {
      (*context.funnels)[no_thread].looks_at(Signal::count_, line.event->state);
      (*context.funnels)[no_thread].looks_at(Signal::count_, line.event->second_state);
    }
  }
  const Happened& happened = context.happened;
  switch (source) {
    case Source::activity:
      if (line.event->awaited && context.choices.counts_awaited)
        add_awaited(line, context, from, to, adder);
      else if (columns)
        add_columns(line, context, from, to, adder);
      else
        add_levels(line, context, from, to, adder);
      break;
    case Source::clock:
      adder.add(from, to, 1);
      break;
    case Source::halted:
      adder.add(from, to, context.choices.halted_cycle);
      break;
    case Source::bus_clock:
      add_bus_clocks(happened, from, to, adder);
      break;
    case Source::level_change:
      if (happened.levels_changed != 0 && (line.umask == 0 || (happened.levels_changed & line.umask) != 0))
        adder.add(from, from + 1, 1);
      break;
    case Source::isa_change:
      if (happened.isa_changed) adder.add(from, from + 1, 1);
      break;
    case Source::data_ear:
      add_captures(happened.data_ear, context, from, to, adder);
      break;
    case Source::fetch_ear:
      add_captures(happened.fetch_ear, context, from, to, adder);
      break;
    case Source::branch_ring:
      add_captures(happened.branch_ring, context, from, to, adder);
      break;
    case Source::unmodelled:
      break;
  }
  return adder.result();
}

const Event* find_event(std::span<const Event> table, unsigned code, unsigned umask) {
  const auto by_code = [](const Event& event, unsigned wanted) { return event.code < wanted; };
  for (auto row = std::lower_bound(table.begin(), table.end(), code, by_code); row != table.end() && row->code == code;
       ++row) {
    if ((row->umasks >> umask & 1) != 0) return &*row;
  }
  return nullptr;
}

}  // namespace pmusim::pmu::ia64
