#include "testbench/oracle/occurrences.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "testbench/oracle/family.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {

using activity::Block;
using activity::Cycle;
using activity::Occurrence;
using activity::State;

namespace {

/// The bit of the time base's lower word selected by RTCSELECT 0 to 3; the other order is that of Table 11-4.
std::uint32_t time_base_bit(unsigned select, bool reversed) {
  constexpr std::uint32_t bits[] = {0x00000001, 0x00000100, 0x00001000, 0x00010000};
  if (select > 3) throw std::invalid_argument("time base bit " + std::to_string(select) + ": 0 to 3 can be selected");
  return bits[reversed ? 3 - select : select];
}

/// How often a bit becomes 1 while a number counts up from `before` to `after`: at each odd multiple of the bit.
std::uint64_t times_reached(std::uint64_t bit, std::uint64_t before, std::uint64_t after) {
  return (after + bit) / (2 * bit) - (before + bit) / (2 * bit);
}

/// Replaces each unit mask by the next one, and the last by the first.
Classes shifted(Classes classes, std::size_t names) {
  const Classes all = (Classes{1} << names) - 1;
  return ((classes << 1) | (classes >> (names - 1))) & all;
}

/// The write address of the time base's lower word; writes to the read address are ignored.
bool names_time_base(const activity::RegisterAccess& access) { return std::string_view(access.name.data()) == "TBLW"; }

}  // namespace

Classes Occurrences::selection(const Request& request) const {
  const auto& names = event_.umasks;
  if (names.empty()) {
    if (!request.umasks.empty()) {
      throw std::invalid_argument(std::string(event_.name) + " has no unit masks, so not " + request.umasks.front());
    }
    return counted;
  }
  const Classes all = (Classes{1} << names.size()) - 1;
  if (request.umasks.empty()) return 0;
  Classes selected = 0;
  for (const std::string& wanted : request.umasks) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) {
      selected |= Classes{1} << (found - names.begin());
    } else if (wanted == "ALL") {
      selected |= all;
    } else {
      throw std::invalid_argument(std::string(event_.name) + " has no unit mask " + wanted);
    }
  }
  return selected;
}

bool Occurrences::same_view(const Request& a, const Request& b) const {
  const bool same_captures = a.umasks == b.umasks && a.user == b.user && a.kernel == b.kernel && a.ia64 == b.ia64;
  if (event_.unit != CaptureUnit::none && !same_captures) return false;
  const bool same_monitor = a.user == b.user && a.kernel == b.kernel && a.ia64.levels == b.ia64.levels &&
                            a.ia64.privileged_monitor == b.ia64.privileged_monitor &&
                            a.ia64.all_threads == b.ia64.all_threads;
  if (event_.floats() && !same_monitor) return false;
  if (filters_ && !a.same_modes(b)) return false;
  return a.ia64.same_place(b.ia64) && a.address == b.address && a.breakpoint == b.breakpoint &&
         (!filters_ || a.threshold == b.threshold) &&
         (!event_.time_base || (a.time_base == b.time_base && a.time_base_bit == b.time_base_bit));
}

std::size_t Occurrences::line_for(const Request& request) {
  const Classes selected = selection(request);
  const auto view =
      std::find_if(views_.begin(), views_.end(), [&](const View& v) { return same_view(v.asked, request); });
  const auto view_index = static_cast<std::size_t>(view - views_.begin());
  if (view == views_.end()) {
    const unsigned select = event_.time_base ? request.time_base_bit : 0;
    views_.push_back({.asked = request,
                      .time_base = TimeBase(request.time_base, 0),
                      .bit = time_base_bit(select, choices_.time_base_reversed)});
    View& added = views_.back();
    if (event_.unit != CaptureUnit::none) {
      added.captured = std::make_unique<CaptureCycles>(event_.unit, request, parameters_, target_);
      added.unfiltered = without_filters(request);
      const auto same = std::find_if(views_.begin(), views_.end() - 1, [&](const View& v) {
        return v.unfiltered.event == added.unfiltered.event && same_view(v.unfiltered, added.unfiltered);
      });
      added.capturable = same == views_.end() - 1
                             ? std::make_shared<CaptureCycles>(event_.unit, added.unfiltered, parameters_, target_)
                             : same->capturable;
    }
  }
  View& own = views_[view_index];
  const auto line = std::find_if(own.lines.begin(), own.lines.end(),
                                 [&](std::size_t number) { return lines_[number].selected == selected; });
  if (line != own.lines.end()) return *line;
  own.lines.push_back(lines_.size());
  own.selected |= selected;
  lines_.push_back({.selected = selected, .view = view_index});
  return own.lines.back();
}

