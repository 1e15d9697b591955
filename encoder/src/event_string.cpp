#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine.h"
#include "text.h"

namespace pmusim::encoder {
namespace {

/// One `:TOKEN` or `:NAME=VALUE` after the event.
struct Token {
  std::string_view name;
  std::string_view value;
  bool has_value = false;
};

Token split_token(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}, false};
  return {text.substr(0, equals), text.substr(equals + 1), true};
}

std::vector<std::string_view> names_of(const auto& rows) {
  std::vector<std::string_view> names;
  names.reserve(rows.size());
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

template <class Rows>
auto find_named(const Rows& rows, std::string_view name) -> decltype(&*rows.begin()) {
  auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  if (found == rows.end())
    found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return same_word(row.name, name); });
  return found == rows.end() ? nullptr : &*found;
}

/// Splits a text at the first colon, which ends the event part, but not between the slashes of the perf form cpu/.../.
std::pair<std::string_view, std::string_view> split_head(std::string_view text) {
  std::size_t from = 0;
  if (const std::size_t open = text.find('/'); open != std::string_view::npos && open < text.find(':'))
    from = std::min(text.find('/', open + 1), text.size());
  const std::size_t colon = text.find(':', from);
  if (colon == std::string_view::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon)};
}

/// Reads the tokens after one event into its request.
class TokenReader {
 public:
  TokenReader(const Backend& backend, Request& request) : backend_(backend), request_(request) {}

  std::optional<Error> read(std::string_view text) {
    const Token token = split_token(text);
    if (token.name.empty())
      return Error{ErrorCode::syntax, fmt::format("{}: empty word after ':'; the form is {}", where(), form())};
    if (!token.has_value)
      if (const UnitMask* mask = find_named(masks(), token.name)) return add(*mask);
    if (const Attribute* attribute = find_named(backend_.attributes(), token.name)) return set(*attribute, token);
    return unknown(token);
  }

