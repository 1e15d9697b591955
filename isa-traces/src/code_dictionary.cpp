#include "code_dictionary.h"

#include <algorithm>

namespace pmusim::trace {

void PcMap::set(std::uint64_t pc, std::uint32_t value) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::size_t i = place(pc);
  while (slots_[i].value != none && slots_[i].pc != pc) i = (i + 1) & (slots_.size() - 1);
  if (slots_[i].value == none) ++used_;
  slots_[i] = {pc, value};
}

void PcMap::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot{});
  used_ = 0;
}

void PcMap::grow() {
  std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots_.size()));
  old.swap(slots_);
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.value != none) set(slot.pc, slot.value);
  }
}

bool same_bytes(const Code& code, std::span<const std::uint8_t> bytes) {
  return std::equal(bytes.begin(), bytes.end(), code.bytes.begin(), code.bytes.begin() + code.length);
}

const Code& CodeDictionary::intern(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  const std::uint32_t latest = latest_.find(pc);
  std::uint32_t newer = PcMap::none;
  for (std::uint32_t id = latest; id != PcMap::none; newer = id, id = older_[id]) {
    if (!same_bytes(codes_[id], bytes)) continue;
    if (id != latest) {  // code that was modified and restored
      older_[newer] = older_[id];
      older_[id] = latest;
      latest_.set(pc, id);
    }
    return codes_[id];
  }
  Code code;
  code.id = size();
  code.length = static_cast<std::uint8_t>(bytes.size());
  code.pc = pc;
  std::copy(bytes.begin(), bytes.end(), code.bytes.begin());
  codes_.push_back(code);
  older_.push_back(latest);
  latest_.set(pc, code.id);
  return codes_.back();
}

}  // namespace pmusim::trace