bool Occurrences::restart() {
  if (event_.unit != CaptureUnit::none) return false;
  for (Line& line : lines_) line.n = line.raw = line.left = 0;
  values_ = {};
  bits_before_.reset();
  thread_before_ = background_before_ = 0;
  started_ = false;  // enter() sets the time bases
  last_clock_.reset();
  holds_since_.reset();
  awaited_ = 0;
  awaited_to_.reset();
  bus_ratio_.reset();
  bus_ratio_since_ = 0;
  return true;
}

void Occurrences::enter(const Block& block, Cycle at) {
  if (awaited_to_) await_until(at);
  block_ = &block;
  columns_.clear();
  const auto before = [&](const auto& entry, Cycle cycle) { return block.begin + entry.at < cycle; };
  for (const OccurrenceRule& rule : event_.rules) {
    if (rule.if_chosen != nullptr && !(choices_.*rule.if_chosen)) continue;
    const auto& entries = block.column(rule.signal);
    const auto first = std::lower_bound(entries.begin(), entries.end(), at, before);
    columns_.push_back({&rule, &entries, static_cast<std::size_t>(first - entries.begin())});
  }
  const auto access = std::lower_bound(block.accesses.begin(), block.accesses.end(), at, before);
  access_ = static_cast<std::size_t>(access - block.accesses.begin());
  const std::uint64_t ratio_before = value_of(values_, State::bus_ratio);
  states_.clear();
  const auto observe = [&](State state) {
    states_.emplace_back(state).enter(block, at);
    values_[static_cast<std::size_t>(state)] = states_.back().value();
  };
  for (const State state : event_.states) observe(state);
  if (event_.unit != CaptureUnit::none) {
    for (View& view : views_) {
      view.captured->enter(block, at);
      view.capturable->enter(block, at);
    }
  }
  if (!event_.time_base) return;
  const std::uint64_t ratio = value_of(values_, State::bus_ratio);
  for (View& view : views_) {
    if (!started_) {  // the first known ratio is assumed since cycle 0
      view.time_base = TimeBase(view.asked.time_base, ratio);
      view.value_before = view.time_base.value(at == 0 ? 0 : at - 1);
    } else if (ratio != ratio_before) {
      view.time_base.set_ratio(at, ratio);
    }
  }
  started_ = true;
}

LevelIncrement Occurrences::increment() const {
  if (event_.increment == nullptr) {
    const bool holds = event_.level != nullptr && event_.level(values_, choices_) != event_.level_inverted;
    const std::uint32_t degree = event_.degree == nullptr ? 1 : event_.degree(values_, choices_);
    return {any_class, holds ? degree : 0};
  }
  LevelIncrement increment = event_.increment(values_);
  const bool none = increment.classes == not_counted || increment.amount == 0;
  if (event_.level_inverted) return none ? LevelIncrement{any_class, 1} : LevelIncrement{};
  if (event_.umasks_shifted) increment.classes = shifted(increment.classes, event_.umasks.size());
  return increment;
}

