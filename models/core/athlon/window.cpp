#include "models/core/athlon/window.h"

#include <bit>

namespace pmusim::core::athlon {

namespace hold = activity::dispatch_hold;

Window::Window(Machine& machine, InFlight& flight, WindowListener& listener)
    : machine_(machine),
      settings_(machine.settings),
      agenda_(machine.agenda),
      flight_(flight),
      listener_(listener),
      entries_(std::bit_ceil(std::size_t{machine.settings.reorder_lines} * dispatch_width)) {
  for (auto& station : stations_) station.reserve(settings_.station_entries);
  fp_.reserve(settings_.fp_entries);
}

std::uint64_t Window::lacks_room(const DispatchLine& line) {
  std::uint64_t causes = 0;
  const std::uint64_t oldest_line = head_ / dispatch_width * dispatch_width;
  if (tail_ - oldest_line >= std::uint64_t{settings_.reorder_lines} * dispatch_width)
    causes |= hold::reorder_buffer_full;
  unsigned fp = 0;
  for (unsigned i = 0; i < line.count; ++i) {
    const StaticCode& code = *flight_.at(line.parts[i].sequence).code;
    if (code.fp) ++fp;
    const bool integer = !code.fp || code.has(activity::Trait::load) || code.has(activity::Trait::store);
    if (integer && stations_[i].size() >= settings_.station_entries) causes |= hold::reservation_full;
  }
  if (fp != 0 && fp_.size() + fp > settings_.fp_entries) causes |= hold::fp_full;
  return causes;
}

void Window::dispatch(const DispatchLine& line, std::array<std::uint8_t, dispatch_width> address_parts) {
  for (unsigned i = 0; i < dispatch_width; ++i) {
    const std::uint64_t place = tail_ + i;
    Entry& e = entry(place);
    e = {};
    if (i >= line.count) continue;
    const Sequence sequence = line.parts[i].sequence;
    const std::uint8_t operation = line.parts[i].operation;
    Chunk& chunk = flight_.at(sequence);
    if (operation == 0) {
      chunk.reorder = place;
      find_sources(sequence);
    }
    const bool address = address_parts[i] != 0;
    const bool execute = !(chunk.code->load_only && address);
    e.sequence = sequence;
    e.used = true;
    e.parts = static_cast<std::uint8_t>(address_parts[i] + (execute ? 1 : 0));
    const Cycle earliest = agenda_.now() + dispatch_to_execute;
    if (!chunk.code->fp) {
      stations_[i].push_back({sequence, place, earliest, operation, address, execute});
    } else {
      fp_.push_back({sequence, place, earliest, operation, false, true});
      if (address) stations_[i].push_back({sequence, place, earliest, operation, true, false});
    }
    ++chunk.dispatched;
  }
  tail_ += dispatch_width;
}

void Window::find_sources(Sequence sequence) {
  const StaticCode& code = *flight_.at(sequence).code;
  Sources& s = sources(sequence);
  s.all.count = s.address.count = 0;
  s.all.ready = s.address.ready = 0;
  for (std::uint32_t left = code.reads; left != 0; left &= left - 1) {
    const auto r = static_cast<unsigned>(std::countr_zero(left));
    if (writers_[r] == 0 || writers_[r] - 1 < flight_.retired) continue;
    s.all.pending[s.all.count++] = writers_[r] - 1;
    if ((code.address_reads >> r & 1u) != 0) s.address.pending[s.address.count++] = writers_[r] - 1;
  }
  for (std::uint32_t left = code.writes; left != 0; left &= left - 1) {
    writers_[static_cast<unsigned>(std::countr_zero(left))] = sequence + 1;
  }
}

Cycle Window::resolve(Producers& producers) {
  for (unsigned i = 0; i < producers.count;) {
    const Sequence producer = producers.pending[i];
    const Cycle result = producer >= flight_.retired ? flight_.at(producer).result : 0;
    if (result == activity::never) {
      ++i;
      continue;
    }
    producers.ready = std::max(producers.ready, result);
    producers.pending[i] = producers.pending[--producers.count];
  }
  return producers.count != 0 ? activity::never : producers.ready;
}

bool Window::address_ready(const Waiting& waiting) {
  const Cycle ready = resolve(sources(waiting.sequence).address);
  if (ready <= agenda_.now()) return true;
  agenda_.at(ready);
  return false;
}

bool Window::execute_ready(const Waiting& waiting) {
  Cycle ready = resolve(sources(waiting.sequence).all);
  const Chunk& chunk = flight_.at(waiting.sequence);
  if (waiting.operation + 1 == chunk.operations) {
    if (chunk.loads_left != 0 || chunk.dispatched != chunk.operations) return false;
    ready = std::max(ready, chunk.data_ready);
  }
  if (ready <= agenda_.now()) return true;
  agenda_.at(ready);
  return false;
}

void Window::start_address(Waiting& waiting) {
  waiting.address = false;
  listener_.address_issued(waiting.sequence, waiting.operation);
  agenda_.changed();
}

void Window::start_execute(Waiting& waiting) {
  Chunk& chunk = flight_.at(waiting.sequence);
  const bool last = waiting.operation + 1 == chunk.operations;
  const Cycle result = agenda_.now() + (last ? chunk.code->latency : 1);
  waiting.execute = false;
  if (last) {
    chunk.result = result;
    listener_.executes(waiting.sequence, result);
  }
  part_done(waiting.place, result);
  agenda_.changed();
}

void Window::issue() {
  const Cycle now = agenda_.now();
  for (auto& station : stations_) {
    bool address_used = false, execute_used = false, done = false;
    for (Waiting& waiting : station) {
      if (waiting.earliest > now) {
        agenda_.at(waiting.earliest);
        break;  // and all behind it
      }
      if (waiting.address && !address_used && address_ready(waiting)) {
        address_used = true;
        start_address(waiting);
      }
      if (waiting.execute && !waiting.address && !execute_used && execute_ready(waiting)) {
        const StaticCode& code = *flight_.at(waiting.sequence).code;
        // One multiplier; a divide keeps it for as long as it takes.
        const bool multiplies = code.latency == settings_.multiply || code.latency == settings_.divide;
        if (multiplies && !code.far_transfer && code.segment < 0 && multiplier_free_ > now) {
          agenda_.at(multiplier_free_);
        } else {
          if (multiplies) multiplier_free_ = now + (code.latency == settings_.divide ? settings_.divide : 1);
          execute_used = true;
          start_execute(waiting);
        }
      }
      done |= !waiting.address && !waiting.execute;
      if (address_used && execute_used) break;
    }
    if (done) std::erase_if(station, [](const Waiting& w) { return !w.address && !w.execute; });
  }
  bool done = false;
  for (Waiting& waiting : fp_) {
    if (waiting.earliest > now) {
      agenda_.at(waiting.earliest);
      break;
    }
    const StaticCode& code = *flight_.at(waiting.sequence).code;
    unsigned pipe = code.pipe == Pipe::fp_multiply ? 1 : code.pipe == Pipe::fp_store ? 2 : 0;
    if (code.pipe == Pipe::fp_add_or_multiply && fp_pipe_free_[0] > now) pipe = 1;
    if (fp_pipe_free_[pipe] > now) {
      agenda_.at(fp_pipe_free_[pipe]);
      continue;
    }
    if (!execute_ready(waiting)) continue;
    // Divide, square root and the transcendentals are not pipelined.
    const bool last = waiting.operation + 1 == flight_.at(waiting.sequence).operations;
    const bool holds = last && code.latency >= settings_.fp_divide;
    fp_pipe_free_[pipe] = now + (holds ? code.latency : 1);
    start_execute(waiting);
    done = true;
  }
  if (done) std::erase_if(fp_, [](const Waiting& w) { return !w.execute; });
}

void Window::part_done(std::uint64_t place, Cycle cycle) {
  Entry& e = entry(place);
  --e.parts;
  e.done = std::max(e.done, cycle);
}

void Window::load_done(Sequence sequence, std::uint64_t place, Cycle cycle) {
  Chunk& chunk = flight_.at(sequence);
  --chunk.loads_left;
  chunk.data_ready = std::max(chunk.data_ready, cycle);
  if (chunk.code->load_only && chunk.loads_left == 0) chunk.result = chunk.data_ready;
  part_done(place, cycle);
  agenda_.changed();
}

void Window::skip_unused() {
  while (head_ != tail_ && !entry(head_).used) ++head_;
}

unsigned Window::ready_to_retire() {
  skip_unused();
  unsigned count = 0;
  for (std::uint64_t place = head_; place != tail_ && count < dispatch_width; ++place) {
    const Entry& e = entry(place);
    if (!e.used) continue;
    if (e.parts != 0) break;
    if (e.done >= agenda_.now()) {
      agenda_.at(e.done + 1);
      break;
    }
    ++count;
  }
  return count;
}

Sequence Window::retire_oldest() {
  skip_unused();
  Entry& e = entry(head_++);
  e.used = false;
  skip_unused();
  return e.sequence;
}

void Window::kill(Sequence from) {
  const auto younger = [from](const Waiting& w) { return w.sequence >= from; };
  for (auto& station : stations_) std::erase_if(station, younger);
  std::erase_if(fp_, younger);
  for (Sequence& writer : writers_) {
    if (writer > from) writer = 0;
  }
  while (tail_ != head_) {
    bool keeps = false;
    for (std::uint64_t place = tail_ - dispatch_width; place != tail_; ++place) {
      Entry& e = entry(place);
      if (place < head_) continue;
      if (e.used && e.sequence >= from) e.used = false;
      keeps |= e.used;
    }
    if (keeps) break;
    tail_ = std::max(head_, tail_ - dispatch_width);
    if (tail_ == head_) break;
  }
  tail_ = (tail_ + dispatch_width - 1) / dispatch_width * dispatch_width;
  skip_unused();
}

}  // namespace pmusim::core::athlon
