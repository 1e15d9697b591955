#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "processor.h"

namespace pmusim::encoder::test {

namespace {

/// The first and last address that pass.
struct Span {
  std::uint64_t first;
  std::uint64_t last;
};

/// A pair passes addresses that equal the first register in bits 63 to 56 and in the bits that are 1 in the mask.
Span masked(std::uint64_t address, std::uint64_t mask_register) {
  const std::uint64_t compared = (mask_register & 0x00ffffffffffffff) | 0xff00000000000000;
  return {address & compared, (address & compared) | ~compared};
}

/// Fine bounds pass whole granules within the page of the lower bound: on the Itanium 2 by bits 11 to 5.
std::vector<Span> fine(std::uint64_t lower, std::uint64_t upper, const Processor& processor) {
  const std::uint64_t inside = (std::uint64_t{1} << processor.page_order) - processor.granule;
  const std::uint64_t page = lower >> processor.page_order << processor.page_order;
  if ((lower & inside) > (upper & inside)) return {};
  return {{page | (lower & inside), (page | (upper & inside)) + processor.granule - 1}};
}

std::vector<Span> spans(const Json& ranges, bool is_fine, const Processor& processor) {
  std::vector<std::uint64_t> values;
  for (const Json& reg : ranges.at("br")) values.push_back(number(reg.at(1)));
  std::vector<Span> found;
  if (is_fine) {
    for (std::size_t i = 0; i + 3 < values.size(); i += 4)
      for (const Span span : fine(values[i], values[i + 2], processor)) found.push_back(span);
  } else {
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) found.push_back(masked(values[i], values[i + 1]));
  }
  std::sort(found.begin(), found.end(), [](const Span& a, const Span& b) { return a.first < b.first; });
  return found;
}

bool covered(std::uint64_t start, std::uint64_t last, const std::vector<Span>& all) {
  for (const Span& span : all) {
    if (span.first > start) return false;
    if (span.last >= last) return true;
    if (span.last >= start) start = span.last + 1;
  }
  return false;
}

/// Checks that every register occurs once and that reg_addr is its number.
std::string check_registers(const Json& ranges) {
  std::set<unsigned> seen;
  for (const Json& reg : ranges.at("br")) {
    if (reg.size() > 2) return fmt::format("register {} is named {}", reg[0].get<unsigned>(), reg[2].get<unsigned>());
    if (!seen.insert(reg[0].get<unsigned>()).second) return fmt::format("register {} twice", reg[0].get<unsigned>());
  }
  return {};
}

std::string check(const Json& asked, const Json& ranges, bool is_fine, const Processor& processor) {
  if (std::string wrong = check_registers(ranges); !wrong.empty()) return wrong;
  const std::vector<Span> all = spans(ranges, is_fine, processor);
  for (std::size_t i = 0; i < ranges.at("infos").size(); ++i) {
    const std::uint64_t start = number(asked.at("limits")[i][0]);
    const std::uint64_t end = number(asked.at("limits")[i][1]);
    if (!covered(start, end - 1, all)) return fmt::format("range {:#x}-{:#x} is not covered", start, end);
    const std::uint64_t soff = number(ranges.at("infos")[i][0]);
    const std::uint64_t eoff = number(ranges.at("infos")[i][1]);
    const auto begins = [&](const Span& span) { return span.first == start - soff && span.last >= start; };
    const auto ends = [&](const Span& span) { return span.last + 1 == end + eoff && span.first < end; };
    if (!std::any_of(all.begin(), all.end(), begins) || !std::any_of(all.begin(), all.end(), ends))
      return fmt::format("range {:#x}-{:#x} is not exceeded by {:#x} and {:#x}", start, end, soff, eoff);
  }
  return {};
}

/// Two fine ranges: the first is on channels 0 and 2, the second on 1 and 3. Retired-instruction events name their
/// channel, together they must have every range; all other events follow channel 0 (those of prefetches alone, which
/// follow channel 1, cannot have two ranges).
std::string check_channels(const Json& in, const Json& ranges, const Processor& processor) {
  const Json& limits = in.at("model").at("irange").at("limits");
  if (ranges.at("infos").size() != 2) return {};
  std::vector<std::uint64_t> values;
  for (const Json& reg : ranges.at("br")) values.push_back(number(reg.at(1)));
  const auto all_covered = [&](bool first, bool second) {
    std::vector<Span> spans;
    if (first) spans = fine(values[0], values[2], processor);
    if (second)
      for (const Span span : fine(values[4], values[6], processor)) spans.push_back(span);
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.first < b.first; });
    return std::all_of(limits.begin(), limits.begin() + 2,
                       [&](const Json& limit) { return covered(number(limit[0]), number(limit[1]) - 1, spans); });
  };
  bool first = false, second = false, others = false;
  for (const Json& event : in.at("events")) {
    const auto name = event.at("name").get<std::string>();
    const std::size_t at = name.find("IA64_TAGGED_INST_RETIRED_IBRP");
    if (at == std::string::npos && !name.starts_with("IA64_INST_RETIRED")) others = true;
    (at != std::string::npos && (name[at + 29] - '0') % 2 != 0 ? second : first) = true;
  }
  if (others ? all_covered(true, false) : all_covered(first, second)) return {};
  return "an event counts in one of two fine ranges";
}