void Occurrences::count_level() {
  const LevelIncrement level = increment();
  if (level.amount == 0) {
    for (Line& line : lines_) line.n = line.raw = 0;
    return;
  }
  for (Line& line : lines_) {
    line.n = line.raw = (line.selected & level.classes) != 0 ? level.amount : 0;
    if (line.n != 0 && !counts_for(views_[line.view].asked, std::nullopt)) line.n = 0;
  }
}

/// For floating events: the thread of the occurrence, and whether the monitor runs. For other events the gate decides.
bool Occurrences::counts_for(const Request& asked, std::optional<unsigned> owner) const {
  if (!event_.floats()) return true;
  const bool all = asked.ia64.all_threads || event_.any_thread;
  if (event_.attribution == Attribution::self_floating && all && !choices_.self_floating_all_floats) owner.reset();
  const auto active = static_cast<unsigned>(value_of(values_, State::thread));
  const unsigned thread = owner.value_or(active);
  if (!all && thread != choices_.thread) return false;
  if (thread != active && choices_.background_left_out) return false;
  return runs_under(asked, gates_of_thread(values_, thread));
}

/// Unit masks for which an occurrence passes the filters of the request.
Classes Occurrences::passing(const OccurrenceRule& rule, const EventSite& site) const {
  if (event_.floats() && !counts_for(site.asked, owner_of(site))) return not_counted;
  if (event_.line_state != nullptr && !wants_line(site.asked.ia64.line_states, event_.line_state(site))) {
    return not_counted;
  }
  const Filters& filters = event_.filters;
  if (!event_.by_channel && (filters.code || filters.opcode || filters.data)) {
    const ia64::Qualifiers& asked = site.asked.ia64;
    const bool restricted = !asked.code.empty() || !asked.opcodes.empty() || !asked.data.empty();
    const bool with_data = filters.data && !asked.data.empty();
    if (restricted && !qualifies(subject_of(site, with_data), filters, site.asked, choices_)) return not_counted;
  }
  return rule.passing == nullptr ? any_class : rule.passing(site);
}

void Occurrences::count_column(Column& column, Cycle at) {
  const std::span<const Occurrence> entries = *column.entries;
  const OccurrenceRule& rule = *column.rule;
  std::size_t next = column.index;
  for (; next < entries.size() && block_->begin + entries[next].at == at; ++next) {
    const Occurrence& what = entries[next];
    for (const View& view : views_) {
      const EventSite site{*block_, rule.signal, what, values_, choices_, view.asked};
      Classes classes = rule.classes(site);
      if (event_.umasks_shifted) classes = shifted(classes, event_.umasks.size());
      if ((view.selected & classes) == 0) continue;
      const Classes passed = passing(rule, site);
      const std::uint32_t amount = rule.amount == nullptr ? what.amount : rule.amount(site);
      for (const std::size_t index : view.lines) {
        Line& line = lines_[index];
        if ((line.selected & classes) == 0) continue;
        line.raw += amount;
        if ((line.selected & classes & passed) != 0) line.n += amount;
      }
    }
  }
  column.index = next;
  if (next < entries.size()) quiet_until_ = std::min(quiet_until_, block_->begin + entries[next].at);
}

void Occurrences::count_transition() {
  const Transition& transition = *event_.transition;
  if (transition.if_chosen != nullptr && !(choices_.*transition.if_chosen)) return;
  const std::uint64_t value = value_of(values_, transition.state), bits = value & transition.mask;
  const auto& threads = transition.threads;
  const std::uint64_t thread = threads ? value_of(values_, threads->active) : 0;
  if (bits_before_ && thread != thread_before_) bits_before_ = background_before_;
  const bool changes = bits_before_ && *bits_before_ != bits && (value & transition.where) == transition.is;
  Classes classes = changes && transition.classes ? transition.classes(*bits_before_, bits) : any_class;
  if (event_.umasks_shifted) classes = shifted(classes, event_.umasks.size());
  bits_before_ = bits;
  thread_before_ = thread;
  background_before_ = threads ? value_of(values_, threads->background) & transition.mask : 0;
  for (Line& line : lines_) line.n = line.raw = changes && (line.selected & classes) != 0 ? 1 : 0;
}

