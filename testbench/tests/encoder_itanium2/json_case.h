// Dispatch requests and answers of the IA-64 PMUs as JSON: what is alike in the blocks of both processors. The form is
// that of the recorded answers of libpfm 3.10 (README.md).
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

/// Sets PFMLIB_QUIRKS' words for the time of its life.
class WithQuirks {
 public:
  explicit WithQuirks(const std::string& words);
  ~WithQuirks();
  WithQuirks(const WithQuirks&) = delete;
  WithQuirks& operator=(const WithQuirks&) = delete;
};

/// Numbers that may need more than 32 bits are texts.
[[nodiscard]] unsigned long number(const Json& value);
/// A member that is a number, 0 when it is not there.
[[nodiscard]] unsigned long member(const Json& object, const char* name);
/// The same, cut to the type of a field, which may be an enumeration and then hold what is none of its names.
template <class Field>
void put(const Json& object, const char* name, Field& to) {
  const unsigned long value = member(object, name);
  static_assert(sizeof to <= sizeof value);
  std::memcpy(&to, &value, sizeof to);  // little-endian
}
/// A used flag: 1 for a member that is there, unless it says otherwise.
[[nodiscard]] unsigned char used(const Json& object);

/// One JSON object a line, packed with zstd or plain.
[[nodiscard]] std::vector<Json> read_lines(const std::string& path);

/// Fills the generic block.
void read_request(const Json& in, pfmlib_input_param_t& p);
/// The same, and reads the model block's entries of the events by `counter(i, event)`.
template <class Counter>
void read_request(const Json& in, pfmlib_input_param_t& p, Counter counter) {
  read_request(in, p);
  unsigned i = 0;
  for (const Json& event : in.at("events")) counter(i++, event);
}

/// From `irange` or `drange` to a pfmlib_..._input_rr_t.
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

/// From a pfmlib_..._output_rr_t.
template <class Ranges>
Json range_words(const Ranges& from, const Json& limits) {
  Json words{{"nbr_used", from.rr_nbr_used}, {"br", Json::array()}, {"infos", Json::array()}};
  for (unsigned i = 0; i < from.rr_nbr_used; ++i) words["br"].push_back(register_words(from.rr_br[i]));
  for (std::size_t i = 0; i < limits.size() && (number(limits[i][0]) != 0 || number(limits[i][1]) != 0); ++i)
    words["infos"].push_back(Json{hex(from.rr_infos[i].rr_soff), hex(from.rr_infos[i].rr_eoff)});
  return words;
}

/// What pfm_dispatch_events answers to a request with these blocks, but for the ranges.
[[nodiscard]] Json answer_words(const Json& in, pfmlib_input_param_t& p, void* model_in, pfmlib_output_param_t& q,
                                void* model_out);

}  // namespace pmusim::encoder::test
