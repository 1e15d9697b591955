#include "models/core/parts/cache.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace pmusim::core {

Cache::Cache(const CacheShape& shape) : shape_(shape) {
  const bool powers = std::has_single_bit(shape.sets) && std::has_single_bit(shape.line_bytes) &&
                      std::has_single_bit(shape.sectors) && shape.sectors <= max_sectors &&
                      shape.sectors <= shape.line_bytes;
  const bool tree_fits = std::has_single_bit(shape.ways) && shape.ways <= 32;
  const bool tree = shape.replacement == Replacement::pseudo_lru;
  if (!powers || shape.ways == 0 || (tree && !tree_fits) || (!tree && !shape.prefers_empty_way)) {
    throw std::invalid_argument(
        "cache shape: sets, line and sectors must be powers of two, ways at least 1, and a "
        "pseudo-LRU cache needs 2^n ways up to 32; only such a cache may not prefer empty ways");
  }
  line_mask_ = shape.line_bytes - 1;
  line_shift_ = static_cast<unsigned>(std::countr_zero(shape.line_bytes));
  sector_shift_ = static_cast<unsigned>(std::countr_zero(shape.line_bytes / shape.sectors));
  if (shape.virtual_index_from != 0) virtual_mask_ = ~std::uint64_t{0} << shape.virtual_index_from;
  const std::size_t slots = std::size_t{shape.sets} * shape.ways;
  tags_.assign(slots, empty);
  if (shape.replacement == Replacement::lru) {
    used_.assign(slots, 0);
  } else {
    find_paths();
  }
  states_.assign(slots * shape.sectors, LineState::invalid);
  tree_.assign(shape.sets, 0);
}

Cache::Slot Cache::find_anywhere(std::uint64_t physical, Slot except) const {
  // Index bits below the page size are the same for all aliases; the others run through all values.
  const std::uint64_t index_top = std::uint64_t{shape_.sets} << line_shift_;
  const std::uint64_t alias_step = virtual_mask_ & (~virtual_mask_ + 1);
  if (alias_step == 0 || alias_step >= index_top) {
    const Slot slot = find(physical, physical);
    return slot == except ? none : slot;
  }
  for (std::uint64_t alias = 0; alias < index_top; alias += alias_step) {
    const Slot slot = find(alias, physical);
    if (slot != none && slot != except) return slot;
  }
  return none;
}

void Cache::set_state(Slot slot, std::uint64_t physical, LineState state) {
  if (slot == none) return;
  states_[sector_index(slot, physical)] = state;
  if (state == LineState::invalid && !shape_.prefers_empty_way) {
    const Path& path = paths_[slot & (shape_.ways - 1)];
    tree_[slot >> way_shift_] &= ~path.upwards;
    tree_[slot >> way_shift_] |= path.nodes & ~path.upwards;
  }
  if (std::ranges::all_of(sectors_of(slot), [](LineState s) { return s == LineState::invalid; })) tags_[slot] = empty;
}

// Bit 1 of a node means that its upper half is older.
void Cache::find_paths() {
  way_shift_ = static_cast<unsigned>(std::countr_zero(shape_.ways));
  paths_.resize(shape_.ways);
  for (std::uint32_t way = 0; way < shape_.ways; ++way) {
    for (std::uint32_t node = 1, half = shape_.ways / 2; half != 0; half /= 2) {
      const bool upper = (way & half) != 0;
      paths_[way].nodes |= 1u << node;
      if (!upper) paths_[way].upwards |= 1u << node;
      node = node * 2 + (upper ? 1 : 0);
    }
  }
}

std::uint32_t Cache::way_to_replace(std::uint32_t set) const {
  const std::size_t first = std::size_t{set} * shape_.ways;
  for (std::uint32_t way = 0; shape_.prefers_empty_way && way < shape_.ways; ++way) {
    if (tags_[first + way] == empty) return way;
  }
  if (shape_.replacement == Replacement::lru) {
    const auto begin = used_.begin() + static_cast<std::ptrdiff_t>(first);
    return static_cast<std::uint32_t>(std::min_element(begin, begin + shape_.ways) - begin);
  }
  std::uint32_t node = 1;
  while (node < shape_.ways) node = node * 2 + ((tree_[set] >> node) & 1u);
  return node - shape_.ways;
}

Victim Cache::describe(Slot slot) const {
  Victim victim;
  if (slot == none || tags_[slot] == empty) return victim;
  victim.address = tags_[slot] << line_shift_;
  victim.valid = true;
  for (std::uint32_t i = 0; i < shape_.sectors; ++i) victim.states[i] = states_[std::size_t{slot} * shape_.sectors + i];
  return victim;
}

Victim Cache::next_victim(std::uint64_t virtual_address, std::uint64_t physical) const {
  if (find(virtual_address, physical) != none) return {};
  const std::uint32_t set = set_of(virtual_address, physical);
  return describe(set * shape_.ways + way_to_replace(set));
}

Victim Cache::fill(std::uint64_t virtual_address, std::uint64_t physical, LineState state) {
  Slot slot = find(virtual_address, physical);
  Victim victim;
  if (slot == none) {
    const std::uint32_t set = set_of(virtual_address, physical);
    slot = set * shape_.ways + way_to_replace(set);
    victim = evict(slot);
    tags_[slot] = physical >> line_shift_;
  }
  states_[sector_index(slot, physical)] = state;
  touch(slot);
  return victim;
}

Victim Cache::evict(Slot slot) {
  const Victim victim = describe(slot);
  if (!victim.valid) return victim;
  tags_[slot] = empty;
  std::ranges::fill(sectors_of(slot), LineState::invalid);
  return victim;
}

void Cache::clear() {
  std::ranges::fill(tags_, empty);
  std::ranges::fill(states_, LineState::invalid);
}

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

WriteBuffer::Entry WriteBuffer::take(std::size_t index) {
  const Entry entry = entries_[index];
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
  return entry;
}

}  // namespace pmusim::core
