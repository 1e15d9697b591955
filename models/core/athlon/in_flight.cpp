#include "models/core/athlon/in_flight.h"

#include <utility>

namespace pmusim::core::athlon {

void InFlight::grow() {
  const std::size_t mask = chunks_.size() * 2 - 1;
  std::vector<Chunk> chunks(mask + 1);
  std::vector<Cycle> results(2 * (mask + 1));
  std::vector<NamedInstruction> records(mask + 1);
  for (Sequence s = retired; s != fetched; ++s) {
    Chunk& chunk = at(s);
    chunks[s & mask] = chunk;
    for (const unsigned i : {0u, 1u}) results[(s & mask) * 2 + i] = result(s, i);
    if (chunk.recorded) records[chunk.record & mask] = record(chunk);
  }
  chunks_ = std::move(chunks);
  results_ = std::move(results);
  records_ = std::move(records);
  mask_ = mask;
}

}  // namespace pmusim::core::athlon