  std::optional<Error> finish() {
    if (masks().empty() || !chosen_.empty()) return std::nullopt;
    const UnitMask* default_mask = request_.event->default_mask();
    if (!default_mask)
      return Error{ErrorCode::missing_unit_mask,
                   fmt::format("{} needs a unit mask: one of {}", where(), fmt::join(names_of(masks()), ", "))};
    request_.unit_mask = request_.event->bits(*default_mask);
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::span<const UnitMask> masks() const {
    return request_.event ? request_.event->unit_masks : std::span<const UnitMask>{};
  }
  [[nodiscard]] std::string where() const { return in_quotes(request_.text); }
  [[nodiscard]] static std::string_view form() { return "[TARGET::]EVENT[:UMASK]...[:ATTR]..."; }

  /// Adds a unit mask. Masks of one event can be combined unless they have common bits (ALL cannot be combined).
  std::optional<Error> add(const UnitMask& mask) {
    for (const UnitMask* other : chosen_) {
      if (other == &mask) return std::nullopt;
      if (request_.event->bits(*other) & request_.event->bits(mask))
        return Error{ErrorCode::unit_mask_combination,
                     fmt::format("{}: unit masks {} and {} may not be combined", where(), other->name, mask.name)};
    }
    chosen_.push_back(&mask);
    request_.unit_mask |= request_.event->bits(mask);
    return std::nullopt;
  }

  /// Parses a number, or a word of the attribute, whose value is its position.
  static std::optional<std::uint64_t> value_of(const Attribute& attribute, std::string_view text) {
    if (const auto place = place_among(attribute.words, text)) return *place;
    return number(text);
  }
  static std::string legal(const Attribute& attribute) {
    const std::string range = fmt::format("a number from {} to {}", attribute.minimum, attribute.maximum);
    return attribute.words.empty() ? range : fmt::format("{}, or {}", attribute.words, range);
  }

  std::optional<Error> set(const Attribute& attribute, const Token& token) {
    std::optional<std::uint64_t> value = 1;
    if (token.has_value)
      value = value_of(attribute, token.value);
    else if (!attribute.flag)
      value.reset();
    if (!value || *value < attribute.minimum || *value > attribute.maximum)
      return Error{ErrorCode::bad_attribute_value,
                   fmt::format("{}: {} takes {}{}", where(), attribute.name, legal(attribute),
                               token.has_value ? ", not " + in_quotes(token.value) : "")};
    if (const auto before = request_.settings.get(attribute.name); before && *before != *value)
      return Error{ErrorCode::attribute_conflict,
                   fmt::format("{}: {} is set twice, to {} and to {}", where(), attribute.name, *before, *value)};
    request_.settings.set(attribute.name, *value);
    return std::nullopt;
  }

  [[nodiscard]] Error unknown(const Token& token) const {
    const std::string_view target = backend_.info().name;
    if (const ForeignAttribute* foreign = find_named(backend_.foreign_attributes(), token.name))
      return {ErrorCode::unknown_attribute,
              fmt::format("{}: {} has no attribute {}: {}", where(), target, foreign->name, foreign->hint)};
    std::vector<std::string_view> legal = names_of(backend_.attributes());
    if (token.has_value || masks().empty())
      return {ErrorCode::unknown_attribute,
              fmt::format("{}: {}{} has no attribute {}{}; attributes: {}", where(),
                          token.has_value ? "" : "the event has no unit masks, and ", target, in_quotes(token.name),
                          did_you_mean(token.name, legal), fmt::join(legal, ", "))};
    std::vector<std::string_view> choices = names_of(masks());
    const std::string listed = fmt::format("{}", fmt::join(choices, ", "));
    choices.insert(choices.end(), legal.begin(), legal.end());
    return {ErrorCode::unknown_unit_mask,
            fmt::format("{}: {} has no unit mask {}{}; unit masks: {}", where(), request_.event->name,
                        in_quotes(token.name), did_you_mean(token.name, choices), listed)};
  }

  const Backend& backend_;
  Request& request_;
  std::vector<const UnitMask*> chosen_;
};

/// "; T has it" for a name of other targets.
std::string known_elsewhere(std::string_view head) {
  std::vector<std::string_view> targets;
  for (const Backend* other : backends())
    if (find_named(other->events(), head) != nullptr) targets.push_back(other->info().name);
  if (targets.empty()) return {};
  return fmt::format("; {} {} it", fmt::join(targets, " and "), targets.size() == 1 ? "has" : "have");
}

Result<Request> parse_head(const Backend& backend, std::string_view head) {
  Request request;
  if (const Event* event = find_named(backend.events(), head)) {
    request.event = event;
    return request;
  }
  if (auto raw = backend.raw_event(head)) return *std::move(raw);
  const std::string_view target = backend.info().name;
  if (const Event* reserved = find_named(backend.reserved_events(), head))
    return Error{ErrorCode::reserved_event,
                 fmt::format("{} on {} is a reserved code or only a name ({}); only the raw form {} selects it",
                             reserved->name, target, reserved->description, backend.raw_forms())};
  std::string hint = known_elsewhere(head);
  if (hint.empty()) hint = did_you_mean(head, names_of(backend.events()));
  return Error{ErrorCode::unknown_event, fmt::format("{} has no event {}{}", target, in_quotes(head), hint)};
}

}  // namespace

std::vector<std::string> expand_event_string(const Backend& backend, std::string_view text) {
  const std::size_t prefix = text.find("::");
  const std::size_t start = prefix == std::string_view::npos ? 0 : prefix + 2;
  const auto [head, tokens] = split_head(text.substr(start));
  const std::vector<std::string> names = backend.expanded(head);
  if (names.size() == 1 && names.front() == head) return {std::string(text)};
  std::vector<std::string> events;
  events.reserve(names.size());
  for (const std::string& name : names) events.push_back(fmt::format("{}{}{}", text.substr(0, start), name, tokens));
  return events;
}

Result<Request> parse_event_string(const Backend& backend, std::string_view text) {
  std::string_view rest = text;
  if (const std::size_t prefix = rest.find("::"); prefix != std::string_view::npos) {
    if (!same_word(rest.substr(0, prefix), backend.info().name))
      return Error{ErrorCode::unknown_target, fmt::format("{}: the word before '::' must be the target, {}",
                                                          in_quotes(text), backend.info().name)};
    rest.remove_prefix(prefix + 2);
  }
  auto [head, tokens] = split_head(rest);
  if (head.empty()) return Error{ErrorCode::syntax, fmt::format("{}: no event named", in_quotes(text))};
  Result<Request> request = parse_head(backend, head);
  if (!request) return request;
  request.value().text = text;
  TokenReader reader(backend, request.value());
  while (!tokens.empty()) {
    tokens.remove_prefix(1);
    const std::size_t colon = std::min(tokens.find(':'), tokens.size());
    if (auto error = reader.read(tokens.substr(0, colon))) return *std::move(error);
    tokens.remove_prefix(colon);
  }
  if (auto error = reader.finish()) return *std::move(error);
  return request;
}

}  // namespace pmusim::encoder
