#include "models/ia64/origin.h"

#include "models/pmu/multiplexer.h"
#include "models/pmu/references.h"

namespace pmusim::pmu::ia64 {

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
