#include "testbench/mutate/relocated.h"

#include "testbench/mutate/echoes.h"

namespace pmusim::testbench::mutate {
namespace {

namespace ia64 = activity::ia64;

/// What is compared: address bits above a bundle and above an octet, and the bits of a syllable.
constexpr unsigned first_code_bit = 4, first_data_bit = 3, address_bits = 64, syllable_bits = 41, slot_types = 4;
constexpr unsigned of_code = address_bits - first_code_bit, of_data = address_bits - first_data_bit;
constexpr unsigned repetitions = of_code + of_data + syllable_bits + slot_types;

/// Where one repetition takes place.
struct Place {
  std::uint64_t code_bit = 0, data_bit = 0, syllable_bit = 0;
  ia64::SlotType type = ia64::SlotType::m;
};

Place place_of(unsigned repetition) {
  constexpr std::uint64_t one = 1;
  if (repetition < of_code) return {.code_bit = one << (first_code_bit + repetition)};
  repetition -= of_code;
  if (repetition < of_data) return {.data_bit = one << (first_data_bit + repetition)};
  repetition -= of_data;
  if (repetition < syllable_bits) return {.syllable_bit = one << repetition};
  return {.type = static_cast<ia64::SlotType>(repetition - syllable_bits)};
}

/// Four bundles and sixteen octets, taken in turn: bits below a range's size are compared by nothing.
std::uint64_t code_address(std::uint64_t id, const Place& place, const Landmarks& marks) {
  return (marks.hot_code + id % 4 * 16) ^ place.code_bit;
}
std::uint64_t data_address(std::uint64_t id, const Place& place, const Landmarks& marks) {
  return (marks.hot_data + id % 16 * 8) ^ place.data_bit;
}

bool fetches(ia64::Requester requester) {
  return requester == ia64::Requester::demand_fetch || requester == ia64::Requester::prefetch_fetch;
}

void move(Block& block, const Place& place, const Landmarks& marks) {
  for (std::size_t i = 0; i < block.instructions.size(); ++i) {
    activity::InstructionRecord& record = block.instructions[i];
    record.ip = code_address(record.id, place, marks);
    record.encoding = marks.load_syllable ^ place.syllable_bit;
    if (i >= block.syllables.size()) continue;
    block.syllables[i].window = record.ip;
    block.syllables[i].second_bundle = false;
    block.syllables[i].type = place.type;
  }
  for (std::size_t i = 0; i < block.requests.size(); ++i) {
    activity::RequestRecord& record = block.requests[i];
    const bool of_fetch = i < block.ia64_requests.size() && fetches(block.ia64_requests[i].requester);
    record.address = of_fetch ? code_address(record.id, place, marks) : data_address(record.id, place, marks);
    if (record.has_instruction) record.ip = code_address(record.instruction, place, marks);
  }
}

}  // namespace

ActivityLog relocated(const ActivityLog& log, const Landmarks& landmarks) {
  const ActivityLog all = repeated(log, repetitions);
  ActivityLog result;
  for (std::size_t i = 0; i < all.blocks().size(); ++i) {
    Block block = all.blocks()[i];
    move(block, place_of(static_cast<unsigned>(i / log.blocks().size())), landmarks);
    result.append(block);
  }
  return result;
}

}  // namespace pmusim::testbench::mutate
