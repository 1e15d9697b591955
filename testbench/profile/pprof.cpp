// pprof's profile.proto, written field by field. It has few messages, and their field numbers define the format.
#include <algorithm>
#include <map>
#include <ostream>

#include "testbench/profile/exports.h"

namespace pmusim::testbench {
namespace {

/// A message being written. Fields with value 0 are left out, as in proto3.
class Message {
 public:
  void number(unsigned field, std::uint64_t value) {
    if (value == 0) return;
    varint(field << 3);
    varint(value);
  }
  void bytes(unsigned field, const std::string& value) {
    constexpr unsigned with_length = 2;
    varint(field << 3 | with_length);
    varint(value.size());
    text_ += value;
  }
  void packed(unsigned field, const std::vector<std::uint64_t>& values) {
    Message inner;
    for (const std::uint64_t value : values) inner.varint(value);
    bytes(field, inner.text_);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

/// Numbers of the fields, by message.
namespace field {
enum Profile : unsigned {
  sample_type = 1,
  sample,
  mapping,
  location,
  function,
  string_table,
  period_type = 11,
  period
};
enum ValueType : unsigned { type = 1, unit };
enum Sample : unsigned { location_id = 1, value, label };
enum Label : unsigned { key = 1, str, num };
enum Mapping : unsigned { mapping_id = 1, filename = 5, has_functions = 7, has_filenames, has_line_numbers };
enum Location : unsigned { id = 1, of_mapping, address, line };
enum Line : unsigned { function_id = 1, line_number };
enum Function : unsigned { function_number = 1, name, system_name, source };
}  // namespace field

class Writer {
 public:
  Writer() { (void)string(""); }

  void value_type(unsigned into, const std::string& type, const std::string& unit) {
    Message m;
    m.number(field::type, string(type));
    m.number(field::unit, string(unit));
    profile_.bytes(into, m.text());
  }
  void mapping(std::uint64_t id, const std::string& file, bool lines) {
    Message m;
    m.number(field::mapping_id, id);
    m.number(field::filename, string(file));
    m.number(field::has_functions, 1);
    m.number(field::has_filenames, lines ? 1 : 0);
    m.number(field::has_line_numbers, lines ? 1 : 0);
    profile_.bytes(field::mapping, m.text());
  }
  void sample(const WeightedStack& one, bool threads) {
    std::vector<std::uint64_t> locations;
    for (auto frame = one.stack.rbegin(); frame != one.stack.rend(); ++frame)
      locations.push_back(location(one.thread, *frame));
    Message m;
    m.packed(field::location_id, locations);
    m.packed(field::value, one.amounts);
    if (threads) {
      Message label;
      label.number(field::key, string("thread"));
      label.number(field::num, one.thread);
      m.bytes(field::label, label.text());
    }
    profile_.bytes(field::sample, m.text());
  }
  void period(std::uint64_t events) { profile_.number(field::period, events); }
  std::string finish() {
    for (const std::string& one : strings_) profile_.bytes(field::string_table, one);
    return profile_.text();
  }

 private:
  std::uint64_t string(const std::string& text) {
    const auto [entry, fresh] = string_ids_.try_emplace(text, strings_.size());
    if (fresh) strings_.push_back(text);
    return entry->second;
  }
  std::uint64_t function(const Location& at) {
    const auto [entry, fresh] = functions_.try_emplace({at.function, at.file}, functions_.size() + 1);
    if (fresh) {
      Message m;
      m.number(field::function_number, entry->second);
      m.number(field::name, string(at.function));
      m.number(field::system_name, string(at.function));
      m.number(field::source, string(at.file));
      profile_.bytes(field::function, m.text());
    }
    return entry->second;
  }
  std::uint64_t location(unsigned thread, const StackFrame& frame) {
    const auto [entry, fresh] = locations_.try_emplace({thread, frame.address}, locations_.size() + 1);
    if (fresh) {
      Message line;
      line.number(field::function_id, function(frame.location));
      line.number(field::line_number, frame.location.line);
      Message m;
      m.number(field::id, entry->second);
      m.number(field::of_mapping, thread + 1);
      m.number(field::address, frame.address);
      m.bytes(field::line, line.text());
      profile_.bytes(field::location, m.text());
    }
    return entry->second;
  }

  Message profile_;
  std::vector<std::string> strings_;
  std::map<std::string, std::uint64_t> string_ids_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> functions_;
  std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t> locations_;
};

}  // namespace

void write_pprof(const ExportSubject& subject, std::ostream& out) {
  const Profile& profile = subject.profile;
  Writer writer;
  const std::vector<std::string> names = event_names(profile);
  for (const std::string& name : names) writer.value_type(field::sample_type, name, "count");
  const auto has_line = [](const ProfileRow& row) { return row.location.line != 0; };
  const bool lines = std::ranges::any_of(profile.rows, has_line);
  for (std::size_t thread = 0; thread < subject.traces.size(); ++thread)
    writer.mapping(thread + 1, subject.traces[thread], lines);
  for (const WeightedStack& one : weighted_stacks(profile)) {
    if (std::ranges::any_of(one.amounts, [](std::uint64_t amount) { return amount != 0; }))
      writer.sample(one, subject.traces.size() > 1);
  }
  if (subject.sampled()) {
    writer.value_type(field::period_type, names[0], "count");
    writer.period(profile.events[0].period);
  }
  const std::string file = writer.finish();
  out.write(file.data(), static_cast<std::streamsize>(file.size()));
}

}  // namespace pmusim::testbench
