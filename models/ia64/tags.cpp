#include "models/ia64/tags.h"

#include "models/pmu/condition.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {

namespace {

using activity::ia64::SlotType;

constexpr std::uint64_t bundle = 0xf;

unsigned slot_bit(SlotType type) {
  switch (type) {
    case SlotType::m:
      return OpcodeMatcher::m;
    case SlotType::i:
    case SlotType::x:  // the syllable of an L+X pair
      return OpcodeMatcher::i;
    case SlotType::f:
      return OpcodeMatcher::f;
    case SlotType::b:
      return OpcodeMatcher::b;
  }
  return 0;
}

}  // namespace

void Tagger::set(const TagRegisters& registers) {
  r_ = registers;
  data_free_ = !choices_.no_data_channel_blocks;
  bool any_enabled = false, any_free = false, all_free = true;
  for (unsigned k = 0; k < channels; ++k) {
    address_free_[k] = r_.code_ignored[k] || (k == 0 && r_.channel0_ignored);
    tag_free_[k] = address_free_[k] && (r_.opcode_ignored[k] || r_.matchers[k % 2].accepts_all());
    const DataRule rule = r_.data_rules[k];
    const bool passes = rule == DataRule::none || (rule == DataRule::tag && tag_free_[k]);
    if (!r_.data_enabled[k]) continue;
    any_enabled = true;
    any_free = any_free || passes;
    all_free = all_free && passes;
  }
  if (!any_enabled) return;
  data_free_ = choices_.all_data_channels ? all_free : any_free;
  if (choices_.memory_needs_channel_0) data_free_ = data_free_ && tag_free_[0];
}

bool Tagger::coarse(unsigned pair, std::uint64_t ip, const Mode& mode) const {
  const AddressPair& p = r_.code[pair];
  return serves(p.executes()) && p.active_at(mode.cpl) &&
         RangeComparator{p.address, ~p.compared() | bundle}.matches(ip);
}

// Pair `lower` contains the first granule of the range, pair `lower` + 2 the last one.
bool Tagger::fine(unsigned lower, std::uint64_t ip, const Mode& mode) const {
  const AddressPair& low = r_.code[lower];
  const AddressPair& high = r_.code[lower + 2];
  const std::uint64_t offset = (std::uint64_t{1} << r_.page_bits) - 1;
  const std::uint64_t page = choices_.fine_uses_mask ? low.compared() & ~offset : ~offset;
  const auto granule = [&](std::uint64_t address) { return (address & offset) >> r_.granule_bits; };
  const bool active = low.active_at(mode.cpl) && (!choices_.fine_both_levels || high.active_at(mode.cpl)) &&
                      serves(low.executes() || high.executes());
  return active && ((ip ^ low.address) & page) == 0 && granule(ip) >= granule(low.address) &&
         granule(ip) <= granule(high.address);
}

bool Tagger::in_range(unsigned channel, std::uint64_t ip, const Mode& mode) const {
  if (!r_.fine) return coarse(channel, ip, mode);
  if (choices_.fine_union && channel == 0 && !r_.code_ignored[1]) return fine(0, ip, mode) || fine(1, ip, mode);
  return fine(channel % 2, ip, mode);
}

bool Tagger::address_ok(unsigned channel, const Origin& origin, const Mode& mode) const {
  if (address_free_[channel]) return true;
  const auto ip = origin.code_address();
  if (!ip) return false;
  return in_range(channel, *ip, mode) != (r_.inverted && (channel == 0 || choices_.invert_all));
}

bool Tagger::opcode_ok(unsigned channel, const Origin& origin) const {
  const OpcodeMatcher& matcher = r_.matchers[channel % 2];
  if (r_.opcode_ignored[channel] || matcher.accepts_all()) return true;
  if (origin.instruction == nullptr || origin.syllable == nullptr) return false;
  return matcher.matches(origin.instruction->encoding, slot_bit(origin.syllable->type));
}

bool Tagger::data_match(unsigned pair, std::uint64_t address) const {
  const AddressPair& p = r_.data[pair];
  const RangeComparator range{p.address, ~p.compared()};
  return range.matches(address);
}

bool Tagger::data_ok(const Origin& origin, const std::optional<std::uint64_t>& address, const Mode& mode,
                     bool looks_at_opcodes) const {
  if (data_free_) return true;
  const auto tagged = [&](unsigned channel) {
    return looks_at_opcodes ? tag(channel, origin, mode) : address_ok(channel, origin, mode);
  };
  bool any_enabled = false, any = false, all = true;
  for (unsigned k = 0; k < channels; ++k) {
    if (!r_.data_enabled[k]) continue;
    any_enabled = true;
    const DataRule rule = r_.data_rules[k];
    bool passes = true;
    if (rule == DataRule::tag_and_range || rule == DataRule::tag) passes = tagged(k);
    if (passes && (rule == DataRule::tag_and_range || rule == DataRule::range))
      passes = address && serves(r_.data[k].reads() || r_.data[k].writes()) && data_match(k, *address);
    any = any || passes;
    all = all && passes;
  }
  if (!any_enabled) return !choices_.no_data_channel_blocks;
  return (choices_.all_data_channels ? all : any) && (!choices_.memory_needs_channel_0 || tagged(0));
}

bool Tagger::breakpoint(std::uint64_t address, bool load, bool store, const Mode& mode) const {
  for (unsigned k = 0; k < channels; ++k) {
    const AddressPair& p = r_.data[k];
    const bool enabled = ((load && p.reads()) || (store && p.writes())) && p.active_at(mode.cpl);
    if (enabled && data_match(k, address)) return true;
  }
  return false;
}

using activity::Block;
using activity::Occurrence;
using activity::Signal;

Origin origin_of(const Block& block, Signal signal, const Occurrence& o) {
  Origin origin;
  if (o.ref == activity::no_ref) return origin;
  if (!refers_to_request(signal)) {
    add_instruction(block, o.ref, origin);
    return origin;
  }
  if (o.ref < block.requests.size()) origin.request = &block.requests[o.ref];
  if (o.ref < block.ia64_requests.size()) {
    origin.access = &block.ia64_requests[o.ref];
    add_instruction(block, origin.access->owner, origin);
  }
  return origin;
}

std::optional<std::uint64_t> data_address_of(const Block& block, Signal signal, const Occurrence& o,
                                             const Origin& origin) {
  if (origin.request != nullptr) {
    if (origin.access != nullptr && Origin::fetches(origin.access->requester)) return std::nullopt;
    return origin.request->address;
  }
  if (origin.instruction == nullptr) return std::nullopt;
  // Both occur in the same cycle, so the result does not depend on where blocks are cut.
  const Cycle at = block.begin + o.at;
  for (const Occurrence& access : occurrences(block, accesses_beside(signal), at, at + 1)) {
    if (access.ref >= block.ia64_requests.size()) continue;
    const auto& more = block.ia64_requests[access.ref];
    if (more.owner == origin.index && more.requester == activity::ia64::Requester::data)
      return block.requests[access.ref].address;
  }
  return std::nullopt;
}

}  // namespace pmusim::pmu::ia64