void Occurrences::count_captures(Cycle at) {
  for (Line& line : lines_) {
    View& view = views_[line.view];
    line.n = counts_for(view.asked, choices_.thread) ? view.captured->at(at) : 0;
    line.raw = view.capturable->at(at);
    if (event_.captures_all) line.n = line.raw;
    quiet_until_ = std::min({quiet_until_, view.captured->next(), view.capturable->next()});
  }
}

// A write by the program completes in its cycle and takes effect in the next. Problem state may not write.
void Occurrences::count_time_base(Cycle at) {
  std::vector<std::uint32_t> written;
  const auto& accesses = block_->accesses;
  for (; access_ < accesses.size() && block_->begin + accesses[access_].at == at; ++access_) {
    const auto& access = accesses[access_];
    const bool allowed = value_of(values_, State::cpl) == 0;
    if (access.write && allowed && names_time_base(access)) written.push_back(static_cast<std::uint32_t>(access.value));
  }
  for (std::size_t v = 0; v < views_.size(); ++v) {
    View& view = views_[v];
    const std::uint64_t value = view.time_base.value(at);
    const bool rises = (value & view.bit) != 0 && (view.value_before & view.bit) == 0;
    view.value_before = value;
    for (Line& line : lines_) {
      if (line.view == v && rises) line.n = line.raw = 1;
    }
    if (!written.empty()) {
      view.time_base.write(at + 1, written.back());
    }
    const Cycle next = written.empty() ? view.time_base.next_tick(at) : at + 1;
    quiet_until_ = std::min(quiet_until_, next);
  }
  if (!written.empty()) steady_until_ = at + 1;
  if (access_ < accesses.size()) steady_until_ = std::min(steady_until_, block_->begin + accesses[access_].at);
  quiet_until_ = std::min(quiet_until_, steady_until_);
}

// Periods are counted from cycle 0, and again from each cycle in which the length changes.
void Occurrences::count_bus_clock(Cycle at) {
  const std::uint64_t ratio = value_of(values_, State::bus_ratio);
  if (!bus_ratio_) bus_ratio_ = ratio;
  const bool restarted = at == bus_ratio_since_ && at != 0;
  if (!restarted && bus_clock_begins(at - bus_ratio_since_, *bus_ratio_)) {
    for (Line& line : lines_) line.n = line.raw = 1;
  }
  if (ratio != *bus_ratio_) {
    bus_ratio_ = ratio;
    bus_ratio_since_ = at;
  }
  const Cycle next = next_bus_clock(at - bus_ratio_since_, ratio);
  if (next != activity::never) quiet_until_ = std::min(quiet_until_, bus_ratio_since_ + next);
}

// The level counts in only one cycle: the first in which it has held long enough.
void Occurrences::count_long_level(Cycle at) {
  const bool holds = increment().amount != 0;
  for (Line& line : lines_) line.n = line.raw = 0;
  if (!holds) {
    holds_since_.reset();
    return;
  }
  if (!holds_since_) holds_since_ = at;
  const Cycle counts_at = *holds_since_ + choices_.*event_.longer_than;
  if (counts_at > at) quiet_until_ = std::min(quiet_until_, counts_at);
  if (counts_at != at) return;
  for (Line& line : lines_) line.n = line.raw = 1;
}

// No state has changed since the previous call.
void Occurrences::await_until(Cycle at) {
  if (awaited_to_ && at > *awaited_to_ && value_of(values_, State::clock) != 0) awaited_ += at - *awaited_to_;
  awaited_to_ = std::max(at, awaited_to_.value_or(at));
}

// The cycles since the previous retirement count when a group retires that counts.
void Occurrences::count_awaited(Cycle at, bool retires) {
  if (!retires) return;
  for (Line& line : lines_) {
    if (line.n != 0) line.n = static_cast<std::uint32_t>(awaited_ + 1);
  }
  awaited_ = 0;
  awaited_to_ = at + 1;
}

