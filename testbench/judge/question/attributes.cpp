#include "testbench/judge/question/attributes.h"

#include <algorithm>

namespace pmusim::testbench::questions {

Value asked(std::string name, std::vector<Attribute> attributes, std::function<void(oracle::Request&)> change) {
  return {std::move(name), [attributes = std::move(attributes), change = std::move(change)](Question& question) {
            for (Check& check : question.group.checks) {
              change(check.request);
              check.attributes.insert(check.attributes.end(), attributes.begin(), attributes.end());
            }
          }};
}

Dimension levels_by_name() {
  const auto at = [](std::string name, std::vector<Attribute> attributes, bool user, bool kernel) {
    return asked(std::move(name), std::move(attributes), [user, kernel](oracle::Request& request) {
      request.user = user;
      request.kernel = kernel;
    });
  };
  return {"levels",
          {{"both", {}},
           at("u", {{"u", 1}}, true, false),
           at("k", {{"k", 1}}, false, true),
           at("u k", {{"u", 1}, {"k", 1}}, true, true),
           at("none", {{"u", 0}}, false, false)}};
}

Dimension flag(const std::string& name, bool oracle::Request::*member) {
  const auto set = [&](bool on) {
    return asked(on ? "1" : "0", {{name, on ? 1 : 0}},
                 [member, on](oracle::Request& request) { request.*member = on; });
  };
  return {name, {{"left out", {}}, set(true), set(false)}};
}

Dimension flag(const std::string& name, const std::function<void(oracle::Request&)>& change) {
  return {name, {{"left out", {}}, asked("1", {{name, 1}}, change)}};
}

Dimension number(const std::string& name, std::uint32_t most,
                 const std::function<void(oracle::Request&, std::uint32_t)>& change) {
  Dimension dimension{name, {{"left out", {}}}};
  for (std::uint32_t value = 0; value <= most; ++value) {
    dimension.values.push_back(asked(std::to_string(value), {{name, value}},
                                     [change, value](oracle::Request& request) { change(request, value); }));
  }
  dimension.near = [most](std::size_t own) {
    std::vector<std::size_t> others;
    if (own == 0) return std::vector<std::size_t>{2};
    for (std::uint32_t bit = 1; bit <= most; bit *= 2) others.push_back(((own - 1) ^ bit) + 1);
    if (own > 1) others.push_back(own - 1);
    if (own <= most) others.push_back(own + 1);
    return others;
  };
  return dimension;
}

Dimension interrupt() {
  const auto set = [](std::string name, bool sampling, int intr) {
    return Value{std::move(name), [sampling, intr](Question& question) {
                   question.group.sampling = sampling;
                   question.interrupts = intr < 0 ? sampling : intr != 0;
                   if (intr < 0) return;
                   for (Check& check : question.group.checks) check.attributes.emplace_back("intr", intr);
                 }};
  };
  return {"interrupt",
          {{"off", {}}, set("sampling", true, -1), set("intr", false, 1), set("sampling, intr=0", true, 0)}};
}

void add_periods(const Family& family, const std::vector<Placeable>& rows, std::size_t of_each,
                 std::vector<Question>& questions) {
  std::vector<std::uint64_t> periods{
      1, 2, 400, 65'537, (std::uint64_t{1} << 30) + 1, std::uint64_t{1} << (family.count_bits - 1)};
  if (family.longest_period != 0) periods.push_back(family.longest_period);
  std::size_t number = 0;
  for (const Placeable& placeable : rows) {
    for (std::size_t i = 0; i < std::min(of_each, periods.size()); ++i, ++number) {
      const std::size_t turn = number / periods.size() + i;  // over all rows, each counter has each period
      Question question;
      question.group.checks = {placeable.row};
      question.group.period = periods[number % periods.size()];
      question.group.sampling = question.interrupts = true;
      questions.push_back(on_counter(std::move(question), placeable.counters[turn % placeable.counters.size()],
                                     family.counters.size()));
    }
  }
}

namespace {

/// Applies a value for a question about one event to one of several events.
Value of_event(const Value& value, std::size_t event) {
  if (!value.apply) return {value.name, {}};
  return {value.name, [apply = value.apply, event](Question& question) {
            Question alone;
            alone.group.checks = {question.group.checks[event]};
            apply(alone);
            question.group.checks[event] = alone.group.checks.front();
          }};
}

}  // namespace

Question dressed(const Group& group, const std::vector<Value>& attributes, std::size_t first, bool sampling) {
  Form form{group, {}};
  std::vector<std::size_t> values;
  for (std::size_t event = 0; event < group.checks.size(); ++event) {
    const Value &own = attributes[(first + event) % attributes.size()],
                &next = attributes[(first + event + 1) % attributes.size()];
    form.dimensions.push_back(
        {of_one_event + std::to_string(event + 1), {{"left out", {}}, of_event(own, event), of_event(next, event)}});
    values.push_back(1);
  }
  if (sampling) {
    form.dimensions.push_back({"interrupt", {{"sampling", [](Question& question) {
                                                question.group.sampling = question.interrupts = true;
                                                question.silent = {false, true};
                                                question.group.checks[1].attributes.emplace_back("intr", 0);
                                              }}}});
    values.push_back(0);
  }
  return make(std::make_shared<const Form>(std::move(form)), values);
}

Check with(Check check, Attribute attribute) {
  check.attributes.push_back(std::move(attribute));
  return check;
}

Question illegal(std::string why, std::vector<Check> checks, std::vector<unsigned> unavailable) {
  Question question;
  question.group.checks = std::move(checks);
  question.group.unavailable_counters = std::move(unavailable);
  question.illegal = std::move(why);
  return question;
}

}  // namespace pmusim::testbench::questions
