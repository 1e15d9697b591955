// The part of the memory side beyond the L1 caches: L2's one port, the bus, page walks.
#include "models/core/athlon/memory_side.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;
using activity::L2Requester;

namespace {
constexpr std::uint16_t tag_read(L2Requester who) { return static_cast<std::uint16_t>(who); }
constexpr std::uint16_t tag_write(L2Requester who) { return tag_read(who) | d::l2_array_write; }
constexpr std::uint16_t data_read(L2Requester who) { return tag_read(who) | d::l2_array_data; }
constexpr std::uint16_t data_write(L2Requester who) { return data_read(who) | d::l2_array_write; }
}  // namespace

void MemorySide::start_next_job() {
  const Cycle now = agenda_.now();
  if (jobs_.front().entered < now && l2_free_ <= now) {
    const Job job = jobs_.front();
    jobs_.erase(jobs_.begin());
    start_job(job);
    agenda_.changed();
  }
  if (!jobs_.empty()) agenda_.at(std::max(l2_free_, now + 1));
}

std::uint64_t MemorySide::fills_waiting() const {
  std::uint64_t waiting = 0;
  for (const Job& job : jobs_) {
    const bool fill = job.kind == JobKind::data_fill || job.kind == JobKind::code_fill;
    if (fill && job.entered < agenda_.now()) ++waiting;
  }
  return waiting;
}

void MemorySide::start_next_request() {
  const Cycle now = agenda_.now();
  if (bus_free_ <= now) {
    BusJob job = bus_.front();
    bus_.erase(bus_.begin());
    const std::uint16_t detail =
        static_cast<std::uint16_t>(job.type) | (job.dram ? d::bus_dram : 0) | (job.write ? d::bus_write : 0);
    const Cycle back = now - 1 + settings_.memory_load_use - settings_.load_use;
    bus_free_ = now + bus_clocks(job.whole_line ? settings_.bus_line_clocks : 1);
    if (job.to == Return::nothing) {
      recorder_.occur(Signal::bus_request, detail);
    } else {
      recorder_.occur(Signal::bus_request, job.request, detail);
      next_arrival_ = std::min(next_arrival_, back);
    }
    if (job.to == Return::data_fill) data_[job.fill].done = back;
    if (job.to == Return::code_fill) code_[job.fill].done = back;
    if (job.to == Return::walk) walks_.push_back({back, job.line, job.rewrite});
    agenda_.changed();
  }
  if (!bus_.empty()) agenda_.at(std::max(bus_free_, now + 1));
}

void MemorySide::start_job(const Job& job) {
  switch (job.kind) {
    case JobKind::data_fill:
      look_up(data_[job.fill], true, job.fill);
      break;
    case JobKind::code_fill:
      look_up(code_[job.fill], false, job.fill);
      break;
    case JobKind::walk:
      lookup_walk(job);
      break;
    case JobKind::victim:
      recorder_.occur(Signal::l2_array, tag_write(L2Requester::data_cache));
      recorder_.occur(Signal::l2_array, data_write(L2Requester::data_cache));
      install_l2(job.line, job.state);
      break;
    case JobKind::install:
      recorder_.occur(Signal::l2_array, tag_write(L2Requester::system));
      recorder_.occur(Signal::l2_array, data_write(L2Requester::system));
      if (job.rewrite) recorder_.occur(Signal::l2_array, data_write(L2Requester::l2));
      install_l2(job.line, job.rewrite || is_dirty(l2_.snoop(job.line)) ? LineState::modified : job.state);
      break;
  }
}

