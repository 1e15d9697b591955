#include "models/core/ia64/translation.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;

Cycle Walker::walk(Access& request, std::uint64_t page, bool data_side, bool fault, Cycle at) {
  const Settings& s = machine_.settings;
  const Cycle start = std::max(at, free_);
  constexpr std::uint64_t table_mask = (std::uint64_t{1} << 24) - 1;
  const std::uint64_t address = s.hash_table + (page * s.hash_entry & table_mask);
  Access& read = machine_.recorder.new_access(nullptr, act::Requester::page_walker, address,
                                              static_cast<std::uint32_t>(s.hash_entry));
  read.record.thread = request.record.thread;
  read.record.start = start;
  read.more.load = true;
  machine_.schedule.occur(start + 1, Signal::walk_read, &read);
  const Hierarchy::Reply reply = hierarchy_.data(read, Purpose::walk, start + 1);
  machine_.schedule.serve(reply.data, Signal::load_return, read, reply.served);
  const Cycle rest = data_side ? s.data_walk - std::min(s.data_walk, s.l2_integer) : s.fetch_walk;
  const Cycle done = reply.data + rest;
  if (!fault) {
    request.more.walker_inserted = request.changed = true;
    machine_.schedule.occur(done, Signal::tlb_insert, &request, data_side ? d::side_data : 0);
  }
  free_ = done;
  machine_.recorder.drop(read);
  return done;
}

act::Translation Translation::find(std::uint64_t address, bool use_first, trace::TlbOutcome forced) {
  if (forced != trace::TlbOutcome::unset) {
    using enum act::Translation;
    constexpr std::array outcomes = {first_level, second_level, walker, fault};
    return outcomes[static_cast<std::size_t>(forced) - 1];
  }
  if (use_first) {
    const std::uint64_t granule = address / granule_bytes;
    if (granule == last_granule_) return act::Translation::first_level;
    if (first_.lookup(granule, space_)) {
      last_granule_ = granule;
      return act::Translation::first_level;
    }
  }
  const std::uint64_t page = page_of(address);
  if (page == last_page_) return act::Translation::second_level;
  if (!second_.lookup(page, space_)) return act::Translation::walker;
  last_page_ = page;
  return act::Translation::second_level;
}

void Translation::install(std::uint64_t address, bool in_first) {
  if (in_first) {
    first_.fill(address / granule_bytes, space_);
    last_granule_ = address / granule_bytes;
  }
  second_.fill(page_of(address), space_);
  last_page_ = page_of(address);
}

}  // namespace pmusim::core::ia64