void Occurrences::count(Cycle at, bool clocked) {
  const bool awaits = event_.of_groups && choices_.awaited_cycles;
  if (awaits) await_until(at);
  quiet_until_ = block_->end;
  for (StateCursor& cursor : states_) {
    cursor.move_to(at);
    std::uint64_t& value = values_[static_cast<std::size_t>(cursor.state())];
    if (event_.time_base && cursor.state() == State::bus_ratio && cursor.value() != value) {
      for (View& view : views_) view.time_base.set_ratio(at, cursor.value());
    }
    value = cursor.value();
    quiet_until_ = std::min(quiet_until_, cursor.next());
  }
  event_.longer_than == nullptr ? count_level() : count_long_level(at);
  if (event_.transition) count_transition();
  if (event_.unit != CaptureUnit::none) count_captures(at);
  const auto at_occurrence = [&](const Column& column) {
    return column.index < column.entries->size() && block_->begin + (*column.entries)[column.index].at == at;
  };
  const bool retires = awaits && at_occurrence(columns_.front());
  for (Column& column : columns_) count_column(column, at);
  steady_until_ = quiet_until_;
  if (event_.time_base) count_time_base(at);
  if (event_.bus_clock) count_bus_clock(at);
  event_.carries ? carry_over(at, clocked) : cap();
  if (awaits) count_awaited(at, retires);
  if (event_.clock != nullptr && clocked) look_at_clock(at);
  convert();
}

void Occurrences::count_quiet() {
  count_level();
  if (event_.longer_than != nullptr) {
    for (Line& line : lines_) line.n = line.raw = 0;
  }
  cap();
  convert();
}

std::vector<std::uint64_t> Occurrences::count_ticks(Cycle at, Cycle to) {
  std::vector<std::uint64_t> cycles(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    line.n = line.raw = 1;
    if (event_.bus_clock) {
      const Cycle since = bus_ratio_since_;
      cycles[i] = bus_clocks_between(at - since, to - since, value_of(values_, State::bus_ratio));
      continue;
    }
    const View& view = views_[line.view];
    cycles[i] = times_reached(view.bit, view.time_base.value(at), view.time_base.value(to - 1));
  }
  for (View& view : views_) view.value_before = view.time_base.value(to - 1);
  cap();
  convert();
  return cycles;
}

void Occurrences::cap() {
  if (choices_.three_at_most) {
    for (Line& line : lines_) line.n = std::min(line.n, 3u);
  }
  if (event_.most == 0 || choices_.uncapped) return;
  for (Line& line : lines_) line.n = std::min(line.n, event_.most);
}

// What exceeds the maximum of a cycle is counted in the next cycles in which the clock runs.
void Occurrences::carry_over(Cycle at, bool clocked) {
  if (!clocked) return;
  for (Line& line : lines_) {
    const std::uint32_t there = line.n + line.left;
    line.n = std::min(there, event_.most);
    line.left = there - line.n;
    if (line.left != 0) quiet_until_ = at + 1;
  }
}

// Whatever happens in a clock cycle after its first core cycle is not visible.
void Occurrences::look_at_clock(Cycle at) {
  const Cycle clock = at / std::max(choices_.*event_.clock, 1u);
  const bool seen = last_clock_ == clock;
  for (Line& line : lines_) {
    if (line.n != 0) last_clock_ = clock;
    if (seen) line.n = 0;
  }
}

void Occurrences::convert() {
  const bool drops = event_.halves && choices_.halves_dropped;
  if (event_.of_cycle == nullptr && !drops) return;
  for (Line& line : lines_) {
    if (event_.of_cycle != nullptr) {
      line.n = event_.of_cycle(line.n);
      line.raw = event_.of_cycle(line.raw);
    }
    if (drops) line.n -= line.n % 2;
  }
}

}  // namespace pmusim::oracle
