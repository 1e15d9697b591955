// Faults in reading the question: attributes, unit masks, levels, filters.
#include <fmt/format.h>

#include <algorithm>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/encoder_faults.h"
#include "testbench/judge/question/question.h"

namespace pmusim::testbench::faults {
namespace {

using questions::family_of;

bool names(const Check& check, const char* attribute) {
  return std::any_of(check.attributes.begin(), check.attributes.end(),
                     [&](const Attribute& a) { return a.first == attribute; });
}

/// True if the attribute is present and not 0.
bool is_set(const Check& check, const std::string& attribute) {
  return std::any_of(check.attributes.begin(), check.attributes.end(),
                     [&](const Attribute& a) { return a.first == attribute && a.second != 0; });
}

using Ask = decltype(EncoderFault::ask);

/// Changes each event of the question.
template <class Change>
Ask each_event(Change change) {
  return [change](const std::string&, Group& group) {
    for (Check& check : group.checks) change(check);
  };
}
/// Changes each attribute of each event.
template <class Change>
Ask each_attribute(Change change) {
  return each_event([change](Check& check) {
    for (Attribute& attribute : check.attributes) change(attribute);
  });
}

void drop_attribute(Check& check, const std::string& name) {
  std::erase_if(check.attributes, [&](const Attribute& attribute) { return attribute.first == name; });
}

/// True if counter 0 is available.
bool on_first_counter(const Group& group) {
  return std::find(group.unavailable_counters.begin(), group.unavailable_counters.end(), 0u) ==
         group.unavailable_counters.end();
}

void add_ignored(const std::string& target, std::vector<EncoderFault>& faults) {
  const auto attributes = encoder::attributes(target);
  if (!attributes) return;
  struct When {
    const char *name, *about;
    bool (*holds)(const Group&);
  };
  constexpr When whens[] = {
      {"", "", [](const Group&) { return true; }},
      {"-beyond-first-counter", " on all counters but the first",
       [](const Group& group) { return !on_first_counter(group); }},
      {"-when-sampling", " when sampling is asked for", [](const Group& group) { return group.samples(); }},
      {"-with-unit-mask", " beside a unit mask",
       [](const Group& group) { return !group.checks.front().request.umasks.empty(); }}};
  for (const encoder::AttributeInfo& info : *attributes) {
    const std::string name(info.name);
    for (const When& when : whens) {
      faults.push_back({"ignores-" + name + when.name, name + " is ignored" + when.about,
                        [name, holds = when.holds](const std::string&, Group& group) {
                          if (!holds(group)) return;
                          for (Check& check : group.checks) drop_attribute(check, name);
                        }});
    }
  }
}

/// Attributes ignored beside another one that is set, or for the last event of the table only.
void add_ignored_beside(const std::string& target, std::vector<EncoderFault>& faults) {
  const auto attributes = encoder::attributes(target);
  if (!attributes) return;
  const std::string last(oracle::events(target).back().name);
  for (const encoder::AttributeInfo& info : *attributes) {
    const std::string name(info.name);
    faults.push_back({"ignores-" + name + "-of-" + last, fmt::format("{} is ignored for {}", name, last),
                      [name, last](const std::string&, Group& group) {
                        if (group.checks.front().request.event != last) return;
                        for (Check& check : group.checks) drop_attribute(check, name);
                      }});
    for (const encoder::AttributeInfo& beside : *attributes) {
      const std::string other(beside.name);
      if (other == name) continue;
      faults.push_back({fmt::format("ignores-{}-beside-{}", name, other),
                        fmt::format("{} is ignored where {} is set", name, other),
                        each_event([name, other](Check& check) {
                          if (is_set(check, other)) drop_attribute(check, name);
                        })});
    }
  }
}

void add_thresholds(const std::string& target, std::vector<EncoderFault>& faults) {
  const auto add = [&](std::string name, std::string about, auto change) {
    faults.push_back({std::move(name), std::move(about),
                      each_attribute([change, threshold = family_of(target)->threshold](Attribute& attribute) {
                        const auto& [own, most] = threshold;
                        if (attribute.first == own && attribute.second <= most)
                          attribute.second = change(attribute.second, most);
                      })});
  };
  add("threshold-one-more", "thresholds are one too high",
      [](std::uint32_t value, std::uint32_t most) { return std::min(value + 1, most); });
  add("threshold-one-less", "thresholds are one too low",
      [](std::uint32_t value, std::uint32_t) { return value == 0 ? 0 : value - 1; });
  add("threshold-halved", "thresholds are halved", [](std::uint32_t value, std::uint32_t) { return value / 2; });
  add("threshold-capped", "thresholds in the upper half are that half",
      [](std::uint32_t value, std::uint32_t most) { return std::min(value, most / 2); });
}

/// Wrong defaults: attributes added if no level, or no instruction set, is named.
void add_defaults(const std::string& target, std::vector<EncoderFault>& faults) {
  const auto attributes = encoder::attributes(target);
  if (!attributes) return;
  const auto knows = [&](const char* name) {
    return std::any_of(attributes->begin(), attributes->end(), [&](const auto& info) { return info.name == name; });
  };
  const auto add = [&](const std::string& name, const std::string& about, std::vector<const char*> unless,
                       Attribute added) {
    if (!knows(added.first.c_str())) return;
    faults.push_back({name, about, [unless = std::move(unless), added](const std::string&, Group& group) {
                        for (const Check& check : group.checks) {
                          for (const char* other : unless) {
                            if (names(check, other)) return;
                          }
                        }
                        for (Check& check : group.checks) check.attributes.push_back(added);
                      }});
  };
  const std::vector<const char*> levels{"u", "k", "plm", "pal", "es"};
  add("users-by-default", "users alone are counted where no level is named", levels, {"u", 1});
  add("kernel-by-default", "the kernel alone is counted where no level is named", levels, {"k", 1});
  add("all-levels-by-default", "all four levels are counted where none is named", levels, {"plm", 15});
  add("ia64-by-default", "IA-64 code alone is counted where no instruction set is named", {"ism"}, {"ism", 2});
  add("ia32-by-default", "IA-32 code alone is counted where no instruction set is named", {"ism"}, {"ism", 1});
}

/// The event's row of the oracle's table; the end if there is none.
auto row_of(const std::vector<oracle::EventName>& events, const Check& check) {
  return std::find_if(events.begin(), events.end(),
                      [&](const oracle::EventName& event) { return event.name == check.request.event; });
}

void take_next_event(const std::vector<oracle::EventName>& events, Check& check) {
  const auto event = row_of(events, check);
  if (event == events.end() || event + 1 == events.end()) return;
  if (check.request.umasks.empty() && check.raw.empty()) check.request.event = (event + 1)->name;
}

void take_next_mask(const std::vector<oracle::EventName>& events, Check& check) {
  const auto event = row_of(events, check);
  if (event == events.end() || check.request.umasks.size() != 1) return;
  const auto& masks = event->umasks;
  const auto own = std::find(masks.begin(), masks.end(), check.request.umasks.front());
  if (own != masks.end()) check.request.umasks = {std::string(own + 1 == masks.end() ? masks.front() : own[1])};
}

/// Adds the level `added` to events that name only `named`.
Ask adding_level(const char* named, const char* added) {
  return each_event([=](Check& check) {
    if (names(check, named) && !names(check, added)) check.attributes.emplace_back(added, 1);
  });
}

/// Replaces level masks.
template <class Change>
Ask changing_masks(Change change) {
  return each_attribute([change](Attribute& attribute) {
    if (attribute.first == "plm") attribute.second = change(attribute.second);
  });
}

/// Moves the start and the end of each range, unless that makes it empty.
void move_range(std::vector<std::string>& ranges, std::int64_t start, std::int64_t end) {
  for (std::string& range : ranges) {
    const std::size_t dash = range.find('-'), colon = range.find(':');
    if (dash == std::string::npos) continue;
    const std::uint64_t from = std::stoull(range, nullptr, 16) + static_cast<std::uint64_t>(start);
    const std::uint64_t to = std::stoull(range.substr(dash + 1), nullptr, 16) + static_cast<std::uint64_t>(end);
    if (from >= to) continue;
    range = fmt::format("{:#x}-{:#x}{}", from, to, colon == std::string::npos ? "" : range.substr(colon));
  }
}

using Texts = encoder::QualifierTexts;

/// For each filter of a run: all its entries are ignored, or all but the first.
void add_ignored_filters(std::vector<EncoderFault>& faults) {
  for (const FilterList& list : filter_lists) {
    const std::string name(list.name);
    faults.push_back({"ignores-" + name, "filters by " + name + " are ignored",
                      [texts = list.texts](const std::string&, Group& group) { (group.filters.*texts).clear(); }});
    faults.push_back({"first-" + name, "of several filters by " + name + " the first one is kept",
                      [texts = list.texts](const std::string&, Group& group) {
                        if ((group.filters.*texts).size() > 1) (group.filters.*texts).resize(1);
                      }});
  }
  for (const auto& [name, flag] : {std::pair{"inverse", &Texts::inverse}, std::pair{"no_fine", &Texts::no_fine}}) {
    faults.push_back({std::string("ignores-") + name, std::string(name) + " is ignored",
                      [flag = flag](const std::string&, Group& group) { group.filters.*flag = false; }});
  }
}

}  // namespace

void add_asking_faults(const std::string& target, std::vector<EncoderFault>& list) {
  const auto asks = [&](std::string name, std::string about, Ask ask) {
    list.push_back({std::move(name), std::move(about), std::move(ask), {}});
  };
  asks("no-interrupt", "the interrupt is not enabled when sampling is asked for",
       [](const std::string&, Group& group) { group.sampling = false; });
  asks("interrupt-always", "the interrupt is always enabled",
       [](const std::string&, Group& group) { group.sampling = true; });
  asks("last-mask", "of several unit masks the last one is kept", each_event([](Check& check) {
         auto& masks = check.request.umasks;
         if (masks.size() > 1) masks.erase(masks.begin(), masks.end() - 1);
       }));
  asks("first-mask", "of several unit masks the first one is kept", each_event([](Check& check) {
         if (check.request.umasks.size() > 1) check.request.umasks.resize(1);
       }));
  const auto& events = oracle::events(target);
  asks("all-masks", "the default unit mask is added to others", each_event([&events](Check& check) {
         const auto event = row_of(events, check);
         if (event == events.end() || check.request.umasks.empty()) return;
         if (std::find(event->umasks.begin(), event->umasks.end(), "ALL") != event->umasks.end())
           check.request.umasks = {"ALL"};
       }));
  asks("levels-swapped", "u and k are exchanged", each_attribute([](Attribute& attribute) {
         if (attribute.first == "u" || attribute.first == "k") attribute.first = attribute.first == "u" ? "k" : "u";
       }));
  asks("kernel-added", "the kernel is added to what a level asks for", adding_level("u", "k"));
  asks("user-added", "users are added to what a level asks for", adding_level("k", "u"));
  asks("default-levels-added", "the default levels are added to a mask of levels",
       changing_masks([](std::uint32_t mask) { return mask | 9; }));
  asks("levels-reversed", "a mask of levels is read from the other end",
       changing_masks([](std::uint32_t m) { return (m & 1) << 3 | (m & 2) << 1 | (m >> 1 & 2) | (m >> 3 & 1); }));
  asks("reserved-counters-used", "unavailable counters are used",
       [](const std::string&, Group& group) { group.unavailable_counters.clear(); });
  asks("next-event", "the code of the next event of the table",
       each_event([&events](Check& check) { take_next_event(events, check); }));
  asks("next-mask", "the next unit mask of the event's table",
       each_event([&events](Check& check) { take_next_mask(events, check); }));
  asks("range-inwards", "ranges are rounded inwards", [](const std::string&, Group& group) {
    move_range(group.filters.irange, 16, 0);
    move_range(group.filters.drange, 1, 0);
  });
  asks("range-one-longer", "the end of a range belongs to it", [](const std::string&, Group& group) {
    move_range(group.filters.irange, 0, 16);
    move_range(group.filters.drange, 0, 1);
  });
  asks("range-levels-ignored", "the levels of a range are ignored", [](const std::string&, Group& group) {
    for (std::string& range : group.filters.irange) range = range.substr(0, range.find(':'));
  });
  asks("slot-types-ignored", "an opcode is looked for in slots of every type", [](const std::string&, Group& group) {
    for (std::string& opcode : group.filters.opcode) opcode = opcode.substr(0, opcode.find(':'));
  });
  asks("matchers-exchanged", "the two opcode matchers change places", [](const std::string&, Group& group) {
    if (group.filters.opcode.size() == 2) std::swap(group.filters.opcode[0], group.filters.opcode[1]);
  });
  if (family_of(target)->ia64 != nullptr) add_ignored_filters(list);
  add_ignored(target, list);
  add_ignored_beside(target, list);
  add_thresholds(target, list);
  add_defaults(target, list);
}

}  // namespace pmusim::testbench::faults
