#include "models/activity_file/column.h"

#include <bit>
#include <utility>

#include "models/activity_file/format.h"
#include "pmusim/trace/bytes.h"

// Builds a function with all that it calls a second time, for processors with vectors of 256 bits. The loader chooses,
// before a sanitizer has started.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define PMUSIM_FOR_PROCESSORS [[gnu::flatten, gnu::target_clones("default", "arch=x86-64-v3")]]
#else
#define PMUSIM_FOR_PROCESSORS
#endif

namespace pmusim::activity_file {

void Payload::grow(std::size_t bytes) {
  room_ = std::max(2 * room_, size_ + bytes);
  std::unique_ptr<char[]> more(new char[room_]);  // not cleared
  std::copy_n(data_.get(), size_, more.get());
  data_ = std::move(more);
}

namespace {

/// Bytes of a varint: one for each seven bits. The fraction is that of (bits + 6) / 7, for up to 64 bits.
constexpr std::size_t varint_size(std::uint64_t value) {
  return (static_cast<unsigned>(std::bit_width(value | 1)) + 6) * 37 >> 8;
}
static_assert(varint_size(0x7f) == 1 && varint_size(0x80) == 2 && varint_size(~std::uint64_t{0} >> 1) == 9 &&
              varint_size(~std::uint64_t{0} >> 8) == 8 && varint_size(~std::uint64_t{0}) == 10);

/// Numbers to be written as varints. The first is apart: it may be the difference of an address to 0.
template <class Number>
struct Varints {
  std::span<const Number> numbers;
  Number any, all;  ///< the bits that any, and that all of them have, without the first or with it

  [[nodiscard]] std::size_t bytes_if(std::size_t each) const {
    return varint_size(numbers[0]) + (numbers.size() - 1) * each;
  }
  [[nodiscard]] std::size_t least_bytes() const { return bytes_if(varint_size(all)); }
  [[nodiscard]] std::size_t most_bytes() const { return bytes_if(varint_size(any)); }
  [[nodiscard]] std::size_t bytes() const {
    const std::size_t least = varint_size(all), most = varint_size(any);
    const std::span<const Number> others = numbers.subspan(1);
    if (most > least + 3) {
      std::size_t bytes = varint_size(numbers[0]);
      for (const Number value : others) bytes += varint_size(value);
      return bytes;
    }
    std::size_t bytes = bytes_if(least);
    for (std::size_t size = least; size < most; ++size) {
      std::common_type_t<Number, std::uint32_t> longer = 0;  // a column has at most 2^22 numbers
      for (const Number value : others) longer += value >> (7 * size) != 0 ? 1 : 0;
      bytes += longer;
    }
    return bytes;
  }
  void put(Payload& out) const {
    char* to = out.room(most_bytes());
    for (Number value : numbers) {
      for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
      *to++ = static_cast<char>(value);
    }
    out.end(to);
  }
};

/// Numbers that each take a byte, after a first one.
template <class Number>
void put_bytes(Payload& out, std::span<const Number> numbers) {
  char* const to = out.room(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) to[i] = static_cast<char>(numbers[i]);
  out.end(to + numbers.size());
}

/// Numbers or differences, whichever takes fewer bytes. `Step` holds the zigzag form of each difference.
template <class Step, class Number>
void put_shorter(Payload& out, const Varints<Number>& plain) {
  const std::span<const Number> values = plain.numbers;
  const std::unique_ptr<Step[]> steps(new Step[values.size()]);  // not cleared
  steps[0] = static_cast<Step>(trace::zigzag(values[0]));
  Step any = 0, all = static_cast<Step>(-1);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto step = static_cast<Step>(static_cast<Step>(values[i]) - static_cast<Step>(values[i - 1]));
    const auto code =
        static_cast<Step>(static_cast<Step>(step << 1) ^ static_cast<Step>(-(step >> (8 * sizeof(Step) - 1))));
    steps[i] = code;
    any |= code;
    all &= code;
  }
  const Varints<Step> differences{{steps.get(), values.size()}, any, all};
  const bool shorter = differences.most_bytes() < plain.least_bytes() ||
                       (plain.most_bytes() > differences.least_bytes() && differences.bytes() < plain.bytes());
  out.put_byte(static_cast<std::uint8_t>(shorter ? ColumnMode::differences : ColumnMode::plain));
  if (!shorter) {
    plain.put(out);
  } else if (any >= 0x80) {
    differences.put(out);
  } else {
    out.put_varint(steps[0]);
    put_bytes(out, differences.numbers.subspan(1));
  }
}

template <class Number>
void put_numbers(Payload& out, std::span<const Number> values) {
  if (values.empty()) return;
  Number any = 0, all = static_cast<Number>(-1);
  for (const Number value : values) {
    any |= value;
    all &= value;
  }
  if (any == all) {
    out.put_byte(static_cast<std::uint8_t>(ColumnMode::same));
    out.put_varint(any);
  } else if (any < 0x80) {  // nothing is shorter than a byte for each
    out.put_byte(static_cast<std::uint8_t>(ColumnMode::plain));
    put_bytes(out, values);
  } else if (std::bit_width(any) < 32) {
    put_shorter<std::uint32_t>(out, Varints<Number>{values, any, all});
  } else {
    put_shorter<std::uint64_t>(out, Varints<Number>{values, any, all});
  }
}

}  // namespace

PMUSIM_FOR_PROCESSORS void put_column(Payload& out, std::span<const std::uint8_t> values) { put_numbers(out, values); }
PMUSIM_FOR_PROCESSORS void put_column(Payload& out, std::span<const std::uint16_t> values) { put_numbers(out, values); }
PMUSIM_FOR_PROCESSORS void put_column(Payload& out, std::span<const std::uint32_t> values) { put_numbers(out, values); }
PMUSIM_FOR_PROCESSORS void put_column(Payload& out, std::span<const std::uint64_t> values) { put_numbers(out, values); }

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
