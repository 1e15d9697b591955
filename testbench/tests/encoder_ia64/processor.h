// The two IA-64 processors, their dispatch requests and answers as JSON, and the promises of the manual pages about
// address ranges, checked on an answer alone: each range is covered, the offsets give the excess, and every register
// has its own number. The promises are written from the description of the debug registers, independently of the
// encoder. The form of the JSON is that of the recorded answers of libpfm 3.10 (README.md).
#pragma once

#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pmusim::encoder::test {

using Json = nlohmann::json;

/// Sets the words of PFMLIB_QUIRKS during its lifetime.
class WithQuirks {
 public:
  explicit WithQuirks(const std::string& words) { EXPECT_EQ(pfm_set_quirks(words.c_str()), PFMLIB_SUCCESS) << words; }
  ~WithQuirks() { pfm_set_quirks(nullptr); }
  WithQuirks(const WithQuirks&) = delete;
  WithQuirks& operator=(const WithQuirks&) = delete;
};

/// Reads a number; numbers that may need more than 32 bits are strings.
[[nodiscard]] unsigned long number(const Json& value);
/// A member that is a number; 0 if it is missing.
[[nodiscard]] unsigned long member(const Json& object, const char* name);
[[nodiscard]] std::string hex(unsigned long long value);
/// Reads one JSON object per line, from a file of this folder that is packed with zstd or plain.
[[nodiscard]] std::vector<Json> read_lines(const std::string& name);

struct Processor {
  std::string name;
  /// The answer of pfm_dispatch_events to a request, with the quirks that are set.
  Json (*answer_to)(const Json& in);
  unsigned page_order;    ///< fine mode: log2 of the page
  unsigned granule;       ///< fine mode: bytes that are compared together
  unsigned data_control;  ///< PMC that enables data ranges
};
extern const Processor itanium2, montecito;

class EachProcessor : public ::testing::TestWithParam<const Processor*> {
 protected:
  [[nodiscard]] const Processor& processor() const { return *GetParam(); }
};
inline std::string processor_name(const ::testing::TestParamInfo<const Processor*>& info) { return info.param->name; }

/// The quirks under which a recorded request was answered.
[[nodiscard]] std::string quirks_of(const Json& in);

/// Empty if the answer keeps the promise or is a refusal; otherwise a description of the error.
[[nodiscard]] std::string broken_promise(const Processor& processor, const Json& in, const Json& out);

/// The number of addresses in the requested ranges.
[[nodiscard]] std::size_t addresses_inside(const Json& limits, const Json& addresses);
/// The number of addresses that pass the registers of an answer; all, if data ranges are not enabled.
[[nodiscard]] std::size_t addresses_passed(const Processor& processor, const Json& out, const std::string& range,
                                           const Json& addresses);

}  // namespace pmusim::encoder::test
