#include "models/core/parts/write_buffer.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace pmusim::core {

WriteBuffer::WriteBuffer(unsigned entries, unsigned line_bytes) : capacity_(entries), line_mask_(line_bytes - 1) {
  if (entries == 0 || !std::has_single_bit(line_bytes) || line_bytes > 64) {
    throw std::invalid_argument("write buffer: at least one entry, and a line of 2^n bytes up to 64");
  }
  full_ = line_bytes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << line_bytes) - 1;
  entries_.reserve(entries);
}

std::optional<WriteBuffer::Entry> WriteBuffer::store(std::uint64_t address, unsigned size, MemoryType type,
                                                     bool combine, std::uint64_t now) {
  const std::uint64_t line = address & ~line_mask_;
  const std::uint64_t mask = size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
  const std::uint64_t bytes = (mask << (address & line_mask_)) & full_;
  if (combine) {
    for (Entry& entry : entries_) {
      if (entry.line == line && entry.type == type) {
        entry.bytes |= bytes;
        return std::nullopt;
      }
    }
  }
  std::optional<Entry> sent;
  if (entries_.size() == capacity_) sent = take(0);
  entries_.push_back({line, bytes, type, now});
  return sent;
}

std::optional<WriteBuffer::Entry> WriteBuffer::take_full() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].bytes == full_) return take(i);
  }
  return std::nullopt;
}

std::optional<WriteBuffer::Entry> WriteBuffer::take_born_by(std::uint64_t cycle) {
  if (entries_.empty() || entries_.front().born > cycle) return std::nullopt;
  return take(0);
}

std::optional<WriteBuffer::Entry> WriteBuffer::take_oldest() {
  if (entries_.empty()) return std::nullopt;
  return take(0);
}

std::optional<WriteBuffer::Entry> WriteBuffer::take_line(std::uint64_t address) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].line == (address & ~line_mask_)) return take(i);
  }
  return std::nullopt;
}

WriteBuffer::Entry WriteBuffer::take(std::size_t index) {
  const Entry entry = entries_[index];
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
  return entry;
}

}  // namespace pmusim::core
