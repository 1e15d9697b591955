#include "testbench/questions/defects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/questions/fields.h"
#include "testbench/questions/question.h"

namespace pmusim::testbench::questions {
namespace {

/// A field of a register.
struct Place {
  std::string reg;
  Field field;
};

/// The fields that decode() names and the manual does not reserve, by name, with the registers that have them: one
/// entry for all of PerfEvtSel0 to PerfEvtSel3.
std::map<std::string, std::vector<Place>> fields_by_name(const std::string& target) {
  std::map<std::string, std::vector<Place>> by_name;
  const auto registers = encoder::registers(target);
  if (!registers) return by_name;
  const bool alike = !target.starts_with("ppc");  // MMCR0 and MMCR1 have nothing in common
  for (const encoder::RegisterValue& reg : *registers) {
    for (const Field& field : fields_of(target, reg.name, reg.width)) {
      if (field.name.starts_with("reserved")) continue;
      std::string kind = alike ? stem(reg.name) : reg.name;
      std::erase(kind, '#');
      by_name[kind + '.' + field.name].push_back({reg.name, field});
    }
  }
  return by_name;
}

void drop_attribute(Group& group, const std::string& name) {
  for (Check& check : group.checks)
    std::erase_if(check.attributes, [&](const Attribute& attribute) { return attribute.first == name; });
}

/// The first counter of those that are left.
bool on_first_counter(const Group& group) {
  return std::find(group.unavailable_counters.begin(), group.unavailable_counters.end(), 0u) ==
         group.unavailable_counters.end();
}

void add_ignored(const std::string& target, std::vector<Defect>& defects) {
  const auto attributes = encoder::attributes(target);
  if (!attributes) return;
  for (const encoder::AttributeInfo& info : *attributes) {
    const std::string name(info.name);
    defects.push_back({"ignores-" + name, name + " is ignored",
                       [name](const std::string&, Group& group) { drop_attribute(group, name); }});
    defects.push_back({"ignores-" + name + "-beyond-first-counter", name + " is ignored on all counters but the first",
                       [name](const std::string&, Group& group) {
                         if (!on_first_counter(group)) drop_attribute(group, name);
                       }});
    defects.push_back({"ignores-" + name + "-when-sampling", name + " is ignored when sampling is asked for",
                       [name](const std::string&, Group& group) {
                         if (group.samples()) drop_attribute(group, name);
                       }});
    defects.push_back({"ignores-" + name + "-with-unit-mask", name + " is ignored beside a unit mask",
                       [name](const std::string&, Group& group) {
                         if (!group.checks.front().request.umasks.empty()) drop_attribute(group, name);
                       }});
  }
}

/// Changes one field wherever an answer has it.
template <class Change>
void change_fields(const std::vector<Place>& places, Answer& answer, Change change) {
  for (encoder::RegisterValue& reg : answer.registers) {
    for (const Place& place : places) {
      if (place.reg == reg.name)
        reg.value = place.field.with(reg.value, change(place.field.of(reg.value), place.field));
    }
  }
}

void add_fields(const std::string& target, std::vector<Defect>& defects) {
  for (const auto& [name, places] : fields_by_name(target)) {
    const auto add = [&, places = places](const char* verb, const std::string& about, auto change) {
      defects.push_back({verb + name, about, {}, [places, change](const Spoilt&, Answer& answer) {
                           change_fields(places, answer, change);
                         }});
    };
    add("cuts-", "the highest bit of " + name + " is lost",
        [](std::uint64_t value, const Field& field) { return value & ~(std::uint64_t{1} << (field.width - 1)); });
    if (places.front().field.width > 1) {
      add("shifts-", name + " is shifted by one bit",
          [](std::uint64_t value, const Field& field) { return value << 1 & field.limit(); });
      continue;
    }
    defects.push_back({"inverts-" + name,
                       name + " is inverted where its register is used",
                       {},
                       [places = places](const Spoilt&, Answer& answer) {
                         const Answer before = answer;
                         change_fields(places, answer, [](std::uint64_t value, const Field&) { return value ^ 1; });
                         for (std::size_t i = 0; i < answer.registers.size(); ++i) {
                           if (before.registers[i].value == 0) answer.registers[i].value = 0;
                         }
                       }});
  }
}

/// The row behind an event's in the table of the oracle.
std::string next_event(const std::string& target, const std::string& event) {
  const auto& events = oracle::events(target);
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    if (events[i].name == event) return std::string(events[i + 1].name);
  }
  return event;
}

void swap_levels(Group& group) {
  for (Check& check : group.checks) {
    for (Attribute& attribute : check.attributes) {
      if (attribute.first == "u")
        attribute.first = "k";
      else if (attribute.first == "k")
        attribute.first = "u";
    }
  }
}

/// What does not depend on the fields of a target.
std::vector<Defect> general() {
  std::vector<Defect> list;
  const auto asks = [&](std::string name, std::string about, std::function<void(const std::string&, Group&)> ask) {
    list.push_back({std::move(name), std::move(about), std::move(ask), {}});
  };
  const auto spoils = [&](std::string name, std::string about, std::function<void(const Spoilt&, Answer&)> spoil) {
    list.push_back({std::move(name), std::move(about), {}, std::move(spoil)});
  };
  asks("no-interrupt", "the interrupt is not enabled when sampling is asked for",
       [](const std::string&, Group& group) { group.sampling = false; });
  asks("interrupt-always", "the interrupt is always enabled",
       [](const std::string&, Group& group) { group.sampling = true; });
  asks("last-mask", "of several unit masks the last one is kept", [](const std::string&, Group& group) {
    for (Check& check : group.checks) {
      auto& masks = check.request.umasks;
      if (masks.size() > 1) masks.erase(masks.begin(), masks.end() - 1);
    }
  });
  asks("first-mask", "of several unit masks the first one is kept", [](const std::string&, Group& group) {
    for (Check& check : group.checks) {
      if (check.request.umasks.size() > 1) check.request.umasks.resize(1);
    }
  });
  asks("all-masks", "the default unit mask is added to others", [](const std::string& target, Group& group) {
    for (Check& check : group.checks) {
      const auto& events = oracle::events(target);
      const auto event = std::find_if(events.begin(), events.end(),
                                      [&](const oracle::EventName& e) { return e.name == check.request.event; });
      if (event == events.end() || check.request.umasks.empty()) continue;
      if (std::find(event->umasks.begin(), event->umasks.end(), "ALL") != event->umasks.end())
        check.request.umasks = {"ALL"};
    }
  });
  asks("levels-swapped", "u and k are exchanged", [](const std::string&, Group& group) { swap_levels(group); });
  asks("kernel-added", "the kernel is added to what a level asks for", [](const std::string&, Group& group) {
    for (Check& check : group.checks) {
      const auto named = [&](const char* name) {
        return std::any_of(check.attributes.begin(), check.attributes.end(),
                           [&](const Attribute& a) { return a.first == name; });
      };
      if (named("u") && !named("k")) check.attributes.emplace_back("k", 1);
    }
  });
  asks("user-added", "users are added to what a level asks for", [](const std::string&, Group& group) {
    for (Check& check : group.checks) {
      const auto named = [&](const char* name) {
        return std::any_of(check.attributes.begin(), check.attributes.end(),
                           [&](const Attribute& a) { return a.first == name; });
      };
      if (named("k") && !named("u")) check.attributes.emplace_back("u", 1);
    }
  });
  asks("reserved-counters-used", "unavailable counters are used",
       [](const std::string&, Group& group) { group.unavailable_counters.clear(); });
  asks("next-event", "the code of the next event of the table", [](const std::string& target, Group& group) {
    for (Check& check : group.checks) {
      if (check.request.umasks.empty() && check.raw.empty())
        check.request.event = next_event(target, check.request.event);
    }
  });
  asks("range-inwards", "ranges are rounded inwards", [](const std::string&, Group& group) {
    for (auto* const ranges : {&group.filters.irange, &group.filters.drange}) {
      for (std::string& range : *ranges) {
        const std::size_t dash = range.find('-');
        if (dash == std::string::npos) continue;
        const std::uint64_t begin = std::stoull(range, nullptr, 16);
        range = fmt::format("{:#x}{}", begin + 16, range.substr(dash));
      }
    }
  });
  asks("second-range-dropped", "of several ranges the first one is kept", [](const std::string&, Group& group) {
    if (group.filters.irange.size() > 1) group.filters.irange.resize(1);
    if (group.filters.drange.size() > 1) group.filters.drange.resize(1);
  });
  spoils("counters-exchanged", "the counters of the events are named in another order",
         [](const Spoilt&, Answer& answer) {
           if (answer.counters.size() > 1)
             std::rotate(answer.counters.begin(), answer.counters.begin() + 1, answer.counters.end());
         });
  spoils("last-written-first", "the register that starts the counting is written first",
         [](const Spoilt&, Answer& answer) {
           if (answer.registers.size() > 1)
             std::rotate(answer.registers.rbegin(), answer.registers.rbegin() + 1, answer.registers.rend());
         });
  spoils("last-left-out", "the last register is not written",
         [](const Spoilt&, Answer& answer) { answer.registers.pop_back(); });
  spoils("first-left-out", "the first register that is not 0 is not written", [](const Spoilt&, Answer& answer) {
    const auto first =
        std::find_if(answer.registers.begin(), answer.registers.end(), [](const auto& reg) { return reg.value != 0; });
    if (first != answer.registers.end()) answer.registers.erase(first);
  });
  spoils("stale", "the registers are those of the request before", [](const Spoilt& spoilt, Answer& answer) {
    if (!spoilt.before.registers.empty()) answer.registers = spoilt.before.registers;
  });
  spoils("others-left-on", "registers of counters that were not asked for keep the request before",
         [](const Spoilt& spoilt, Answer& answer) {
           for (encoder::RegisterValue& reg : answer.registers) {
             const auto stale = std::find_if(spoilt.before.registers.begin(), spoilt.before.registers.end(),
                                             [&](const auto& other) { return other.name == reg.name; });
             if (reg.value == 0 && stale != spoilt.before.registers.end()) reg.value = stale->value;
           }
         });
  return list;
}

struct Excuse {
  std::string_view target, defect, why;
};
constexpr std::string_view by_traces =
    "not judged here: interrupts of this counter are, on traces, by `pmusim validate`";
constexpr std::string_view no_time =
    "not judged: PALcode's calls are made one behind the other, and no time passes between them here";
constexpr std::array excuses{
    Excuse{"athlon", "last-written-first",
           "each selector starts its own counter and no other, so that their order is free"},
    Excuse{"alpha-ev4", "last-written-first", "the counters always run, and each call sets fields of its own"},
    Excuse{"alpha-ev4", "last-left-out", "the counters always run, so that the call that enables them changes nothing"},
    Excuse{"alpha-ev4", "cuts-WRPERFMON_OPTIONS.ALL",
           "without an option processes are not told apart, as after a reset"},
    Excuse{"alpha-ev4", "inverts-WRPERFMON_SELECT.PC0", by_traces},
    Excuse{"alpha-ev4", "inverts-WRPERFMON_SELECT.PC1", by_traces},
    Excuse{"alpha-ev5", "user-added", "Tru64 does not enter the hardware's user mode (pmu.os_user_mode)"},
    Excuse{"alpha-pca56", "user-added", "Tru64 does not enter the hardware's user mode (pmu.os_user_mode)"},
    Excuse{"alpha-ev6", "last-written-first", no_time},  // and of the 21264A
};

}  // namespace

std::vector<Defect> defects_of(const std::string& target) {
  std::vector<Defect> defects = general();
  add_ignored(target, defects);
  add_fields(target, defects);
  return defects;
}

std::string_view excuse_for(const std::string& target, std::string_view defect) {
  const auto found = std::find_if(excuses.begin(), excuses.end(), [&](const Excuse& excuse) {
    return !excuse.defect.empty() && excuse.defect == defect && target.starts_with(excuse.target);
  });
  return found == excuses.end() ? std::string_view{} : found->why;
}

}  // namespace pmusim::testbench::questions
