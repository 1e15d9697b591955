#include "testbench/support/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/split.hpp>
#include <boost/program_options.hpp>
#include <cctype>
#include <iostream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <typeinfo>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace boost_po = boost::program_options;
namespace {

/// Boost's form of an option's value.
boost_po::value_semantic* semantic_of(const po::Form& form) {
  return std::visit(
      [&]<class T>(const T& value) -> boost_po::value_semantic* {
        if constexpr (std::is_same_v<T, bool>) {
          return boost_po::bool_switch();
        } else {
          auto* const semantic = boost_po::value<T>();
          if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            form.multitoken ? semantic->multitoken() : semantic->composing();
          } else if (form.has_default) {
            form.shown.empty() ? semantic->default_value(value) : semantic->default_value(value, form.shown);
          }
          if (!form.name.empty()) semantic->value_name(form.name);
          return semantic;
        }
      },
      form.value);
}

boost_po::options_description boost_of(const std::string& title, const std::vector<Option>& rows) {
  boost_po::options_description all(title);
  for (const Option& option : rows)
    all.add_options()(option.names.c_str(), semantic_of(option.form), option.text.c_str());
  return all;
}

/// The value that Boost has read, of the type that the form names.
po::Value value_of(const boost::any& value) {
  std::optional<po::Value> found;
  const auto take = [&]<class T>(const T*) {
    if (const T* const held = boost::any_cast<T>(&value)) found = *held;
  };
  [&]<class... T>(const std::variant<T...>*) {
    (take(static_cast<const T*>(nullptr)), ...);
  }(static_cast<const po::Value*>(nullptr));
  return found.value();
}

std::string suggestion(const std::string& word, std::vector<std::string> names) {
  names.emplace_back("help");
  for (std::string& name : names) name.insert(0, "--");
  const std::vector<std::string_view> views(names.begin(), names.end());
  return did_you_mean(word, views, "see --help");
}

/// Boost wraps negative numbers, so the values of unsigned options are checked before Boost converts them.
void check_numbers(const boost_po::parsed_options& parsed, const boost_po::options_description& description) {
  for (const boost_po::option& option : parsed.options) {
    if (option.string_key.empty() || option.position_key >= 0) continue;
    const auto* const typed =
        dynamic_cast<const boost_po::typed_value_base*>(description.find(option.string_key, false).semantic().get());
    if (typed == nullptr) continue;
    const bool is_short = typed->value_type() == typeid(unsigned);
    if (!is_short && typed->value_type() != typeid(std::uint64_t)) continue;
    const std::uint64_t most =
        is_short ? std::numeric_limits<unsigned>::max() : std::numeric_limits<std::uint64_t>::max();
    for (const std::string& text : option.value) {
      if (const auto value = whole_number(text); value && *value <= most) continue;
      throw UsageError("--{} '{}': expected a whole number from 0 to {}", option.string_key, text, most);
    }
  }
}

/// Options whose values are file names. An empty file name is refused; it usually comes from an unset shell variable.
constexpr std::string_view file_options[] = {"activity", "elf",    "journal",  "junit",  "konata",
                                             "merge",    "output", "perfetto", "resume", "second",
                                             "snapshot", "source", "symbols",  "trace",  "vcd"};

void check_files(const boost_po::parsed_options& parsed) {
  for (const boost_po::option& option : parsed.options) {
    if (std::ranges::find(file_options, option.string_key) == std::end(file_options)) continue;
    if (std::ranges::find(option.value, std::string()) == option.value.end()) continue;
    throw UsageError("--{} '': expected the name of a file", option.string_key);
  }
}

}  // namespace

std::vector<std::string> Options::names() const {
  std::vector<std::string> all;
  for (const auto* const list : {&rows, &group_rows}) {
    for (const Option& option : *list) all.push_back(option.names.substr(0, option.names.find(',')));
  }
  return all;
}

Options operator+(Options first, Options more) {
  std::ranges::move(more.rows, std::back_inserter(first.rows));
  if (first.group.empty()) std::tie(first.group, first.group_rows) = std::tie(more.group, more.group_rows);
  return first;
}

Arguments::Arguments(const std::vector<std::string>& arguments, Options visible, const HelpText& help,
                     std::string_view formats)
    : usage_(help.usage) {
  if (!formats.empty())
    visible.rows.push_back({"format", {std::string(), false, {}, std::string(formats)}, "output format"});
  const boost_po::options_description shown = [&] {
    boost_po::options_description options = boost_of("options", visible.rows);
    if (!visible.group.empty()) options.add(boost_of(visible.group, visible.group_rows));
    options.add_options()("help,h", "show this help");
    return options;
  }();
  boost_po::options_description all = shown;
  all.add_options()("positional", boost_po::value<std::vector<std::string>>());
  boost_po::positional_options_description positions;
  positions.add("positional", -1);
  try {
    namespace style = boost_po::command_line_style;
    const int allowed = (style::unix_style | style::long_allow_adjacent) & ~style::allow_guessing;
    const boost_po::parsed_options parsed =
        boost_po::command_line_parser(arguments).options(all).positional(positions).style(allowed).run();
    check_numbers(parsed, all);
    check_files(parsed);
    boost_po::variables_map map;
    boost_po::store(parsed, map);
    for (const auto& [name, given] : map) {
      if (!given.value().empty()) given_[name] = {value_of(given.value()), given.defaulted()};
    }
  } catch (const boost_po::unknown_option& error) {
    const std::string option = error.get_option_name();
    throw UnknownOption(option, fmt::format("unknown option '{}'{}", option, suggestion(option, visible.names())));
  } catch (const boost_po::error& error) {
    throw UsageError("{}; see --help", error.what());
  }
  if (given_.count("help") != 0) {
    print_paragraphs(std::cout, fmt::format("usage: {}\n\n{}\n", help.usage, help.about));
    std::cout << '\n' << shown << "\nexamples:\n" << help.examples << '\n';
    help_shown_ = true;
    return;
  }
  positional_ = list("positional");
  if (given_.count("format") != 0) set_format(get<std::string>("format"), formats);
}

