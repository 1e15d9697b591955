#include "models/activity_file/column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "models/activity_file/format.h"
#include "pmusim/trace/bytes.h"

namespace pmusim::activity_file {
namespace {

/// Bytes of a varint, by the number of bits of its value.
constexpr auto sizes = [] {
  std::array<std::uint8_t, 65> bytes{1};
  for (unsigned bits = 1; bits < bytes.size(); ++bits) bytes[bits] = static_cast<std::uint8_t>((bits + 6) / 7);
  return bytes;
}();
std::size_t varint_size(std::uint64_t value) { return sizes[static_cast<unsigned>(std::bit_width(value))]; }

/// Appends the number of each value, which has one byte.
template <class Number>
void put_bytes(std::string& out, const Numbers& values, Number number) {
  const std::size_t begin = out.size();
  out.resize(begin + values.size());
  char* to = out.data() + begin;
  for (const std::uint64_t value : values) *to++ = static_cast<char>(number(value));
}

}  // namespace

void put_column(std::string& out, const Numbers& values) {
  if (values.empty()) return;
  const auto put_mode = [&](ColumnMode mode) { out.push_back(static_cast<char>(mode)); };
  if (std::all_of(values.begin(), values.end(), [&](std::uint64_t value) { return value == values.front(); })) {
    put_mode(ColumnMode::same);
    trace::put_varint(out, values.front());
    return;
  }
  // Most columns are of small numbers or small differences, and nothing is shorter than a byte for each.
  std::uint64_t numbers = 0, steps = 0, last = 0;
  const auto step = [&last](std::uint64_t value) { return trace::zigzag(value - std::exchange(last, value)); };
  for (const std::uint64_t value : values) {
    numbers |= value;
    steps |= step(value);
  }
  if (numbers < 0x80) {
    put_mode(ColumnMode::plain);
    return put_bytes(out, values, [](std::uint64_t value) { return value; });
  }
  last = 0;
  if (steps < 0x80) {
    put_mode(ColumnMode::differences);
    return put_bytes(out, values, step);
  }
  std::size_t plain = 0, differences = 0;
  for (const std::uint64_t value : values) {
    plain += varint_size(value);
    differences += varint_size(step(value));
  }
  put_mode(plain <= differences ? ColumnMode::plain : ColumnMode::differences);
  const std::size_t begin = out.size();
  out.resize(begin + std::min(plain, differences));
  char* to = out.data() + begin;
  const auto put = [&to](std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
  };
  last = 0;
  for (const std::uint64_t value : values) put(plain <= differences ? value : step(value));
}

void get_column(trace::ByteCursor& from, std::size_t size, Numbers& values) {
  values.clear();
  if (size == 0) return;
  const std::uint8_t mode = from.byte();
  if (mode > static_cast<std::uint8_t>(ColumnMode::differences))
    from.fail(fmt::format("column mode {} is not known", mode));
  if (mode == static_cast<std::uint8_t>(ColumnMode::same)) {
    values.assign(size, from.varint());
    return;
  }
  if (size > from.left()) from.fail(fmt::format("a column of {} entries is longer than the payload", size));
  values.resize(size);
  std::uint64_t last = 0;
  if (mode == static_cast<std::uint8_t>(ColumnMode::plain)) {
    for (std::uint64_t& value : values) value = from.varint();
  } else {
    for (std::uint64_t& value : values) value = last += trace::unzigzag(from.varint());
  }
}

}  // namespace pmusim::activity_file
