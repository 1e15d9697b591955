#include "testbench/mutate/address_sweep.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "testbench/mutate/representative_activity.h"
#include "testbench/questions/activity_transforms.h"

namespace pmusim::testbench::mutate {

using questions::concatenated;
using questions::interleaved;

namespace {

namespace ia64 = activity::ia64;

/// The compared bits: address bits above a bundle, all bits of a data address, and the bits of a syllable.
constexpr unsigned first_code_bit = 4, address_bits = 64, syllable_bits = 41;
constexpr std::uint64_t whole_syllable = (std::uint64_t{1} << syllable_bits) - 1;
constexpr std::array slot_types{ia64::SlotType::m, ia64::SlotType::i, ia64::SlotType::f, ia64::SlotType::b};
/// The slot type of the opcodes that the plan combines with addresses.
constexpr ia64::SlotType plan_slot = ia64::SlotType::m;

/// Where an occurrence is placed: the bits that are flipped, and the offsets within the ranges; without an offset they
/// vary.
struct Place {
  std::uint64_t code_bit = 0, data_bit = 0, syllable_bits = 0;
  std::optional<ia64::SlotType> type = {};
  std::optional<std::uint64_t> code_offset = {}, data_offset = {};
};

/// Every code address bit, at the beginning of single ranges.
std::vector<Place> code_places() {
  std::vector<Place> places;
  for (unsigned bit = first_code_bit; bit < address_bits; ++bit) {
    places.push_back({.code_bit = std::uint64_t{1} << bit, .type = plan_slot, .code_offset = 0, .data_offset = 0});
  }
  return places;
}

std::vector<Place> all_places() {
  std::vector<Place> places;
  constexpr std::uint64_t in_front = ~std::uint64_t{15};
  places.push_back({.code_offset = in_front, .data_offset = 0});
  places.push_back({.type = plan_slot, .code_offset = in_front, .data_offset = 0});
  // After single ranges, with every bit of the opcode wrong; and an address with which a data pair that is not set up
  // would compare.
  places.push_back({.syllable_bits = whole_syllable, .type = plan_slot, .code_offset = 64, .data_offset = 0});
  places.push_back({.data_bit = std::uint64_t{0x60} << 56, .type = plan_slot, .code_offset = 0, .data_offset = 0});
  for (unsigned step = 0; step < 8; ++step) places.push_back({.code_offset = 16 * step, .data_offset = 12 * step});
  for (const ia64::SlotType type : slot_types) {
    for (const std::uint64_t bits : {std::uint64_t{0}, whole_syllable}) {
      places.push_back({.syllable_bits = bits, .type = type, .code_offset = 0, .data_offset = 0});
    }
  }
  for (unsigned bit = 0; bit < syllable_bits; ++bit) {
    places.push_back({.syllable_bits = std::uint64_t{1} << bit, .type = plan_slot, .code_offset = 0, .data_offset = 0});
  }
  const std::vector<Place> code = code_places();
  places.insert(places.end(), code.begin(), code.end());
  // The plan's data ranges begin at these offsets, and so do their second halves and second pairs.
  for (const std::uint64_t offset : {0, 32, 64}) {
    for (unsigned bit = 0; bit < address_bits; ++bit) {
      places.push_back(
          {.data_bit = std::uint64_t{1} << bit, .type = plan_slot, .code_offset = 0, .data_offset = offset});
    }
  }
  for (unsigned bit = first_code_bit; bit < address_bits; ++bit)
    places.push_back({.code_bit = std::uint64_t{1} << bit});
  return places;
}

/// Steps through bundles or octets: most are in the 64 bytes that single ranges cover, the others in the following 64
/// bytes, which further ranges cover.
std::uint64_t step(std::uint64_t id, std::uint64_t size) {
  id += (id >> 40) * 0x9e3779b9 >> 7;  // different addresses in each repetition, so that a repeated capture is visible
  constexpr std::uint64_t range = 64, in_first = 7, of = 8;
  return id % of < in_first ? id * size % range : range + id / of * size % range;
}
std::uint64_t code_address(std::uint64_t id, const Place& place, const Landmarks& marks) {
  return (marks.hot_code + place.code_offset.value_or(step(id, 16))) ^ place.code_bit;
}
std::uint64_t data_address(std::uint64_t id, const Place& place, const Landmarks& marks) {
  return (marks.hot_data + place.data_offset.value_or(step(id, 8))) ^ place.data_bit;
}

bool fetches(ia64::Requester requester) {
  return requester == ia64::Requester::demand_fetch || requester == ia64::Requester::prefetch_fetch;
}

void move(Block& block, const Place& place, const Landmarks& marks) {
  for (std::size_t i = 0; i < block.instructions.size(); ++i) {
    activity::InstructionRecord& record = block.instructions[i];
    record.ip = code_address(record.id, place, marks);
    record.encoding = marks.load_syllable ^ place.syllable_bits;
    if (i >= block.syllables.size()) continue;
    block.syllables[i].window = record.ip;
    block.syllables[i].second_bundle = false;
    if (place.type) block.syllables[i].type = *place.type;
  }
  for (std::size_t i = 0; i < block.requests.size(); ++i) {
    activity::RequestRecord& record = block.requests[i];
    const bool of_fetch = i < block.ia64_requests.size() && fetches(block.ia64_requests[i].requester);
    record.address = of_fetch ? code_address(record.id, place, marks) : data_address(record.id, place, marks);
    if (record.has_instruction) record.ip = code_address(record.instruction, place, marks);
  }
}

}  // namespace

ActivityLog at_landmarks(const ActivityLog& log, const Landmarks& landmarks) {
  ActivityLog result;
  for (Block block : log.blocks()) {
    move(block, {}, landmarks);
    result.append(block);
  }
  return result;
}

ActivityLog in_way(const ActivityLog& log, const Landmarks& landmarks, unsigned way) {
  Place place{.syllable_bits = whole_syllable};
  if (way < slot_types.size()) place = {.type = slot_types[way]};
  if (way == slot_types.size()) place = {.type = plan_slot, .code_offset = 64, .data_offset = 0};
  ActivityLog result;
  for (Block block : log.blocks()) {
    move(block, place, landmarks);
    result.append(block);
  }
  return result;
}

ActivityLog slowly_everywhere(const ActivityLog& log, const Landmarks& landmarks) {
  const Block miss = misses(representative_activity(log), slowest_access);
  std::vector<ActivityLog> logs;
  for (const Place& place : all_places()) {
    Block block = miss;
    move(block, place, landmarks);
    logs.emplace_back().append(block);
  }
  Block at_level_0 = miss;
  at_level_0.states[static_cast<std::size_t>(activity::State::cpl)].initial = 0;
  for (const Place& place : code_places()) {
    Block block = at_level_0;
    move(block, place, landmarks);
    logs.emplace_back().append(block);
  }
  return concatenated(logs);
}

std::vector<ActivityLog> everywhere(const ActivityLog& log, const Landmarks& landmarks, Cycle apart) {
  const Block found = owned(representative_activity(log));
  std::vector<ActivityLog> logs;
  // Some neighbouring placements in each log.
  const auto add = [&](const std::vector<Place>& places, bool at_level_0) {
    constexpr std::size_t together = 16;
    for (std::size_t first = 0; first < places.size(); first += together) {
      std::vector<Block> copies(std::min(together, places.size() - first), found);
      for (std::size_t i = 0; i < copies.size(); ++i) move(copies[i], places[first + i], landmarks);
      Block block = interleaved(copies, apart);
      if (at_level_0) block.states[static_cast<std::size_t>(activity::State::cpl)].initial = 0;
      logs.emplace_back().append(block);
    }
  };
  add(all_places(), false);
  // The plan has a code range that holds only at level 0.
  add(code_places(), true);
  return logs;
}

}  // namespace pmusim::testbench::mutate
