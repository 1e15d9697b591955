#include "models/ia64/branch_ring.h"

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {
namespace {

using activity::Block;
using activity::Signal;
using activity::ia64::BranchClass;
using activity::ia64::Kind;
using activity::ia64::Prediction;

constexpr std::uint64_t bundle_bytes = 16;

/// The branch class selected by `brt`.
BranchClass class_of(unsigned type) {
  static constexpr BranchClass classes[4] = {BranchClass::none, BranchClass::ip_relative, BranchClass::return_,
                                             BranchClass::indirect};
  return classes[type & 3];
}

bool is_rfi(const Origin& origin) { return origin.syllable->has(Kind::rfi); }
bool is_taken(const Origin& origin) { return is_rfi(origin) ? origin.syllable->predicate : origin.instruction->taken; }

}  // namespace

void BranchRingRegisters::write(std::uint64_t entry, std::uint8_t flags_of_entry) {
  entries[next] = entry;
  flags[next] = flags_of_entry;
  next = (next + 1) % size;
  full = full || next == 0;
  ++writes;
}

std::optional<unsigned> BranchRingRegisters::last() const {
  if (next == 0 && !full) return std::nullopt;
  return (next + size - 1) % size;
}

std::uint64_t flags_word(const RingLayout& layout, const BranchRingRegisters& ring) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < ring.size; ++i) value |= std::uint64_t{ring.flags[i]} << layout.flags_shift(i);
  return value;
}

std::uint64_t index_word(const RingLayout& layout, const BranchRingRegisters& ring) {
  return ring.next | (ring.full ? layout.full : 0) | (layout.flags_with_index ? flags_word(layout, ring) : 0);
}

void set_flags(const RingLayout& layout, std::uint64_t value, BranchRingRegisters& ring) {
  for (unsigned i = 0; i < ring.size; ++i)
    ring.flags[i] = static_cast<std::uint8_t>(value >> layout.flags_shift(i) & layout.flags);
}

void set_index(const RingLayout& layout, std::uint64_t value, BranchRingRegisters& ring) {
  ring.next = static_cast<unsigned>(value & layout.next);
  ring.full = (value & layout.full) != 0;
  if (layout.flags_with_index) set_flags(layout, value, ring);
}

BranchRingRegisters ring_of(const RingLayout& layout, std::span<const std::uint64_t> entries, std::uint64_t index,
                            std::uint64_t flags) {
  BranchRingRegisters ring;
  ring.size = layout.entries;
  for (unsigned i = 0; i < ring.size && i < entries.size(); ++i) ring.entries[i] = entries[i];
  set_flags(layout, flags, ring);
  set_index(layout, index, ring);
  return ring;
}

bool BranchRing::qualifies(const Origin& origin, const Tagger& tagger, const Mode& mode) const {
  if (origin.syllable == nullptr || origin.owner() != setup_.thread) return false;
  if (is_rfi(origin) ? !setup_.records_rfi : !origin.syllable->has(Kind::branch)) return false;
  const Prediction prediction = origin.syllable->prediction;
  const bool taken = is_taken(origin);
  const bool wrong_target = taken && prediction == Prediction::wrong_target;
  const bool wrong_path = prediction == Prediction::wrong_path;
  if ((setup_.taken_mask & (taken ? 2u : 1u)) == 0) return false;
  if ((setup_.target_mask & (wrong_target ? 1u : 2u)) == 0) return false;
  if ((setup_.path_mask & (wrong_path ? 1u : 2u)) == 0) return false;
  const BranchClass of = is_rfi(origin) ? BranchClass::indirect : origin.syllable->branch_class;
  return (setup_.type == 0 || of == class_of(setup_.type)) && tagger.tag(0, origin, mode);
}

void BranchRing::write_waiting() {
  waiting_ = false;
  registers.write((target_ & (setup_.details ? ring::detail_address : ring::address)) | ring::valid_target, 0);
}

void BranchRing::record(const Choice& choice, Cycle at) {
  const activity::ia64::Syllable& s = *choice.origin.syllable;
  const bool mispredicted = s.prediction == Prediction::wrong_path || s.prediction == Prediction::wrong_target;
  const std::uint64_t slot = choice.taken ? choice.origin.instruction->slot & 3u : ring::not_taken;
  const unsigned flags = (s.second_bundle ? ring::second_bundle : 0u) | (s.back_end_flush ? ring::back_end_flush : 0u);
  registers.write((s.window & ring::address) | slot << ring::slot_shift |
                      (mispredicted && !s.back_end_flush ? ring::mispredicted : 0) | ring::source,
                  static_cast<std::uint8_t>(flags));
  if (!choice.taken) return;
  target_ = choice.target;
  waiting_ = true;
  waits_for_ = at + 1;
}

// Writes one source entry per cycle: the first taken branch; if none is taken, the last branch, or with first_untaken
// the first one.
void BranchRing::advance(const Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
                         const Mode& mode, std::vector<Capture>& captures) {
  if (runs && !frozen && setup_.records()) {
    auto retired = occurrences(block, Signal::retire, from, to);
    while (!retired.empty()) {
      const std::uint32_t at = retired.front().at;
      std::optional<Choice> choice;
      std::size_t i = 0;
      for (; i < retired.size() && retired[i].at == at; ++i) {
        if (choice && choice->taken) continue;
        const Origin origin = origin_of(block, Signal::retire, retired[i]);
        if (!qualifies(origin, tagger, mode)) continue;
        if (!choice || is_taken(origin) || !setup_.first_untaken)
          choice = {origin, is_taken(origin), origin.instruction->next_ip, retired[i]};
      }
      retired = retired.subspan(i);
      if (!choice) continue;
      const Cycle now = block.begin + at;
      if (waiting_) {
        const std::uint64_t window = choice->origin.syllable->window & ring::address;
        const std::uint64_t target = target_ & ring::address;
        const bool at_target = now == waits_for_ && (target == window || target == window + bundle_bytes);
        if (at_target && setup_.omits_targets)
          waiting_ = false;
        else
          write_waiting();
      }
      record(*choice, now);
      captures.push_back({now, Signal::retire, choice->retired});
    }
  }
  if (waiting_ && waits_for_ < to) write_waiting();
}

std::vector<RecordedBranch> decode_branch_ring(const BranchRingRegisters& r) {
  std::vector<RecordedBranch> branches;
  const unsigned first = r.full ? r.next : 0;
  const unsigned entries = r.full ? r.size : r.next;
  bool open = false;  // the last entry was a taken branch
  for (unsigned i = 0; i < entries; ++i) {
    const unsigned at = (first + i) % r.size;
    const std::uint64_t entry = r.entries[at];
    if ((entry & ring::source) == 0) {
      if (open && (entry & ring::valid_target) != 0) branches.back().target = entry & ring::address;
      open = false;
      continue;
    }
    RecordedBranch branch;
    const std::uint64_t slot = entry >> ring::slot_shift & 3;
    branch.bundle = (entry & ring::address) + ((r.flags[at] & ring::second_bundle) != 0 ? bundle_bytes : 0);
    branch.taken = slot != ring::not_taken;
    branch.slot = branch.taken ? static_cast<unsigned>(slot) : 0;
    using Outcome = RecordedBranch::Outcome;
    branch.outcome = (entry & ring::mispredicted) != 0           ? Outcome::front_end_mispredicted
                     : (r.flags[at] & ring::back_end_flush) != 0 ? Outcome::back_end_mispredicted
                                                                 : Outcome::correct;
    branches.push_back(branch);
    open = branch.taken;
  }
  return branches;
}

}  // namespace pmusim::pmu::ia64
