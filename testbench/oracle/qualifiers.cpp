#include "testbench/oracle/qualifiers.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace pmusim::oracle {
namespace {

using activity::Block;
using activity::Signal;
using activity::ia64::Requester;
using activity::ia64::SlotType;

constexpr std::uint64_t bundle_of(std::uint64_t address) { return address & ~std::uint64_t{15}; }
/// Address bits that a short page comparison ignores.
constexpr std::uint64_t above_short_page = 0x00ffffff00000000;

bool names_instruction(Signal signal) {
  static constexpr auto names = [] {
    using enum Signal;
    std::array<bool, activity::signal_count> of{};
    for (const Signal one : {dispatch, issue, finish, retire, kill, trap, syllable_held, tlb_purge, alat_displace,
                             safety_stall, l1i_snoop})
      of[static_cast<std::size_t>(one)] = true;
    return of;
  }();
  return names[static_cast<std::size_t>(signal)];
}
bool fetches(Requester requester) {
  return requester == Requester::demand_fetch || requester == Requester::prefetch_fetch;
}

bool contains(const ia64::CodeRange& range, std::uint64_t address, unsigned level, std::uint64_t left_out) {
  const std::uint64_t at = bundle_of(address) & ~left_out;
  const std::uint64_t start = bundle_of(range.start) & ~left_out, last = (range.end - 1) & ~left_out;
  return (range.levels >> level & 1u) != 0 && at >= start && at <= last;
}

/// Ranges of a request that are compared together.
struct Ranges {
  std::size_t first = 0;
  std::size_t count = 1;
  bool outside = false;
};

/// A range that is not given does not restrict. A subject without a code address lies neither inside nor outside.
bool lies_in(const Subject& s, const Ranges& wanted, const Request& request, const Choices& choices) {
  const auto& ranges = request.ia64.code;
  if (wanted.first >= ranges.size()) return true;
  if (!s.code) return false;
  const bool short_page = request.ia64.fine_mode && request.ia64.short_page && choices.fine_uses_mask;
  bool inside = false;
  for (std::size_t i = wanted.first; i < std::min(wanted.first + wanted.count, ranges.size()); ++i) {
    inside |= contains(ranges[i], *s.code, s.level, short_page ? above_short_page : 0);
  }
  return inside != wanted.outside;
}

/// True if the channel of ordinary events has both fine ranges. A second one that is everything belongs to a channel
/// that no registers restrict.
bool ranges_unite(const Request& request, const Choices& choices) {
  const auto& ranges = request.ia64.code;
  const bool second = ranges.size() > 1 && (ranges[1].start != 0 || ranges[1].end != ~std::uint64_t{0});
  return request.ia64.fine_mode && choices.fine_union && second;
}

bool matches(const Subject& s, std::size_t matcher, const Request& request, const Choices& choices) {
  if (matcher >= request.ia64.opcodes.size()) return true;
  if (s.instruction == nullptr) return false;
  const ia64::OpcodeMatch& wanted = request.ia64.opcodes[matcher];
  const std::uint64_t encoding = s.instruction->encoding & 0x1ffffffffff;
  const std::uint64_t some = (encoding & 0x1fff) | (encoding >> 27 & 0x3fff) << 13;
  const std::uint64_t differs = choices.whole_opcodes ? encoding ^ wanted.match : (some ^ wanted.match) & 0x7ffffff;
  if ((differs & ~wanted.ignore & 0x1ffffffffff) != 0) return false;
  switch (s.slot) {
    case SlotType::m:
      return wanted.m;
    case SlotType::i:
    case SlotType::x:  // the syllable of an L+X pair
      return wanted.i;
    case SlotType::f:
      return wanted.f;
    case SlotType::b:
      return wanted.b;
  }
  return false;
}

bool accesses_ranges(const Subject& s, const Request& request, const Choices& choices) {
  const auto& ranges = request.ia64.data;
  if (ranges.empty()) return true;
  if (!s.data) return false;
  const auto holds = [&](const ia64::DataRange& r) { return *s.data >= r.start && *s.data <= r.end - 1; };
  return choices.data_channels_and ? std::all_of(ranges.begin(), ranges.end(), holds)
                                   : std::any_of(ranges.begin(), ranges.end(), holds);
}

unsigned levels_of(const Request& request) {
  if (request.ia64.levels != 0) return request.ia64.levels;
  return (request.kernel ? 1u : 0) | (request.user ? 8u : 0);
}

}  // namespace

bool runs_in_either_set(const Request& request, unsigned gates) {
  const bool on = (gates & (request.ia64.privileged_monitor ? 8u : 4u)) != 0;
  return on && (levels_of(request) >> (gates & 3u) & 1u) != 0;
}

bool runs_under(const Request& request, unsigned gates) {
  const bool ia32 = (gates & 16u) != 0;
  const ia64::InstructionSet wanted = request.ia64.instruction_set;
  return runs_in_either_set(request, gates) &&
         (wanted == ia64::InstructionSet::both || (wanted == ia64::InstructionSet::ia32) == ia32);
}

namespace {
Subject at(unsigned gates) {
  Subject subject;
  subject.level = gates & 3u;
  return subject;
}
}  // namespace

