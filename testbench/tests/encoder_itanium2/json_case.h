// Dispatch requests and answers of the IA-64 PMUs as JSON: the parts that are common to both processors. The form is
// that of the recorded answers of libpfm 3.10 (README.md). Also the promises of the manual pages about address ranges,
// checked on an answer alone: each range is covered, the offsets give the excess, and every register has its own
// number. Written from the description of the debug registers, independently of the encoder.
#pragma once

#include <fmt/format.h>
#include <perfmon/pfmlib.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pmusim::encoder::test {

using Json = nlohmann::json;

/// Sets the words of PFMLIB_QUIRKS during its lifetime.
class WithQuirks {
 public:
  explicit WithQuirks(const std::string& words);
  ~WithQuirks();
  WithQuirks(const WithQuirks&) = delete;
  WithQuirks& operator=(const WithQuirks&) = delete;
};

/// Reads a number; numbers that may need more than 32 bits are strings.
[[nodiscard]] unsigned long number(const Json& value);
/// A member that is a number; 0 if it is missing.
[[nodiscard]] unsigned long member(const Json& object, const char* name);
/// The same, truncated to the type of a field, which may be an enumeration and then hold a value without a name.
template <class Field>
void put(const Json& object, const char* name, Field& to) {
  const unsigned long value = member(object, name);
  static_assert(sizeof to <= sizeof value);
  std::memcpy(&to, &value, sizeof to);  // little-endian
}
/// A used flag: 1 for a member that is present, unless it has another value.
[[nodiscard]] unsigned char used(const Json& object);

/// Reads one JSON object per line, from a file packed with zstd or plain.
[[nodiscard]] std::vector<Json> read_lines(const std::string& path);

/// Fills the generic block.
void read_request(const Json& in, pfmlib_input_param_t& p);
/// The same, and reads the event entries of the model block with `counter(i, event)`.
template <class Counter>
void read_request(const Json& in, pfmlib_input_param_t& p, Counter counter) {
  read_request(in, p);
  unsigned i = 0;
  for (const Json& event : in.at("events")) counter(i++, event);
}

/// Converts `irange` or `drange` to a pfmlib_..._input_rr_t.
template <class Ranges>
void read_ranges(const Json& model, const char* name, Ranges& ranges) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ranges.rr_used = used(from);
  put(from, "rr_flags", ranges.rr_flags);
  std::size_t i = 0;
  for (const Json& limit : from.at("limits")) {
    ranges.rr_limits[i].rr_start = number(limit.at(0));
    ranges.rr_limits[i].rr_end = number(limit.at(1));
    if (limit.size() > 2) ranges.rr_limits[i].rr_plm = static_cast<unsigned>(number(limit.at(2)));
    ++i;
  }
}

[[nodiscard]] std::string hex(unsigned long long value);
[[nodiscard]] Json register_words(const pfmlib_reg_t& reg);

/// Converts a pfmlib_..._output_rr_t to JSON.
template <class Ranges>
Json range_words(const Ranges& from, const Json& limits) {
  Json words{{"nbr_used", from.rr_nbr_used}, {"br", Json::array()}, {"infos", Json::array()}};
  for (unsigned i = 0; i < from.rr_nbr_used; ++i) words["br"].push_back(register_words(from.rr_br[i]));
  for (std::size_t i = 0; i < limits.size() && (number(limits[i][0]) != 0 || number(limits[i][1]) != 0); ++i)
    words["infos"].push_back(Json{hex(from.rr_infos[i].rr_soff), hex(from.rr_infos[i].rr_eoff)});
  return words;
}

/// Returns the answer of pfm_dispatch_events to a request with these blocks, except for the ranges.
[[nodiscard]] Json answer_words(const Json& in, pfmlib_input_param_t& p, void* model_in, pfmlib_output_param_t& q,
                                void* model_out);

/// Returns the answer of pfm_dispatch_events to `in`, with the quirks that are set. The processor's dispatch_case.cpp
/// defines this function and the next two.
[[nodiscard]] Json answer_to(const Json& in);
/// The recorded cases, as one JSON object each.
[[nodiscard]] const std::vector<Json>& recorded_cases();
/// The quirks under which a recorded request was answered.
[[nodiscard]] std::string quirks_of(const Json& in);

/// Properties of the address ranges of a processor.
struct RangeHardware {
  unsigned page_order;    ///< fine mode: log2 of the page
  unsigned granule;       ///< fine mode: bytes that are compared together
  unsigned data_control;  ///< PMC that enables data ranges
};
inline constexpr RangeHardware kItanium2Ranges{12, 32, 13};
inline constexpr RangeHardware kMontecitoRanges{16, 16, 41};

/// Empty if the answer keeps the promise or is a refusal; otherwise a description of the error.
[[nodiscard]] std::string broken_promise(const Json& in, const Json& out,
                                         const RangeHardware& hardware = kItanium2Ranges);

/// The number of addresses in the requested ranges.
[[nodiscard]] std::size_t addresses_inside(const Json& limits, const Json& addresses);
/// The number of addresses that pass the registers of an answer; all, if data ranges are not enabled.
[[nodiscard]] std::size_t addresses_passed(const Json& out, const std::string& range, const Json& addresses,
                                           const RangeHardware& hardware = kItanium2Ranges);

/// "Never covers less": random ranges of code and data are covered, or refused.
void expect_promise_kept(const RangeHardware& hardware);
/// libpfm's own answers, under these quirks, do not always keep the promise; the same requests show this.
void expect_promise_broken(const RangeHardware& hardware, const std::string& quirks);

/// Every one of the `cases` recorded answers is given again under its quirks.
void expect_recorded_answers(std::size_t cases);

}  // namespace pmusim::encoder::test