bool contains(const Span& span, std::uint64_t address) { return span.first <= address && address <= span.last; }

}  // namespace

std::size_t addresses_inside(const Json& limits, const Json& addresses) {
  std::vector<Span> asked;
  for (const Json& limit : limits) asked.push_back({number(limit[0]), number(limit[1]) - 1});
  return static_cast<std::size_t>(std::count_if(addresses.begin(), addresses.end(), [&](const Json& address) {
    return std::any_of(asked.begin(), asked.end(), [&](const Span& span) { return contains(span, number(address)); });
  }));
}

std::size_t addresses_passed(const Processor& processor, const Json& out, const std::string& range,
                             const Json& addresses) {
  const Json& controls = out.at("pmcs");
  const bool restricted = range == "irange" || std::any_of(controls.begin(), controls.end(), [&](const Json& control) {
                            return control[0] == processor.data_control;
                          });
  if (!restricted) return addresses.size();
  Json ranges = out.at(range);
  const bool is_fine = range == "irange" && out.at("irange_is_fine") == 1;
  // Channel 0 has the first fine range alone. Retired instructions (08h) with an odd unit mask follow channel 1 or 3.
  const bool second = std::any_of(controls.begin(), controls.end(), [](const Json& control) {
    const std::uint64_t value = number(control[1]);
    return control[0] >= 4 && control[0] < 8 && (value >> 8 & 0xff) == 8 && (value >> 16 & 1) != 0;
  });
  constexpr std::size_t of_one = 4;
  if (is_fine && !second)
    ranges["br"].erase(ranges["br"].begin() + std::min(of_one, ranges["br"].size()), ranges["br"].end());
  const std::vector<Span> all = spans(ranges, is_fine, processor);
  return static_cast<std::size_t>(std::count_if(addresses.begin(), addresses.end(), [&](const Json& address) {
    return std::any_of(all.begin(), all.end(), [&](const Span& span) { return contains(span, number(address)); });
  }));
}

std::string broken_promise(const Processor& processor, const Json& in, const Json& out) {
  if (out.at("ret") != "PFMLIB_SUCCESS") return {};
  std::string wrong;
  if (out.contains("irange"))
    wrong = check(in.at("model").at("irange"), out.at("irange"), out.at("irange_is_fine") == 1, processor);
  if (wrong.empty() && out.contains("irange") && out.at("irange_is_fine") == 1)
    wrong = check_channels(in, out.at("irange"), processor);
  if (wrong.empty() && out.contains("drange"))
    wrong = check(in.at("model").at("drange"), out.at("drange"), false, processor);
  return wrong;
}

}  // namespace pmusim::encoder::test
