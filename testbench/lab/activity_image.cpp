#include "testbench/lab/activity_image.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace pmusim::lab {
namespace {

using activity::Block;

constexpr std::string_view magic = "pmusim activity image 1\n";

/// Values that the writer and the reader must share: numbers of columns, and sizes of records.
constexpr std::array<std::uint32_t, 10> shape{activity::signal_count,
                                              activity::state_count,
                                              sizeof(activity::Occurrence),
                                              sizeof(activity::Change),
                                              sizeof(activity::InstructionRecord),
                                              sizeof(activity::RequestRecord),
                                              sizeof(activity::ia64::Syllable),
                                              sizeof(activity::ia64::Request),
                                              sizeof(activity::alpha::Instruction),
                                              sizeof(activity::RegisterAccess)};

/// Visits every part of a block in a fixed order, for writing and for reading.
template <class AnyBlock, class Visitor>
void visit(AnyBlock& block, Visitor&& visitor) {
  visitor(block.begin);
  visitor(block.end);
  for (auto& column : block.columns) visitor(column);
  for (auto& state : block.states) {
    visitor(state.initial);
    visitor(state.changes);
  }
  visitor(block.instructions);
  visitor(block.requests);
  visitor(block.syllables);
  visitor(block.ia64_requests);
  visitor(block.alpha_instructions);
  visitor(block.accesses);
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  void operator()(std::uint64_t value) { append(&value, sizeof value); }
  template <class T>
  void operator()(const std::vector<T>& table) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto size = static_cast<std::uint32_t>(table.size());
    append(&size, sizeof size);
    const auto* const bytes = reinterpret_cast<const char*>(table.data());
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      for (std::size_t i = 0; i < table.size(); ++i) out_.push_back(bytes[i * sizeof(T) + byte]);
  }

 private:
  void append(const void* data, std::size_t size) { out_.append(static_cast<const char*>(data), size); }
  std::string& out_;
};

class Parser {
 public:
  explicit Parser(std::string_view in) : in_(in) {}
  void operator()(std::uint64_t& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  template <class T>
  void operator()(std::vector<T>& table) {
    std::uint32_t size = 0;
    std::memcpy(&size, take(sizeof size).data(), sizeof size);
    const std::string_view planes = take(std::size_t{size} * sizeof(T));
    table.resize(size);
    auto* const bytes = reinterpret_cast<char*>(table.data());
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      for (std::size_t i = 0; i < size; ++i) bytes[i * sizeof(T) + byte] = planes[byte * size + i];
  }
  std::string_view take(std::size_t size) {
    if (size > in_.size()) throw std::invalid_argument("the activity image is cut short");
    const std::string_view part = in_.substr(0, size);
    in_.remove_prefix(size);
    return part;
  }
  [[nodiscard]] bool at_end() const { return in_.empty(); }

 private:
  std::string_view in_;
};

}  // namespace

std::string image_of(const std::vector<Block>& blocks) {
  std::string image(magic);
  image.append(reinterpret_cast<const char*>(shape.data()), sizeof shape);
  Writer writer(image);
  for (const Block& block : blocks) visit(block, writer);
  return image;
}

std::vector<Block> blocks_of(std::string_view image) {
  Parser parser(image);
  if (parser.take(magic.size()) != magic) throw std::invalid_argument("this is no activity image");
  if (std::memcmp(parser.take(sizeof shape).data(), shape.data(), sizeof shape) != 0)
    throw std::invalid_argument("the activity image is of another build: its records have other sizes");
  std::vector<Block> blocks;
  while (!parser.at_end()) visit(blocks.emplace_back(), parser);
  return blocks;
}

}  // namespace pmusim::lab
