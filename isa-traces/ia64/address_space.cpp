#include "address_space.h"

#include <algorithm>

namespace pmusim::trace::ia64 {

void Memory::map(std::uint64_t address, std::uint64_t size, bool writable) {
  if (size != 0) mappings_.push_back({address / page_size, (address + (size - 1)) / page_size, writable});
}

Memory::Page* Memory::find_slowly(std::uint64_t number) {
  auto& page = pages_[number];
  if (!page) {
    bool mapped = false, writable = false;
    for (const Mapping& m : mappings_) {
      if (number < m.first || number > m.last) continue;
      mapped = true;
      writable |= m.writable;
    }
    if (!mapped) {
      pages_.erase(number);
      return nullptr;
    }
    page = std::make_unique<Page>();
    page->writable = writable;
  }
  last_number_ = number;
  last_ = page.get();
  return last_;
}

bool Memory::usable(std::uint64_t address, std::uint64_t size, bool writable) {
  if (size == 0) return true;
  if (address + (size - 1) < address) return false;
  const std::uint64_t last = (address + (size - 1)) / page_size;
  for (std::uint64_t number = address / page_size; number <= last;) {  // does not allocate pages
    const auto covers = [&](const Mapping& m) {
      return number >= m.first && number <= m.last && (m.writable || !writable);
    };
    const auto mapping = std::find_if(mappings_.begin(), mappings_.end(), covers);
    if (mapping == mappings_.end()) return false;
    number = mapping->last + 1;
  }
  return true;
}

bool Memory::read_across(std::uint64_t address, void* to, std::size_t size) {
  if (!usable(address, size, false)) return false;
  auto* out = static_cast<std::uint8_t*>(to);
  for (std::size_t i = 0; i < size; ++i) out[i] = find(address + i)->bytes[(address + i) % page_size];
  return true;
}

bool Memory::write_across(std::uint64_t address, const void* from, std::size_t size) {
  if (!usable(address, size, true)) return false;
  const auto* in = static_cast<const std::uint8_t*>(from);
  for (std::size_t i = 0; i < size; ++i) find(address + i)->bytes[(address + i) % page_size] = in[i];
  return true;
}

void Memory::fill(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint64_t offset = (address + done) % page_size;
    const std::size_t part = std::min<std::size_t>(bytes.size() - done, page_size - offset);
    std::memcpy(find(address + done)->bytes.data() + offset, bytes.data() + done, part);
    done += part;
  }
}

}  // namespace pmusim::trace::ia64
