#include "models/core/alpha/translation.h"

#include <algorithm>

namespace pmusim::core::alpha {

namespace d = activity::detail;

namespace {

/// The page of the linear virtual page table that has the entry of `page`: 1024 entries of 8 bytes per page.
constexpr std::uint64_t table_page(std::uint64_t page) { return (std::uint64_t{1} << 36) | page / (page_bytes / 8); }

}  // namespace

Translation::Translation(Machine& machine)
    : machine_(machine), itb_(1, machine.settings.itb_entries), dtb_(1, machine.settings.dtb_entries) {}

bool Translation::finds(Tlb& buffer, std::uint64_t page) const {
  return machine_.settings.tb_round_robin != 0 ? buffer.contains(page, space_) : buffer.lookup(page, space_);
}

Translated Translation::data(NamedRequest& request, trace::TlbOutcome forced) {
  using trace::TlbOutcome;
  const std::uint64_t page = request.record.address / page_bytes;
  if (forced == TlbOutcome::fault) return Translated::fault;
  if (forced == TlbOutcome::hit) return Translated::hit;
  // Most accesses are to the page of the previous access, which is in the buffer and already the most recently used.
  const bool again = page == last_page_;
  const bool there = again || finds(dtb_, page);
  last_page_ = page;
  if (forced == TlbOutcome::unset && there) return Translated::hit;
  machine_.recorder.occur(Signal::translation, request, d::side_data | d::tlb_walk);
  const bool table_there = finds(dtb_, table_page(page));
  if (!table_there) dtb_.fill(table_page(page), space_);
  if (!there) dtb_.fill(page, space_);
  last_page_ = none;
  return table_there ? Translated::miss : Translated::double_miss;
}

Translated Translation::code(NamedRequest& request, trace::TlbOutcome forced) {
  using trace::TlbOutcome;
  const std::uint64_t page = request.record.address / page_bytes;
  if (forced == TlbOutcome::fault) return Translated::fault;
  if (forced == TlbOutcome::hit) return Translated::hit;
  const bool there = finds(itb_, page);
  if (forced == TlbOutcome::unset && there) return Translated::hit;
  machine_.recorder.occur(Signal::translation, request, d::tlb_walk);
  if (!there) itb_.fill(page, space_);
  return Translated::miss;
}

void Translation::clear() {
  last_page_ = none;
  itb_.clear();
  dtb_.clear();
}

}  // namespace pmusim::core::alpha
