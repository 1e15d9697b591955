// Attributes that several families have: privilege levels, flags, numbers, the overflow interrupt.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/questions/question.h"

namespace pmusim::testbench::questions {

/// What each event of several has is an attribute of the question: its name begins so.
inline constexpr const char* of_one_event = "attributes of event ";

/// The event of a question about one event.
[[nodiscard]] inline Check& check_of(Question& question) { return question.group.checks.front(); }

/// What it asks of the oracle and what it says in the event strings, for every event of a question.
[[nodiscard]] Value asked(std::string name, std::vector<Attribute> attributes,
                          std::function<void(oracle::Request&)> change);
/// Levels by name: both, users, the kernel, both by name, and none.
[[nodiscard]] Dimension levels_by_name();
/// 1 and 0 of a flag of the oracle's request.
[[nodiscard]] Dimension flag(const std::string& name, bool oracle::Request::*member);
/// 1 of a flag.
[[nodiscard]] Dimension flag(const std::string& name, const std::function<void(oracle::Request&)>& change);
/// Every value of a field from 0 to `most`; one is mistaken for the next ones and for those with a bit less or more.
[[nodiscard]] Dimension number(const std::string& name, std::uint32_t most,
                               const std::function<void(oracle::Request&, std::uint32_t)>& change);
/// The overflow interrupt: not asked for, asked for by the request, by the event string, and refused by it.
[[nodiscard]] Dimension interrupt();

/// The start values of every counter for periods from the shortest to half of what the counter holds.
void add_periods(const Family& family, const Check& row, Extent extent, std::vector<Question>& questions);

/// Events together, each with attributes of its own, from `first` on by turns: each shows beside the others, and none
/// is taken for its neighbour's. Sampled ones interrupt but for the second event.
[[nodiscard]] Question dressed(const Group& group, const std::vector<Value>& attributes, std::size_t first,
                               bool sampling);

/// The attribute added to an event's string.
[[nodiscard]] Check with(Check check, Attribute attribute);
/// A question that has to be refused.
[[nodiscard]] Question illegal(std::string why, std::vector<Check> checks, std::vector<unsigned> unavailable = {});

}  // namespace pmusim::testbench::questions
