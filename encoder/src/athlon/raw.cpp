// Raw events of the Athlon in the syntax of Linux perf: rUUEE and cpu/event=0xEE,umask=0xUU,cmask=N,inv,edge/.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "backend.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::athlon {
namespace {

constexpr std::uint32_t kAnyCounter = (1u << kCounters) - 1;

/// A word between the slashes of cpu/.../ and the attribute that gets its number.
struct PerfTerm {
  std::string_view name;
  std::uint64_t limit;
  std::string_view attribute;  ///< empty: the word is event or umask
};

constexpr std::array<PerfTerm, 5> kTerms{{
    {"event", 0xff, ""},
    {"umask", 0xff, ""},
    {"cmask", 0xff, "c"},
    {"inv", 1, "i"},
    {"edge", 1, "e"},
}};

Error term_error(std::string_view head, std::string_view what) {
  return {ErrorCode::syntax,
          fmt::format("{}: {}; the form is cpu/event=0xEE,umask=0xUU,cmask=0..255,inv,edge/", quoted(head), what)};
}

std::optional<Error> read_term(std::string_view head, std::string_view text, Request& request) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto term =
      std::find_if(kTerms.begin(), kTerms.end(), [&](const PerfTerm& t) { return same_word(t.name, name); });
  if (term == kTerms.end()) {
    std::vector<std::string_view> names;
    names.reserve(kTerms.size());
    for (const PerfTerm& known : kTerms) names.push_back(known.name);
    return term_error(head, fmt::format("unknown word {}{}", quoted(name), did_you_mean(name, names)));
  }
  std::optional<std::uint64_t> value;
  if (equals != std::string_view::npos)
    value = number(text.substr(equals + 1));
  else if (term->limit == 1)
    value = 1;
  if (!value || *value > term->limit)
    return Error{ErrorCode::bad_attribute_value,
                 fmt::format("{}: {} takes a number from 0 to {}", quoted(head), term->name, term->limit)};
  if (term->name == "event")
    request.raw_code = static_cast<std::uint32_t>(*value);
  else if (term->name == "umask")
    request.unit_mask = static_cast<std::uint32_t>(*value);
  else
    request.settings.set(term->attribute, *value);
  return std::nullopt;
}

Result<Request> parse_perf(std::string_view head) {
  constexpr std::string_view opening = "cpu/";
  std::string_view terms = head.substr(opening.size());
  const std::size_t closing = terms.find('/');
  if (closing == std::string_view::npos) return term_error(head, "the closing '/' is missing");
  const std::string_view levels = terms.substr(closing + 1);
  terms = terms.substr(0, closing);
  Request request;
  request.raw_counters = kAnyCounter;
  std::vector<std::string> seen;
  for (bool more = true; more;) {
    const std::size_t comma = terms.find(',');
    more = comma != std::string_view::npos;
    const std::string_view term = terms.substr(0, comma);
    if (auto error = read_term(head, term, request)) return *std::move(error);
    const std::string name = upper(term.substr(0, term.find('=')));
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return Error{ErrorCode::attribute_conflict, fmt::format("{}: {} is set twice", quoted(head), name)};
    seen.push_back(name);
    if (more) terms.remove_prefix(comma + 1);
  }
  if (std::find(seen.begin(), seen.end(), "EVENT") == seen.end()) return term_error(head, "event= is missing");
  for (const char level : levels) {
    if (level != 'u' && level != 'k') return term_error(head, "only u and k may follow the closing '/'");
    request.settings.set(std::string_view(&level, 1), 1);
  }
  return request;
}

}  // namespace

std::optional<Result<Request>> parse_raw(std::string_view head) {
  if (head.size() >= 4 && same_word(head.substr(0, 4), "cpu/")) return parse_perf(head);
  if (head.size() < 2 || (head[0] != 'r' && head[0] != 'R')) return std::nullopt;
  const auto config = hex_digits(head.substr(1));
  if (!config) return std::nullopt;
  if (*config > 0xffff)
    return Error{ErrorCode::bad_value,
                 fmt::format("{}: a raw event is r and at most four hexadecimal digits, rUUEE; the other fields are "
                             "attributes (u, k, e, i, c)",
                             quoted(head))};
  Request request;
  request.raw_counters = kAnyCounter;
  request.raw_code = static_cast<std::uint32_t>(*config & 0xff);
  request.unit_mask = static_cast<std::uint32_t>(*config >> 8);
  return request;
}

}  // namespace pmusim::encoder::athlon
