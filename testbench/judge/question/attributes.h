// Attributes shared by several families: privilege levels, flags, numbers, the overflow interrupt.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/judge/question/question.h"

namespace pmusim::testbench::questions {

/// In a question about several events, the attributes of each event form one attribute of the question. Its name begins
/// with this prefix.
inline constexpr const char* of_one_event = "attributes of event ";

/// The event of a question about one event.
[[nodiscard]] inline Check& check_of(Question& question) { return question.group.checks.front(); }

/// A value that changes the oracle's request and adds attributes to the event string, for every event of a question.
[[nodiscard]] Value asked(std::string name, std::vector<Attribute> attributes,
                          std::function<void(oracle::Request&)> change);
/// Privilege levels by name: left out (both), u, k, u and k, and none (u=0).
[[nodiscard]] Dimension levels_by_name();
/// A flag of the oracle's request: left out, 1 and 0.
[[nodiscard]] Dimension flag(const std::string& name, bool oracle::Request::*member);
/// A flag that can only be set: left out and 1.
[[nodiscard]] Dimension flag(const std::string& name, const std::function<void(oracle::Request&)>& change);
/// Every value of a field from 0 to `most`. Its neighbours are the values one less and one more, and those that differ
/// in one bit.
[[nodiscard]] Dimension number(const std::string& name, std::uint32_t most,
                               const std::function<void(oracle::Request&, std::uint32_t)>& change);
/// The overflow interrupt: off, enabled by the request, enabled by the event string, and disabled by the event string.
[[nodiscard]] Dimension interrupt();

/// A row and the numbers of the counters that can count it.
struct Placeable {
  Check row;
  std::vector<unsigned> counters;
};
/// Adds questions with a start value: periods from 1 to half of a counter's range, and the longest. Each row has
/// `of_each` of them, the next row the next ones, so that an encoder without some of the events is asked all periods.
void add_periods(const Family& family, const std::vector<Placeable>& rows, std::size_t of_each,
                 std::vector<Question>& questions);

/// Events counted together, each with its own value of `attributes`, starting with number `first`. Neighbours of the
/// question leave out an event's attribute or give it that of the next event. With `sampling` all events but the second
/// interrupt.
[[nodiscard]] Question dressed(const Group& group, const std::vector<Value>& attributes, std::size_t first,
                               bool sampling);

/// The check with one attribute added to its event string.
[[nodiscard]] Check with(Check check, Attribute attribute);
/// A question that the encoder must refuse.
[[nodiscard]] Question illegal(std::string why, std::vector<Check> checks, std::vector<unsigned> unavailable = {});

}  // namespace pmusim::testbench::questions
