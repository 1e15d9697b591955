#include "models/core/ppc750/translation.h"

namespace pmusim::core::ppc750 {

namespace d = activity::detail;

Translation::Translation(Machine& machine, MemorySide& memory)
    : machine_(machine),
      memory_(memory),
      tlbs_{Tlb(machine.settings.tlb_sets, machine.settings.tlb_ways),
            Tlb(machine.settings.tlb_sets, machine.settings.tlb_ways)} {}

bool Translation::start_walk(Cycle now, Side side, const NamedRequest& request, Wake& wake) {
  if (walking_) return false;  // the end of the search requests the next cycle
  walking_ = true;
  side_ = side;
  page_ = request.record.address >> 12;
  walk_space_ = space_;
  NamedRequest walk;
  walk.record = request.record;
  walk.record.id = request.record.id;
  walk.record.start = now;
  const auto side_bit = side == Side::data ? d::side_data : std::uint16_t{0};
  machine_.recorder.occur(Signal::translation, walk, static_cast<std::uint16_t>(side_bit | d::tlb_walk));
  // The hashed page table of UM 5.5: segment and page index select the group, and the entry is the first of it.
  // Every segment and process has its own number, so their entries are in different groups.
  const std::uint64_t segment = (page_ >> 16) + 16ull * space_;
  const std::uint64_t hash = ((segment * 0x111) ^ (page_ & 0xFFFF)) & (machine_.settings.page_table_groups - 1);
  NamedRequest entry;
  entry.record.id = request.record.id;
  entry.record.address = machine_.settings.page_table + hash * 64;
  entry.record.size = 8;
  entry.record.start = now;
  entry.record.instruction = request.record.instruction;
  entry.record.has_instruction = request.record.has_instruction;
  entry.record.ip = request.record.ip;
  const trace::Level found = memory_.read_table_entry(now, entry);
  end_ = now + (found == trace::Level::l1   ? machine_.settings.walk_l1
                : found == trace::Level::l2 ? machine_.settings.walk_l2
                                            : machine_.settings.walk_memory);
  machine_.recorder.set(State::table_walk, side == Side::data ? 2 : 1);
  wake.on(now + 1);  // L2 takes what the entry's block has replaced in L1D
  wake.on(end_);
  return true;
}

void Translation::step(Cycle now, Wake& wake) {
  if (now < end_) return wake.on(end_);
  walking_ = false;
  last_ = {};  // the new page may have replaced the page of the last access
  tlbs_[index(side_)].fill(page_, walk_space_);
  machine_.recorder.set(State::table_walk, 0);
  wake.on(now + 1);
}

void Translation::install(Side side, std::uint64_t address) {
  if (hit(side, address)) return;
  last_ = {};
  tlbs_[index(side)].fill(address >> 12, space_);
}

void Translation::set_space(std::uint32_t space) {
  space_ = space;
  last_ = {};
}

void Translation::invalidate(std::uint64_t address) {
  last_ = {};
  for (Tlb& tlb : tlbs_) tlb.invalidate_set(address >> 12);
}

}  // namespace pmusim::core::ppc750