void MemorySide::look_up(Fill& fill, bool data_side, std::uint8_t index) {
  const L2Requester who = !data_side            ? L2Requester::fetch
                          : is_store(fill.kind) ? L2Requester::store
                                                : L2Requester::load;
  const Cache::Slot slot = l2_.find(fill.line);
  LineState found = l2_.state(slot, fill.line);
  if (fill.forced == trace::Level::memory) found = LineState::invalid;
  if (fill.forced == trace::Level::l2 && slot == Cache::none)
    found = data_side ? LineState::exclusive : LineState::shared;
  const bool hit = found != LineState::invalid;
  recorder_.occur(Signal::l2_lookup, fill.request,
                  (data_side ? d::side_data : 0) | access_of(fill.kind) | (hit ? d::lookup_hit : d::lookup_miss));
  recorder_.occur(Signal::l2_array, fill.request, tag_read(who));
  if (data_side) l2_.evict(slot);  // exclusive: a line that moves to L1D leaves L2
  if (!hit) {
    l2_free_ = agenda_.now() + 1;
    return ask_system(fill, data_side ? Return::data_fill : Return::code_fill, index);
  }
  if (!data_side && slot != Cache::none) l2_.touch(slot);
  recorder_.occur(Signal::l2_array, fill.request, data_read(who));
  if (data_side) recorder_.occur(Signal::l2_array, fill.request, tag_write(who));
  l2_free_ = agenda_.now() + settings_.l2_transfer;
  fill.found = found;
  fill.done = agenda_.now() - 1 + settings_.l2_load_use - settings_.load_use;
  next_arrival_ = std::min(next_arrival_, fill.done);
  if (!data_side) return;
  const bool owned = owns(fill.kind);
  fill.install = owned ? LineState::modified : found;
  if (owned && (found == LineState::shared || found == LineState::owned)) {
    ask_ownership(fill.line);
  }
}

void MemorySide::ask_system(Fill& fill, Return to, std::uint8_t index) {
  const MemoryType type = machine_.map.type(fill.line);
  fill.found = LineState::invalid;
  if (to == Return::data_fill) {
    fill.install = owns(fill.kind) ? LineState::modified : system_state(fill.line);
    if (type == MemoryType::write_through || type == MemoryType::write_protected) fill.install = LineState::shared;
  }
  request_bus({.type = type,
               .dram = machine_.map.is_dram(fill.line),
               .whole_line = true,
               .to = to,
               .fill = index,
               .request = fill.request});
}

void MemorySide::install_l2(std::uint64_t line, LineState state) {
  l2_free_ = agenda_.now() + settings_.l2_transfer;
  const Victim victim = l2_.fill(line, state);
  if (!victim.valid) return;
  const LineState left = victim.states[0];
  recorder_.occur(Signal::line_evict, evict_detail(d::cache_l2, left, d::evict_replacement));
  if (is_dirty(left)) request_bus({MemoryType::write_back, machine_.map.is_dram(victim.address), true, true});
}

void MemorySide::walk(std::uint64_t address, bool data_side, bool rewrite) {
  if (!settings_.walk_in_l2) return;
  // A linear page table, in which the page that maps the table itself is the page directory.
  const std::uint64_t table_entry = settings_.page_tables + (address / page_bytes) * 4;
  const std::uint64_t directory_entry =
      settings_.page_tables + (settings_.page_tables / page_bytes) * 4 + (address / page_bytes / 1024) * 4;
  for (const std::uint64_t entry : {directory_entry, table_entry}) {
    Job job{.kind = JobKind::walk,
            .entered = agenda_.now(),
            .line = l2_.line_of(entry),
            .data_side = data_side,
            .rewrite = rewrite && entry == table_entry};
    start_request(job.request, entry, 4);
    jobs_.push_back(job);
  }
}

void MemorySide::lookup_walk(const Job& job) {
  NamedRequest request = job.request;
  const Cache::Slot slot = l2_.find(job.line);
  const bool hit = slot != Cache::none;
  recorder_.occur(
      Signal::l2_lookup, request,
      (job.data_side ? d::side_data : 0) | d::access_walk | d::access_load | (hit ? d::lookup_hit : d::lookup_miss));
  recorder_.occur(Signal::l2_array, request, tag_read(L2Requester::load));
  if (!hit) {
    l2_free_ = agenda_.now() + 1;
    return request_bus({.type = machine_.map.type(job.line),
                        .dram = machine_.map.is_dram(job.line),
                        .whole_line = true,
                        .to = Return::walk,
                        .line = job.line,
                        .rewrite = job.rewrite,
                        .request = request});
  }
  l2_.touch(slot);
  recorder_.occur(Signal::l2_array, request, data_read(L2Requester::load));
  l2_free_ = agenda_.now() + settings_.l2_transfer;
  if (job.rewrite) {
    recorder_.occur(Signal::l2_array, request, data_write(L2Requester::l2));
    l2_.set_state(slot, job.line, LineState::modified);
  }
}

}  // namespace pmusim::core::athlon
