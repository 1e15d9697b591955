#include "models/core/athlon/window.h"

#include <bit>
#include <iterator>

#include "models/core/athlon/core.h"

namespace pmusim::core::athlon {

namespace hold = activity::dispatch_hold;

namespace {
constexpr Sequence back_mask = (1u << 10) - 1;  // the range of Producer::back
constexpr int name_bits = 4;                    // bits of a register in Window::stack_
}  // namespace

Window::Window(Machine& machine, InFlight& flight, AthlonCore& core)
    : machine_(machine),
      flight_(flight),
      core_(core),
      entries_(std::bit_ceil(std::size_t{machine.settings.reorder_lines} * dispatch_width)),
      mask_(entries_.size() - 1) {
  for (Scheduler& station : stations_) station.waiting.reserve(settings_.station_entries);
  fp_.waiting.reserve(settings_.fp_entries);
}

// True if a scheduler has no room for `wanted` more entries beside those that are not free yet.
bool Window::is_full(Scheduler& scheduler, std::size_t wanted, unsigned entries) {
  wanted += scheduler.waiting.size();
  if (wanted + scheduler.released.most_held() <= entries) return false;
  const unsigned held = scheduler.released.held(agenda_.now());
  if (wanted + held <= entries) return false;
  if (held != 0) agenda_.at(agenda_.now() + 1);
  return true;
}

std::uint64_t Window::lacks_room(const DispatchLine& line) {
  std::uint64_t causes = 0;
  // A line keeps its room until the last of its macro-operations has retired.
  if (!empty() && line_ - entry(head_).line >= settings_.reorder_lines) causes |= hold::reorder_buffer_full;
  for (unsigned i = 0; i < line.count; ++i) {
    if ((line.stations >> i & 1u) != 0 && is_full(stations_[i], 1, settings_.station_entries))
      causes |= hold::reservation_full;
  }
  if (line.fp != 0 && is_full(fp_, line.fp, settings_.fp_entries)) causes |= hold::fp_full;
  return causes;
}

void Window::dispatch(const DispatchLine& line, const std::array<std::uint8_t, dispatch_width>& accesses) {
  for (unsigned i = 0; i < line.count; ++i) dispatch(i, line.parts[i], accesses[i]);
  ++line_;
}

void Window::dispatch(unsigned position, const DispatchLine::Part& part, std::uint8_t address_parts) {
  const auto [sequence, operation] = part;
  const std::uint64_t place = tail_++;
  Chunk& chunk = flight_.at(sequence);
  const StaticCode& code = *chunk.code;
  if (operation == 0) {
    chunk.reorder = place;
    find_producers(sequence, chunk);
  }
  const bool address = address_parts != 0;
  const bool execute = !(code.load_only && address);
  const auto parts = static_cast<std::uint8_t>(address_parts + (execute ? 1 : 0));
  entry(place) = {0, sequence, line_, parts, address && execute};
  chunk.parts_left = static_cast<std::uint8_t>(chunk.parts_left + parts);
  const Cycle earliest = agenda_.now() + dispatch_to_execute;
  if (!code.fp) {
    stations_[station_of(position, code, operation)].waiting.push_back(
        {sequence, place, earliest, operation, address, execute});
  } else {
    fp_.waiting.push_back({sequence, place, earliest, operation, false, true});
    if (address) stations_[position].waiting.push_back({sequence, place, earliest, operation, true, false});
  }
  ++chunk.dispatched;
}

void Window::find_producers(Sequence sequence, Chunk& chunk) {
  const StaticCode& code = *chunk.code;
  chunk.stack = stack_;
  if (!code.fp) {  // uses no register of the x87 stack
    const auto same = [](unsigned named) { return named; };
    await_producers(sequence, chunk, same);
    return become_producer(sequence, code, same);
  }
  const auto renamed = [this](unsigned named) {
    constexpr unsigned first = trace::x86::reg_fp;
    return named - first < 8 ? first + (stack_ >> name_bits * (named - first) & 7) : named;
  };
  await_producers(sequence, chunk, renamed);
  // The written registers are named after a push, but before a pop.
  if (code.pushes > 0) stack_ = std::rotl(stack_, name_bits);
  become_producer(sequence, code, renamed);
  if (code.pushes < 0) stack_ = std::rotl(stack_, name_bits * code.pushes);
  if (code.exchanged != 0) {
    const std::uint32_t change = (stack_ ^ stack_ >> name_bits * code.exchanged) & 0xf;
    stack_ ^= change | change << name_bits * code.exchanged;
  }
}

/// `place`: maps a register to its index in writers_.
template <class Place>
void Window::await_producers(Sequence sequence, Chunk& chunk, const Place& place) {
  for (std::uint32_t left = chunk.code->reads; left != 0; left &= left - 1) {
    const auto named = static_cast<unsigned>(std::countr_zero(left));
    const unsigned r = place(named);
    if (writers_[r] <= flight_.retired) continue;
    Awaited& awaited = (chunk.code->address_reads >> named & 1u) != 0 ? chunk.address : chunk.data;
    awaited.producers[awaited.count++] = {static_cast<std::uint16_t>((sequence + 1 - writers_[r]) & back_mask),
                                          second_[r]};
  }
}

template <class Place>
void Window::become_producer(Sequence sequence, const StaticCode& code, const Place& place) {
  for (std::uint32_t left = code.writes; left != 0; left &= left - 1) {
    const auto named = static_cast<unsigned>(std::countr_zero(left));
    const unsigned r = place(named);
    writers_[r] = sequence + 1;
    second_[r] = static_cast<std::uint8_t>(code.second_results >> named & 1u);
  }
}

// Removes the results whose cycle is known, up to the first one whose cycle is unknown.
bool Window::known(Waiting& waiting, Awaited& awaited) {
  for (; awaited.count != 0; --awaited.count) {
    const Producer from = awaited.producers[awaited.count - 1u];
    const Sequence producer = waiting.sequence - from.back;
    if (producer < flight_.retired) continue;
    const Cycle result = flight_.result(producer, from.second);
    if (result == activity::never) {
      waiting.back = from.back;
      waiting.second = from.second != 0;
      return false;
    }
    awaited.ready = std::max(awaited.ready, result);
  }
  return true;
}

bool Window::address_ready(Waiting& waiting, Chunk& chunk) {
  if (!known(waiting, chunk.address)) return false;
  if (chunk.address.ready <= agenda_.now()) return true;
  agenda_.at(chunk.address.ready);
  return false;
}

bool Window::execute_ready(Waiting& waiting, Chunk& chunk) {
  // The operations of a microcoded instruction before its last macro-operation only prepare that one.
  if (waiting.operation + 1 != chunk.operations()) return true;
  if (chunk.loads_left != 0 || chunk.dispatched != chunk.operations()) return false;
  if (!known(waiting, chunk.data) || !known(waiting, chunk.address)) return false;
  const Cycle ready = std::max({chunk.data.ready, chunk.address.ready, chunk.data_ready});
  if (ready <= agenda_.now()) return true;
  agenda_.at(ready);
  return false;
}

// Reserves the multiplier, FP divider or lock that the last macro-operation needs.
bool Window::unit_ready(const StaticCode& code) {
  Cycle& free = unit_free_[static_cast<std::size_t>(code.unit)];
  if (free > agenda_.now()) {
    agenda_.at(free);
    return false;
  }
  free = agenda_.now() + code.busy;
  return true;
}

// An instruction starts when its first part starts; the iterations of a repeated instruction are its parts.
void Window::starts(Sequence sequence, Chunk& chunk) {
  if (chunk.issued || !records_progress()) return;
  chunk.issued = true;
  if (chunk.first) starting_.push_back(sequence);
}

void Window::start_execute(Waiting& waiting, Chunk& chunk) {
  starts(waiting.sequence, chunk);
  const bool last = waiting.operation + 1 == chunk.operations();
  const Cycle result = agenda_.now() + (last ? chunk.code->latency : 1);
  const Cycle late = last ? chunk.code->late : 0;
  waiting.execute = false;
  if (last) {
    flight_.result(waiting.sequence) = result;
    if (late != 0) flight_.result(waiting.sequence, 1) = result + late;
    if (chunk.code->is_branch || chunk.code->segment >= 0) core_.executes(waiting.sequence, result);
  }
  part_done(waiting.place, result + late);
  agenda_.changed();
}

void Window::issue_parts(Waiting& waiting, Used& used) {
  Chunk& chunk = flight_.at(waiting.sequence);
  const StaticCode& code = *chunk.code;
  if (waiting.address) {
    if (used.address || !address_ready(waiting, chunk)) return;
    used.address = true;
    waiting.address = false;
    if (code.pointers != 0 && waiting.operation == 0) flight_.result(waiting.sequence, 1) = agenda_.now() + 1;
    starts(waiting.sequence, chunk);
    core_.address_issued(waiting.sequence, waiting.operation);
    agenda_.changed();
  }
  if (!waiting.execute || (used.execute && code.pipe == Pipe::integer) || !execute_ready(waiting, chunk)) return;
  bool bus_used = false;  // the load-store unit takes the data of a store from the bus of its result
  bool& pipe_used = code.pipe == Pipe::integer ? used.execute : code.pipe == Pipe::address ? used.address : bus_used;
  if (pipe_used) return;
  const bool last = waiting.operation + 1 == chunk.operations();
  if (code.unit != Unit::none && last && !unit_ready(code)) return;
  pipe_used = true;
  start_execute(waiting, chunk);
}

void Window::issue_integer(Scheduler& station) {
  const Cycle now = agenda_.now();
  Used used;
  std::vector<Waiting>& all = station.waiting;
  unsigned gone = 0;
  for (auto waiting = all.begin(); waiting != all.end(); ++waiting) {
    if (waiting->earliest > now) {
      agenda_.at(waiting->earliest);
    } else if (!still_waits(*waiting)) {
      issue_parts(*waiting, used);
      if (!waiting->address && !waiting->execute) {
        ++gone;
        continue;
      }
    }
    if (gone != 0) *(waiting - gone) = *waiting;
  }
  if (gone == 0) return;
  all.erase(all.end() - gone, all.end());
  station.released.give_back(now, now + settings_.entry_release, gone);
}

// The first free pipe that the instruction can use, otherwise the one that becomes free first.
unsigned Window::pipe_for(Pipe pipe) {
  constexpr unsigned add = 0, multiply = 1, store = 2;
  const auto better = [this](unsigned first, unsigned second) {
    return fp_pipe_free_[second] < fp_pipe_free_[first] && fp_pipe_free_[first] > agenda_.now() ? second : first;
  };
  switch (pipe) {
    case Pipe::fp_multiply:
      return multiply;
    case Pipe::fp_store:
      return store;
    case Pipe::fp_add_or_multiply:
      return better(add, multiply);
    case Pipe::fp_any:
      return better(better(store, add), multiply);
    default:
      return add;
  }
}

void Window::issue_fp() {
  const Cycle now = agenda_.now();
  bool done = false;
  for (Waiting& waiting : fp_.waiting) {
    if (waiting.earliest > now) {
      agenda_.at(waiting.earliest);
      break;
    }
    if (still_waits(waiting)) continue;
    Chunk& chunk = flight_.at(waiting.sequence);
    const StaticCode& code = *chunk.code;
    const bool last = waiting.operation + 1 == chunk.operations();
    const unsigned pipe = pipe_for(last || code.both_halves ? code.pipe : Pipe::fp_any);
    if (fp_pipe_free_[pipe] > now) {
      agenda_.at(fp_pipe_free_[pipe]);
      continue;
    }
    if (!execute_ready(waiting, chunk)) continue;
    // Divide, square root and the transcendentals are not pipelined.
    const bool divides = last && code.unit == Unit::fp_divider;
    if (divides && !unit_ready(code)) continue;
    const bool holds = last && !(divides && settings_.multiply_beside_divide);
    fp_pipe_free_[pipe] = now + (holds ? code.busy : 1);
    start_execute(waiting, chunk);
    done = true;
  }
  if (!done) return;
  const auto left = static_cast<unsigned>(std::erase_if(fp_.waiting, [](const Waiting& w) { return !w.execute; }));
  fp_.released.give_back(now, now + settings_.entry_release, left);
}

void Window::issue() {
  for (Scheduler& station : stations_) {
    if (!station.waiting.empty()) issue_integer(station);
  }
  if (!fp_.waiting.empty()) issue_fp();
}

void Window::note_end(Sequence sequence, Cycle cycle) {
  Chunk& chunk = flight_.at(sequence);
  chunk.finish = std::max(chunk.finish, cycle);
  if (--chunk.parts_left != 0 || chunk.dispatched != chunk.operations() || !chunk.last) return;
  const Finish finish{std::max(chunk.finish, agenda_.now()), sequence};
  const auto before = [](const Finish& a, const Finish& b) {
    return a.at != b.at ? a.at < b.at : a.sequence < b.sequence;
  };
  auto behind = finishing_.end();  // most are inserted close to the end
  while (behind != finishing_.begin() && before(*std::prev(behind), finish)) --behind;
  finishing_.insert(behind, finish);
}

void Window::record_progress() {
  if (starting_.size() > 1) std::sort(starting_.begin(), starting_.end());
  for (const Sequence sequence : starting_) record(sequence, Signal::issue);
  starting_.clear();
  for (; !finishing_.empty() && finishing_.back().at <= agenda_.now(); finishing_.pop_back()) {
    record(finishing_.back().sequence, Signal::finish);
  }
  if (!finishing_.empty()) agenda_.at(finishing_.back().at);
}

void Window::load_done(Sequence sequence, std::uint64_t place, Cycle cycle) {
  Chunk& chunk = flight_.at(sequence);
  --chunk.loads_left;
  chunk.data_ready = std::max(chunk.data_ready, cycle);
  if (chunk.code->load_only && chunk.loads_left == 0) flight_.result(sequence) = chunk.data_ready;
  part_done(place, cycle);
  agenda_.changed();
}

void Window::kill(Sequence from) {
  const auto younger = [from](const Waiting& w) { return w.sequence >= from; };
  for (Scheduler& station : stations_) std::erase_if(station.waiting, younger);
  std::erase_if(fp_.waiting, younger);
  std::erase_if(finishing_, [from](const Finish& f) { return f.sequence >= from; });
  std::erase_if(starting_, [from](Sequence sequence) { return sequence >= from; });
  for (Sequence& writer : writers_) {
    if (writer > from) writer = 0;
  }
  if (from >= flight_.dispatched) return;
  stack_ = flight_.at(from).stack;
  tail_ = std::max(head_, flight_.at(from).reorder);
  if (!empty()) line_ = entry(tail_ - 1).line + 1;
}

}  // namespace pmusim::core::athlon