Subject subject_of_instruction(const Block& block, std::uint32_t ref, unsigned gates) {
  Subject subject = at(gates);
  if (ref == activity::no_ref) return subject;
  subject.instruction = &block.instructions.at(ref);
  subject.code = subject.instruction->ip;
  subject.slot = block.syllables.at(ref).type;
  return subject;
}

Subject subject_of_request(const Block& block, std::uint32_t ref, unsigned gates) {
  Subject subject = at(gates);
  if (ref == activity::no_ref) return subject;
  const auto& request = block.requests.at(ref);
  const auto& more = block.ia64_requests.at(ref);
  if (more.owner != activity::no_ref) {
    subject = subject_of_instruction(block, more.owner, gates);
  } else if (fetches(more.requester)) {
    subject.code = request.address;
  } else if (request.has_instruction) {
    subject.code = request.ip;
  }
  subject.prefetch = more.requester == Requester::prefetch_fetch;
  if (!fetches(more.requester) && more.requester != Requester::snoop) {
    subject.data = request.address;
  }
  return subject;
}

void add_access(Subject& subject, const Block& block, const activity::Occurrence& what) {
  for (const Signal signal : {Signal::access_retire, Signal::data_reference}) {
    const auto& entries = block.column(signal);
    auto entry =
        std::lower_bound(entries.begin(), entries.end(), what.at, [](const auto& e, auto at) { return e.at < at; });
    for (; entry != entries.end() && entry->at == what.at; ++entry) {
      const auto& request = block.ia64_requests.at(entry->ref);
      if (request.owner != what.ref || request.requester != Requester::data) continue;
      subject.data = block.requests.at(entry->ref).address;
      return;
    }
  }
}

unsigned gates_of_thread(const StateValues& states, unsigned thread) {
  using activity::State;
  const bool active = value_of(states, State::thread) == thread;
  return gates_of(value_of(states, active ? State::cpl : State::background_cpl),
                  value_of(states, active ? State::psr : State::background_psr));
}

std::optional<unsigned> owner_of(const EventSite& site) {
  if (!site.has_ref()) return std::nullopt;
  return names_instruction(site.signal) ? site.instruction().thread : site.request().thread;
}

Subject subject_of(const EventSite& site, bool with_data) {
  const auto active = static_cast<unsigned>(value_of(site.states, activity::State::thread));
  const unsigned gates = gates_of_thread(site.states, owner_of(site).value_or(active));
  if (!names_instruction(site.signal)) return subject_of_request(site.block, site.what.ref, gates);
  Subject subject = subject_of_instruction(site.block, site.what.ref, gates);
  if (with_data && site.has_ref()) add_access(subject, site.block, site.what);
  return subject;
}

bool qualifies(const Subject& subject, Filters filters, const Request& request, const Choices& choices) {
  if (filters.code) {
    const bool second = subject.prefetch && request.ia64.code.size() > 1;
    Ranges wanted = {second ? 1u : 0u, 1, request.ia64.outside && (!second || choices.every_range_inverted)};
    // Prefetches keep to channel 1, which has the second range alone.
    if (ranges_unite(request, choices) && !subject.prefetch) wanted = {0, 2, request.ia64.outside};
    if (!lies_in(subject, wanted, request, choices)) return false;
  }
  if (filters.opcode && !matches(subject, 0, request, choices)) return false;
  return !filters.data || accesses_ranges(subject, request, choices);
}

bool passes_channel(const Subject& subject, unsigned channel, const Request& request, const Choices& choices) {
  const bool inverts = channel == 0 || choices.every_range_inverted;
  Ranges wanted = {request.ia64.fine_mode ? channel & 1u : channel, 1, request.ia64.outside && inverts};
  if (channel == 0 && ranges_unite(request, choices)) wanted.count = 2;  // the channel of ordinary events
  return lies_in(subject, wanted, request, choices) && matches(subject, channel & 1u, request, choices);
}

bool wants_line(const ia64::LineStates& wanted, activity::LineState state) {
  if (wanted == ia64::LineStates{false, false, false, false}) return false;
  switch (state) {
    case activity::LineState::modified:
      return wanted.modified;
    case activity::LineState::exclusive:
      return wanted.exclusive;
    case activity::LineState::shared:
      return wanted.shared;
    case activity::LineState::invalid:
      return wanted.invalid;
    case activity::LineState::owned:  // L3 knows no such state
      break;
  }
  return false;
}

void check_ia64(const Request& request) {
  const ia64::Qualifiers& q = request.ia64;
  const auto refuse = [&](const char* why) { throw std::invalid_argument(request.event + ": " + why); };
  if (request.invert || request.edge || request.marked) refuse("an Itanium neither inverts, detects edges nor marks");
  if (request.threshold > 7) refuse("a threshold is 0 to 7");
  if (q.levels > 15) refuse("a level mask is 0 to 15");
  if (q.code.size() > (q.fine_mode ? 2u : 4u)) refuse("there are four code ranges, two in fine mode");
  if (q.data.size() > 4) refuse("there are four data ranges");
  if (q.opcodes.size() > 2) refuse("there are two opcode matchers");
  for (const auto& range : q.code) {
    if (range.start >= range.end) refuse("a code range ends after its start");
  }
  for (const auto& range : q.data) {
    if (range.start >= range.end) refuse("a data range ends after its start");
  }
}

}  // namespace pmusim::oracle