void Arguments::set_format(const std::string& name, std::string_view formats) {
  constexpr std::string_view usual[] = {"text", "json", "csv"};
  std::vector<std::string> legal;
  boost::split(legal, formats, [](char c) { return c == '|'; });
  if (std::ranges::find(legal, name) == legal.end())
    throw UsageError("--format cannot be '{}'; legal: {}", name, fmt::join(legal, ", "));
  const auto found = std::ranges::find(usual, name);
  if (found == std::end(usual))
    other_format_ = name;
  else
    format_ = static_cast<Format>(found - std::begin(usual));
}

std::vector<std::string> Arguments::list(const std::string& name) const {
  return maybe<std::vector<std::string>>(name).value_or(std::vector<std::string>{});
}

std::string Arguments::required(const std::string& name, std::string_view why) const {
  if (given_.count(name) == 0) throw UsageError("--{} is missing: {}", name, why);
  return get<std::string>(name);
}

void Arguments::limit_positional(std::size_t most, std::string_view command) const {
  if (positional_.size() > most) throw UsageError("unexpected '{}'; see pmusim {} --help", positional_[most], command);
}

void Arguments::refuse(std::initializer_list<const char*> options, std::string_view why) const {
  for (const char* option : options)
    if (has(option)) throw UsageError("--{} {}", option, why);
}

std::vector<std::string> event_list(const Arguments& arguments) {
  std::vector<std::string> events;
  for (const std::string& text : arguments.list("event")) {
    bool raw = false;
    std::string event;
    for (const char c : text + ',') {
      if (c == '/') raw = !raw;
      if (c != ',' || raw) {
        event += c;
        continue;
      }
      if (event.empty()) throw UsageError("--event '{}': empty event name; expected EVENT,EVENT", text);
      events.push_back(std::exchange(event, {}));
    }
    if (!event.empty()) events.push_back(event.substr(0, event.size() - 1));  // no closing slash
  }
  return events;
}

std::uint64_t parse_number(std::string_view text, std::string_view what) {
  std::string_view digits = text;
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  const auto value = whole_number(digits, hexadecimal ? 16 : 10);
  if (!value) throw UsageError("{} '{}' is no number; give decimal or 0x hexadecimal digits", what, text);
  return *value;
}

std::pair<std::string, std::string> parse_assignment(std::string_view text, std::string_view option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError("{} '{}' is not of the form NAME=VALUE", option, text);
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates,
                         std::string_view otherwise) {
  if (const std::string near = models::nearest(word, candidates); !near.empty())
    return fmt::format("; did you mean '{}'?", near);
  return otherwise.empty() ? "" : fmt::format("; {}", otherwise);
}

void check_target(std::string_view name) {
  if (models::find_target(name) != nullptr) return;
  const std::string all = fmt::format("there are: {}", fmt::join(targets_of("all"), ", "));
  throw UsageError("unknown target '{}'{}", name, did_you_mean(name, models::targets(), &models::Target::name, all));
}

void check_encodable(std::string_view name) {
  if (!encoder::registers(name)) check_target(name);
}

std::vector<std::string> targets_of(std::string_view name) {
  std::vector<std::string> names;
  if (name.empty() || name == "all") {
    for (const models::Target& target : models::targets()) names.emplace_back(target.name);
    return names;
  }
  check_target(name);
  return {std::string(name)};
}

RegisterNumber register_number(std::string_view name, unsigned width, unsigned carried, std::string_view text,
                               const std::string& what) {
  const std::string place = fmt::format("{}: value of {}", what, name);
  const auto does_not_fit = [&] {
    return UsageError("{}: {} does not fit into the {} bits of {}", what, text, width, name);
  };
  const std::uint64_t mask = width < 64 ? (std::uint64_t{1} << width) - 1 : ~std::uint64_t{0};
  if (text.starts_with('-')) {
    const std::uint64_t magnitude = parse_number(text.substr(1), place);
    if (magnitude > mask / 2 + 1) throw does_not_fit();
    return {(0 - magnitude) & mask};
  }
  const std::uint64_t number = parse_number(text, place);
  if ((number & ~mask) == 0) return {number};
  const bool sign_extended = (number | mask) == ~std::uint64_t{0} && (number & (mask / 2 + 1)) != 0;
  if (sign_extended) return {number & mask};
  if (width >= carried || (carried < 64 && number >> carried != 0)) throw does_not_fit();
  return {number & mask, true};
}

}  // namespace pmusim::testbench
