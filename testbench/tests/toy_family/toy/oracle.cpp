// The meaning of the toy PMU's event names.
#include <stdexcept>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {
namespace {

using activity::Signal;
using activity::State;

constexpr Privilege user_level = 1, privileges = 2;

const std::vector<Event>& events_of_toy() {
  static const std::vector<Event> list{
      {.name = "TOY_RETIRED", .rules = {{Signal::retire, each}}},
      {.name = "TOY_CLOCKS", .level = [](const StateValues&, const Choices&) { return true; }}};
  return list;
}

void check(const Request& request) {
  if (request.threshold > 15) throw std::invalid_argument(request.event + ": a threshold is 0 to 15");
}

const Family toy_family{
    "toy",
    State::cpl,
    State::cpl,
    [](std::uint64_t cpl, std::uint64_t, std::uint64_t) { return cpl != 0 ? user_level : Privilege{0}; },
    privileges,
    [](const Request& r, Privilege p, const Choices&) { return p == user_level ? r.user : r.kernel; },
    [](const Request& r) { return r.threshold; },
    events_of_toy,
    [](const ParameterLookup&) { return Choices{}; },
    false,
    false,
    check};

}  // namespace

namespace toy {
const Family& family() { return toy_family; }
}  // namespace toy

}  // namespace pmusim::oracle
