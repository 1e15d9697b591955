// Lets this project's own encoder answer as libpfm 3.10 does where the two differ (docs/libpfm3.md): with the
// registers under the switch PFMLIB_QUIRKS=libpfm-3.10, for the IA-64 targets. Words of the switch may be given as an
// argument.
//   libpfm310-adapter [WORD,...]
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "scripts/adapters/adapter.h"

namespace {

using pmusim::adapter::json;
using pmusim::adapter::Refusal;
namespace encoder = pmusim::encoder;

/// The event as a string for the library.
std::string text_of(const json& event) {
  if (event.contains("raw")) return event.at("raw");
  std::string text = event.at("name");
  for (const json& mask : event.value("umasks", json::array())) text += ':' + mask.get<std::string>();
  const json attributes = event.value("attrs", json::object());
  for (const auto& [name, value] : attributes.items())
    text += ':' + name + '=' + std::to_string(value.get<long long>());
  return text;
}

template <class T>
T value_or_refusal(const encoder::Result<T>& result) {
  if (result) return *result;
  const auto code = result.error().code;
  const bool unknown = code == encoder::ErrorCode::unknown_event || code == encoder::ErrorCode::unknown_unit_mask ||
                       code == encoder::ErrorCode::unknown_attribute;
  throw Refusal(unknown ? "unsupported" : "invalid", result.error().message);
}

encoder::EncodeOptions options_of(const json& request, const std::string& target, const std::string& quirks) {
  encoder::EncodeOptions options;
  options.sampling = request.value("sampling", false);
  options.quirks = quirks;
  encoder::QualifierTexts texts;
  const std::vector<std::pair<std::string, std::vector<std::string>*>> lists{
      {"irange", &texts.irange}, {"drange", &texts.drange}, {"opcode", &texts.opcode}, {"ear", &texts.ear},
      {"btb", &texts.btb},       {"etb", &texts.etb},       {"ipear", &texts.ipear},   {"fetch", &texts.fetch}};
  const json qualifiers = request.value("qualifiers", json::object());
  for (const auto& [name, value] : qualifiers.items()) {
    bool known = true;
    if (name == "unavailable_counters") {
      options.unavailable_counters = value.get<std::vector<unsigned>>();
    } else if (name == "no_fine") {
      texts.no_fine = value;
    } else if (name == "inverse") {
      texts.inverse = value;
    } else {
      known = false;
      for (const auto& [list, content] : lists) {
        if (list != name) continue;
        *content = value.get<std::vector<std::string>>();
        known = true;
      }
    }
    if (!known) throw Refusal("unsupported", "no qualifier " + name);
  }
  options.qualifiers = value_or_refusal(encoder::parse_qualifiers(target, texts));
  return options;
}

json encode(const json& request, const std::string& quirks) {
  const std::string target = request.at("target");
  if (target != "itanium2" && target != "montecito") throw Refusal("unsupported", "the switch is for IA-64 targets");
  std::vector<std::string> events;
  for (const json& event : request.at("events")) events.push_back(text_of(event));
  const auto encoding = value_or_refusal(encoder::encode(target, events, options_of(request, target, quirks)));
  json answer{{"registers", json::array()}, {"counters", json::array()}};
  for (const encoder::RegisterValue& reg : encoding.registers)
    answer["registers"].push_back({{"name", reg.name}, {"value", pmusim::adapter::register_value(reg.value)}});
  for (const encoder::EncodedEvent& event : encoding.events) answer["counters"].push_back(event.counter);
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string quirks = argc > 1 ? argv[1] : "libpfm-3.10";
  pmusim::adapter::serve([&](const json& request) { return encode(request, quirks); });
  return 0;
}
