#include "models/core/athlon/memory_side.h"

#include <bit>

#include "models/core/parts/renew.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

namespace {

CacheShape shape(const Settings& settings, unsigned bytes, unsigned ways, bool virtual_index) {
  CacheShape s = shape_of(bytes, ways, settings.line_bytes);
  s.replacement = settings.pseudo_lru ? Replacement::pseudo_lru : Replacement::lru;
  s.virtual_index_from = virtual_index ? static_cast<std::uint32_t>(std::countr_zero(page_bytes)) : 0;
  return s;
}

}  // namespace

MemorySide::MemorySide(Machine& machine)
    : machine_(machine),
      l1i_(shape(settings_, settings_.l1i_bytes, settings_.l1i_ways, true)),
      l1d_(shape(settings_, settings_.l1d_bytes, settings_.l1d_ways, true)),
      l2_(shape(settings_, settings_.l2_bytes, settings_.l2_ways, false)),
      write_buffer_(settings_.write_buffers, settings_.line_bytes),
      whole_line_(settings_.line_bytes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << settings_.line_bytes) - 1) {}

void MemorySide::start_request(NamedRequest& request, std::uint64_t address, std::uint32_t size) {
  renew(request);
  request.record.id = next_request_++;
  request.record.address = address;
  request.record.size = size;
  request.record.start = agenda_.now();
  request.record.cpl = static_cast<std::uint8_t>(recorder_.get(State::cpl));
  request.record.mode = static_cast<activity::OperatingMode>(recorder_.get(State::operating_mode));
}

unsigned MemorySide::data_fills_pending() const {
  unsigned count = 0;
  for (unsigned i = 0; i < data_.size(); ++i) {
    count += (data_busy_ >> i & 1u) != 0 && data_[i].kind == AccessKind::load ? 1 : 0;
  }
  return count;
}

int MemorySide::fill_of(std::span<const Fill> fills, std::uint32_t busy, std::uint64_t line) {
  for (; busy != 0; busy &= busy - 1) {
    const int i = std::countr_zero(busy);
    if (const Fill& fill = fills[static_cast<unsigned>(i)]; fill.line == line && !fill.uncached) return i;
  }
  return -1;
}

// --- first step of a cycle -------------------------------------------------------------------------

