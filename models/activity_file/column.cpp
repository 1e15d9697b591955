#include "models/activity_file/column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
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

/// Makes room for `size` bytes, and returns its begin.
char* append(std::string& out, std::size_t size) {
  out.resize(out.size() + size);
  return out.data() + out.size() - size;
}

/// Whether the zigzag form of each step fits a byte of a varint. `numbers` has all bits of the numbers.
template <class Number>
bool has_small_steps(std::span<const Number> values, Number numbers) {
  using Step = std::conditional_t<(sizeof(Number) < sizeof(std::uint32_t)), std::uint32_t, Number>;
  if (sizeof(Number) == sizeof(std::uint32_t) && std::bit_width(numbers) == 32) return false;  // a step could wrap
  Step steps = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    steps |= static_cast<Step>(static_cast<Step>(values[i]) - static_cast<Step>(values[i - 1]) + 64);
  return steps < 0x80;
}

/// Numbers or differences, whichever takes fewer bytes.
template <class Number>
void put_shorter(std::string& out, std::span<const Number> values) {
  std::uint64_t last = 0;
  const auto step = [&last](std::uint64_t value) { return trace::zigzag(value - std::exchange(last, value)); };
  std::size_t plain = 0, differences = 0;
  for (const std::uint64_t value : values) {
    plain += varint_size(value);
    differences += varint_size(step(value));
  }
  out.push_back(static_cast<char>(plain <= differences ? ColumnMode::plain : ColumnMode::differences));
  char* to = append(out, std::min(plain, differences));
  const auto put = [&to](std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
  };
  last = 0;
  for (const std::uint64_t value : values) put(plain <= differences ? value : step(value));
}

}  // namespace

template <class Number>
void put_column(std::string& out, std::span<const Number> values) {
  if (values.empty()) return;
  const auto put_mode = [&](ColumnMode mode) { out.push_back(static_cast<char>(mode)); };
  const std::size_t size = values.size();
  Number differing = 0, numbers = 0;
  for (const Number value : values) {
    differing |= static_cast<Number>(value ^ values.front());
    numbers |= value;
  }
  if (differing == 0) {
    put_mode(ColumnMode::same);
    trace::put_varint(out, values.front());
    return;
  }
  // Most columns have small numbers, or small steps after the first number; nothing is shorter than a byte for each.
  if (numbers < 0x80) {
    put_mode(ColumnMode::plain);
    char* const to = append(out, size);
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(values[i]);
    return;
  }
  // From 256, two steps of one byte do not lead to a number of one byte; the first difference costs one byte at most.
  const std::uint64_t first = trace::zigzag(values[0]);
  if ((first < 0x80 || (values[0] >= 0x100 && size > 2)) && has_small_steps(values, numbers)) {
    put_mode(ColumnMode::differences);
    trace::put_varint(out, first);
    char* const to = append(out, size - 1);
    for (std::size_t i = 1; i < size; ++i) {
      const auto step = static_cast<std::int8_t>(values[i] - values[i - 1]);
      to[i - 1] = static_cast<char>((step << 1) ^ (step >> 7));
    }
    return;
  }
  put_shorter(out, values);
}

template void put_column(std::string&, std::span<const std::uint8_t>);
template void put_column(std::string&, std::span<const std::uint16_t>);
template void put_column(std::string&, std::span<const std::uint32_t>);
template void put_column(std::string&, std::span<const std::uint64_t>);

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
