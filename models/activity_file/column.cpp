#include "models/activity_file/column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <type_traits>
#include <utility>

#include "models/activity_file/format.h"
#include "pmusim/trace/bytes.h"

namespace pmusim::activity_file {
namespace {

/// Bytes of a varint, by the highest bit of its value.
constexpr auto sizes = [] {
  std::array<std::uint8_t, 64> bytes{};
  for (unsigned bit = 0; bit < bytes.size(); ++bit) bytes[bit] = static_cast<std::uint8_t>(bit / 7 + 1);
  return bytes;
}();
std::size_t varint_size(std::uint64_t value) { return sizes[static_cast<unsigned>(63 - std::countl_zero(value | 1))]; }

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

/// Bytes of the varints of numbers. The first is apart: it may be the difference of an address to 0.
template <class Number>
std::size_t bytes_of(std::span<const Number> values) {
  const std::span<const Number> others = values.subspan(1);
  Number any = 0, all = static_cast<Number>(-1);
  for (const Number value : others) {
    any |= value;
    all &= value;
  }
  std::size_t bytes = varint_size(values[0]);
  if (std::bit_width(any) == std::bit_width(all)) return bytes + others.size() * varint_size(any);
  if (std::bit_width(any) > 32) {
    for (const Number value : others) bytes += varint_size(value);
    return bytes;
  }
  std::uint32_t more = 0;  // a column has at most 2^22 numbers
  for (const Number number : others) {
    const auto value = static_cast<std::uint32_t>(number);
    more += (value >> 7 != 0) + (value >> 14 != 0) + (value >> 21 != 0) + (value >> 28 != 0);
  }
  return bytes + others.size() + more;
}

template <class Number>
void put_varints(std::string& out, std::span<const Number> values, std::size_t bytes) {
  char* to = append(out, bytes);
  for (Number value : values) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
  }
}

/// Numbers or differences, whichever takes fewer bytes. `Step` holds the zigzag form of each difference.
template <class Step, class Number>
void put_shorter(std::string& out, std::span<const Number> values) {
  const std::unique_ptr<Step[]> steps(new Step[values.size()]);  // not cleared
  steps[0] = static_cast<Step>(trace::zigzag(values[0]));
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto step = static_cast<Step>(static_cast<Step>(values[i]) - static_cast<Step>(values[i - 1]));
    steps[i] = static_cast<Step>(step << 1) ^ static_cast<Step>(-(step >> (8 * sizeof(Step) - 1)));
  }
  const std::span<const Step> differences(steps.get(), values.size());
  const std::size_t plain_bytes = bytes_of(values), difference_bytes = bytes_of(differences);
  const bool plain = plain_bytes <= difference_bytes;
  out.push_back(static_cast<char>(plain ? ColumnMode::plain : ColumnMode::differences));
  if (plain) {
    put_varints(out, values, plain_bytes);
  } else {
    put_varints(out, differences, difference_bytes);
  }
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
  if (std::bit_width(numbers) < 32)
    put_shorter<std::uint32_t>(out, values);
  else
    put_shorter<std::uint64_t>(out, values);
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