void MemorySide::arrive_due() {
  const Cycle now = agenda_.now();
  next_arrival_ = activity::never;
  const auto take = [&](auto& fills, std::uint32_t& busy, std::uint32_t& arrived, bool data_side) {
    for (std::uint32_t left = busy; left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(left));
      if (fills[i].done > now) {
        next_arrival_ = std::min(next_arrival_, fills[i].done);
        continue;
      }
      busy &= ~(1u << i);
      arrived |= 1u << i;
      arrive(fills[i], data_side);
    }
  };
  take(data_, data_busy_, data_arrived_, true);
  take(code_, code_busy_, code_arrived_, false);
  for (std::size_t i = 0; i < walks_.size();) {
    if (walks_[i].at > now) {
      next_arrival_ = std::min(next_arrival_, walks_[i++].at);
      continue;
    }
    correct_ecc(walks_[i].line, false);
    jobs_.push_back({JobKind::install, now, walks_[i].line, LineState::exclusive, 0, false, walks_[i].rewrite});
    walks_.erase(walks_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  agenda_.changed();
}

void MemorySide::send_old_writes() {
  const Cycle now = agenda_.now();
  while (!write_buffer_.empty()) {
    const auto old =
        now >= settings_.write_buffer_age ? write_buffer_.take_born_by(now - settings_.write_buffer_age) : std::nullopt;
    if (!old) {
      agenda_.at(write_buffer_.oldest_born() + settings_.write_buffer_age);
      return;
    }
    send(*old);
  }
}

void MemorySide::arrive(Fill& fill, bool data_side) {
  if (fill.uncached) return;
  const bool from_l2 = fill.found != LineState::invalid;
  correct_ecc(fill.line, from_l2);
  if (data_side) {
    l1d_.set_state(l1d_.find(fill.address, fill.line), fill.line, fill.install);
    if (fill.install == LineState::modified) own_line(fill.line);  // the line may have reached L1I in the meantime
  } else {
    const Cache::Slot data = l1d_.find_anywhere(fill.line);
    if (data != Cache::none && is_dirty(l1d_.state(data, fill.line)) && data_fill_of(fill.line) < 0) {
      // A store hit the line while its fill was in flight: L1I never has a line that L1D has modified.
      recorder_.occur(Signal::cross_invalidate, fill.request, d::cross_from_data);
      leave_l1d(data, d::evict_to_l2);
    }
    const Victim victim = l1i_.fill(fill.address, fill.line, LineState::shared);
    if (victim.valid) {
      recorder_.occur(Signal::line_evict, evict_detail(d::cache_l1i, victim.states[0], d::evict_replacement));
    }
    if (!from_l2) jobs_.push_back({JobKind::install, agenda_.now(), fill.line, LineState::shared});
  }
  recorder_.occur(Signal::line_fill, fill.request,
                  (data_side ? d::side_data : 0) | fill_detail(fill.found, fill.install));
}

void MemorySide::correct_ecc(std::uint64_t line, bool from_l2) {
  for (std::size_t i = 0; i < ecc_.size(); ++i) {
    if (ecc_[i].line != line || ecc_[i].in_l2 != from_l2) continue;
    recorder_.occur(Signal::ecc_correction, from_l2 ? d::ecc_from_l2 : 0);
    ecc_.erase(ecc_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

// --- L1 probes ---------------------------------------------------------------------------------------

Probe MemorySide::probe_data(std::uint64_t address, std::uint64_t physical, AccessKind kind, NamedRequest& request,
                             std::uint16_t part, trace::Level forced) {
  const std::uint64_t line = l1d_.line_of(physical);
  const std::uint16_t detail = d::side_data | access_of(kind) | part;
  const auto probed = [&](std::uint16_t result) {
    recorder_.occur(Signal::dcache_lookup, request, detail | result);
    agenda_.changed();
  };
  if (data_busy_ != 0) {
    if (const int fill = data_fill_of(line); fill >= 0) {
      Fill& f = data_[static_cast<unsigned>(fill)];
      if (kind == AccessKind::store && f.kind != AccessKind::store) {
        // Ownership of the line is requested as well; the system then no longer answers `shared`.
        f.kind = AccessKind::store;
        if (f.install != LineState::invalid) f.install = LineState::modified;
        own_line(line);
      }
      l1d_.touch(l1d_.find(f.address, line));
      probed(d::lookup_pending);
      return {Outcome::pending, static_cast<std::uint8_t>(fill)};
    }
  }
  const Cache::Slot slot = l1d_.find(address, physical);
  const bool forced_away = forced == trace::Level::l2 || forced == trace::Level::l3 || forced == trace::Level::memory;
  if (slot != Cache::none && !forced_away) {
    l1d_.touch(slot);
    probed(d::lookup_hit);
    const LineState state = l1d_.state(slot, physical);
    const bool write_back = machine_.map.type(physical) == MemoryType::write_back;
    if (kind == AccessKind::store && write_back && state != LineState::modified) {
      if (state != LineState::exclusive) ask_ownership(line);
      l1d_.set_state(slot, physical, LineState::modified);
      own_line(line);
    }
    return {Outcome::hit};
  }
  if (forced == trace::Level::l1 && slot == Cache::none) {
    probed(d::lookup_hit);
    return {Outcome::hit};
  }
  // A miss. Stores to memory that is not write-back bypass the cache.
  const MemoryType type = machine_.map.type(physical);
  if (is_store(kind) && type != MemoryType::write_back) {
    probed(d::lookup_miss);
    return {Outcome::hit};
  }
  const std::uint32_t usable = (1u << settings_.data_fills) - 1;
  const std::uint32_t idle = ~data_busy_ & usable;
  if (idle == 0) return {Outcome::stall};
  if (slot != Cache::none) leave_l1d(slot, d::evict_to_l2);
  const Victim next = l1d_.next_victim(address, physical);
  if (next.valid && data_busy_ != 0 && data_fill_of(next.address) >= 0) return {Outcome::stall};
  const auto index = static_cast<std::uint8_t>(std::countr_zero(idle));
  probed(d::lookup_miss);
  if (const Cache::Slot alias = l1d_.find_anywhere(physical); alias != Cache::none) {
    recorder_.occur(Signal::cross_invalidate, request, d::cross_by_data | d::cross_from_data);
    leave_l1d(alias, d::evict_to_l2);
  }
  if (owns(kind)) own_line(line);
  if (next.valid) leave_l1d(l1d_.find_anywhere(next.address), d::evict_replacement | d::evict_to_l2);
  l1d_.fill(address, line, LineState::exclusive);
  data_[index] = {.address = l1d_.line_of(address), .line = line, .kind = kind, .forced = forced, .request = request};
  data_busy_ |= 1u << index;
  recorder_.occur(Signal::line_request, request, d::side_data | access_of(kind));
  jobs_.push_back({JobKind::data_fill, agenda_.now(), line, LineState::invalid, index, true});
  return {Outcome::miss, index};
}

void MemorySide::own_line(std::uint64_t physical) {
  if (const Cache::Slot slot = l1i_.find_anywhere(physical); slot != Cache::none) {
    recorder_.occur(Signal::cross_invalidate, d::cross_by_data);
    leave_l1i(slot, 0);
  }
}

Probe MemorySide::probe_code(std::uint64_t address, std::uint64_t physical, NamedRequest& request, bool wrong_path,
                             trace::Level forced) {
  const std::uint64_t line = l1i_.line_of(physical);
  const std::uint16_t path = wrong_path ? d::access_wrong_path : 0;
  const auto fetched = [&](std::uint16_t result) {
    recorder_.occur(Signal::fetch, request, result | path);
    agenda_.changed();
  };
  const bool forced_away = forced == trace::Level::l2 || forced == trace::Level::l3 || forced == trace::Level::memory;
  const Cache::Slot slot = l1i_.find(address, physical);
  if ((slot != Cache::none && !forced_away) || forced == trace::Level::l1) {
    if (slot != Cache::none) l1i_.touch(slot);
    fetched(d::lookup_hit);
    return {Outcome::hit};
  }
  if (code_busy_ != 0) {
    if (const int fill = code_fill_of(line); fill >= 0) {
      fetched(d::lookup_pending);
      return {Outcome::pending, static_cast<std::uint8_t>(fill)};
    }
  }
  const std::uint32_t idle = ~code_busy_ & ((1u << code_fills) - 1);
  if (idle == 0) return {Outcome::stall};
  fetched(d::lookup_miss);
  if (slot != Cache::none) leave_l1i(slot, 0);
  const auto index = static_cast<unsigned>(std::countr_zero(idle));
  start_code_fill(address, physical, request, index, false, wrong_path, forced);
  const std::uint64_t next = line + settings_.line_bytes;
  const std::uint32_t rest = idle & (idle - 1);
  if (settings_.instruction_prefetch && rest != 0 && next % page_bytes != 0 && code_fill_of(next) < 0 &&
      l1i_.find_anywhere(next) == Cache::none) {
    const std::uint64_t next_address = l1i_.line_of(address) + settings_.line_bytes;
    NamedRequest prefetch;
    start_request(prefetch, next_address, settings_.line_bytes);
    prefetch.record.wrong_path = wrong_path;
    start_code_fill(next_address, next, prefetch, static_cast<unsigned>(std::countr_zero(rest)), true, wrong_path,
                    trace::Level::unset);
  }
  return {Outcome::miss, static_cast<std::uint8_t>(index)};
}

void MemorySide::start_code_fill(std::uint64_t address, std::uint64_t physical, const NamedRequest& request,
                                 unsigned index, bool prefetch, bool wrong_path, trace::Level forced) {
  const std::uint64_t line = l1i_.line_of(physical);
  Fill& fill = code_[index];
  fill = {.address = l1i_.line_of(address),
          .line = line,
          .kind = prefetch ? AccessKind::prefetch : AccessKind::load,
          .install = LineState::shared,
          .forced = forced,
          .request = request};
  code_busy_ |= 1u << index;
  if (const Cache::Slot alias = l1i_.find_anywhere(line); alias != Cache::none) {
    recorder_.occur(Signal::cross_invalidate, fill.request, 0);
    leave_l1i(alias, 0);
  }
  const Cache::Slot data = l1d_.find_anywhere(line);
  if (data != Cache::none && data_fill_of(line) < 0) {
    recorder_.occur(Signal::cross_invalidate, fill.request, d::cross_from_data);
    leave_l1d(data, d::evict_to_l2);
  }
  recorder_.occur(Signal::line_request, fill.request,
                  (prefetch ? d::access_prefetch : d::access_load) | (wrong_path ? d::access_wrong_path : 0));
  jobs_.push_back({JobKind::code_fill, agenda_.now(), line, LineState::invalid, static_cast<std::uint8_t>(index)});
}

void MemorySide::leave_l1d(Cache::Slot slot, std::uint16_t why) {
  const Victim victim = l1d_.evict(slot);
  recorder_.occur(Signal::line_evict, evict_detail(d::cache_l1d, victim.states[0], why));
  if ((why & d::evict_to_l2) != 0) {
    jobs_.push_back({JobKind::victim, agenda_.now(), victim.address, victim.states[0]});
  }
}

void MemorySide::leave_l1i(Cache::Slot slot, std::uint16_t why) {
  recorder_.occur(Signal::line_evict, evict_detail(d::cache_l1i, l1i_.evict(slot).states[0], why));
}

Probe MemorySide::read_uncached(std::uint64_t physical, NamedRequest& request) {
  const std::uint32_t idle = ~data_busy_ & ((1u << settings_.data_fills) - 1);
  if (idle == 0) return {Outcome::stall};
  flush_write_buffers();
  const auto index = static_cast<std::uint8_t>(std::countr_zero(idle));
  data_[index] = {.line = physical, .uncached = true, .request = request};
  data_busy_ |= 1u << index;
  request_bus({.type = machine_.map.type(physical),
               .dram = machine_.map.is_dram(physical),
               .to = Return::data_fill,
               .fill = index,
               .request = request});
  return {Outcome::miss, index};
}

// --- write buffers -----------------------------------------------------------------------------------

void MemorySide::write_through(std::uint64_t physical, unsigned size, MemoryType type) {
  agenda_.changed();
  if (type == MemoryType::write_protected) {
    // The line must not stay in the cache while memory is out of date.
    if (const Cache::Slot slot = l1d_.find_anywhere(physical);
        slot != Cache::none && data_fill_of(l1d_.line_of(physical)) < 0) {
      leave_l1d(slot, 0);
    }
  }
  if (type == MemoryType::uncacheable) flush_write_buffers();
  const bool combine = type == MemoryType::write_combining;
  for (unsigned left = size; left != 0;) {
    const unsigned bytes =
        std::min(left, static_cast<unsigned>(settings_.line_bytes - physical % settings_.line_bytes));
    if (const auto sent = write_buffer_.store(physical, bytes, type, combine, agenda_.now())) send(*sent);
    physical += bytes;
    left -= bytes;
  }
  if (type == MemoryType::uncacheable) flush_write_buffers();
  while (const auto full = write_buffer_.take_full()) send(*full);
}

// --- directives --------------------------------------------------------------------------------------

std::uint16_t MemorySide::snoop(std::uint64_t physical, bool invalidates) {
  const std::uint64_t line = l2_.line_of(physical);
  std::uint16_t detail = invalidates ? d::snoop_invalidates : 0;
  if (const Cache::Slot slot = l1i_.find_anywhere(line); slot != Cache::none) {
    detail |= d::snoop_hits_l1i;
    if (invalidates) leave_l1i(slot, d::evict_snoop);
  }
  const auto shared_after_read = [](LineState s) {
    return s == LineState::modified ? LineState::owned : s == LineState::exclusive ? LineState::shared : s;
  };
  const Cache::Slot data = data_fill_of(line) < 0 ? l1d_.find_anywhere(line) : Cache::none;
  if (data != Cache::none) {
    detail |= d::snoop_hits_l1d;
    if (invalidates) {
      leave_l1d(data, d::evict_snoop);
    } else {
      l1d_.set_state(data, line, shared_after_read(l1d_.state(data, line)));
    }
  }
  if (const Cache::Slot slot = l2_.find(line); slot != Cache::none) {
    detail |= d::snoop_hits_l2;
    const LineState state = l2_.state(slot, line);
    if (invalidates) {
      if (state == LineState::modified) detail |= d::snoop_pushed_modified_l2;
      l2_.evict(slot);
      recorder_.occur(Signal::line_evict, evict_detail(d::cache_l2, state, d::evict_snoop));
    } else {
      l2_.set_state(slot, line, shared_after_read(state));
    }
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    // A victim in transfer to L2 is found in its buffer.
    if (jobs_[i].kind != JobKind::victim || jobs_[i].line != line) continue;
    detail |= d::snoop_hits_l2;
    jobs_[i].state = shared_after_read(jobs_[i].state);
    if (invalidates) jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  recorder_.occur(Signal::snoop, detail);
  return detail;
}

void MemorySide::place(std::uint64_t address, std::uint64_t physical, LineState state) {
  const std::uint64_t line = l2_.line_of(physical);
  l1d_.evict(l1d_.find_anywhere(line));
  l2_.evict(l2_.find(line));
  if (is_dirty(state) || state == LineState::invalid) l1i_.evict(l1i_.find_anywhere(line));
  if (state != LineState::invalid) l1d_.fill(address, line, state);
}

LineState MemorySide::system_state(std::uint64_t line) const {
  for (auto mark = answers_.rbegin(); mark != answers_.rend(); ++mark) {
    if (mark->line == line) return mark->state;
  }
  return LineState::exclusive;
}

}  // namespace pmusim::core::athlon
