#include "pmusim/trace/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "pmt_format.h"
#include "pmusim/trace/byte_source.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/packed_file.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "reader_base.h"

namespace pmusim::trace {

namespace {

namespace fs = std::filesystem;

struct Member {
  std::string name;
  std::string_view bytes;
};

/// Finds where traces end from the lengths in them; what is between is left to their readers.
class Collection {
 public:
  Collection(ByteSource& source, std::string name) : name_(std::move(name)) {
    constexpr std::size_t block = 1 << 16;
    for (std::size_t old = 0; old == bytes_.size(); old += block) {
      bytes_.resize(old + block);
      bytes_.resize(old + source.read(&bytes_[old], block));
    }
    while (at_ < bytes_.size()) take_member();
  }

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  void take_member() {
    const std::size_t begin = at_;
    if (skip(pmt::magic.size()) != pmt::magic) fail(begin, "no .pmt trace begins here");
    at_ = begin;
    const std::string_view header = skip(pmt::header_size);
    const std::string_view name = skip(get_fixed<std::uint16_t>(&header[pmt::name_length_at]));
    skip(sizeof(std::uint32_t));
    for (;;) {
      const std::size_t part = at_;
      const std::string_view tag = skip(pmt::chunk_tag.size());
      if (tag == index_tag) break;
      if (tag != pmt::chunk_tag) fail(part, "neither a chunk nor the index begins here");
      skip(pmt::decode_chunk_header(skip(pmt::chunk_header_size).data()).packed_size);
    }
    const auto chunks = get_fixed<std::uint64_t>(skip(sizeof(std::uint64_t)).data());
    if (chunks > bytes_.size()) fail(at_, "the index counts more chunks than the file has bytes");
    skip(chunks * 2 * sizeof(std::uint64_t) + sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(std::uint64_t));
    skip(pmt::end_mark.size());
    members_.push_back({std::string(name), std::string_view(bytes_).substr(begin, at_ - begin)});
  }

  std::string_view skip(std::size_t size) {
    if (size > bytes_.size() - at_) fail(at_, "the file ends inside a trace; it was cut: copy or make it again");
    const std::string_view part = std::string_view(bytes_).substr(at_, size);
    at_ += size;
    return part;
  }

  [[noreturn]] void fail(std::size_t at, std::string_view what) const {
    throw TraceError(fmt::format("{}: byte {}: {}", name_, at, what));
  }

  std::string name_, bytes_;
  std::size_t at_ = 0;
  std::vector<Member> members_;
};

/// The bytes of the file before the last part of the path, if it is a binary trace or several.
std::unique_ptr<ByteSource> source_before(const fs::path& path) {
  std::error_code ignored;
  if (!path.has_parent_path() || !fs::is_regular_file(path.parent_path(), ignored)) return nullptr;
  auto source = file_source(path.parent_path());
  std::string start(pmt::magic.size(), '\0');
  start.resize(source->read(start.data(), start.size()));
  source->unread(start);
  return start == pmt::magic ? std::move(source) : nullptr;
}

}  // namespace

std::vector<fs::path> members(const fs::path& file) {
  std::vector<fs::path> paths;
  const Collection collection(*file_source(file), file.string());
  for (const Member& member : collection.members()) paths.push_back(file / member.name);
  return paths;
}

bool is_member(const fs::path& path) {
  const auto source = source_before(path);
  if (source == nullptr) return false;
  const Collection collection(*source, path.parent_path().string());
  return std::any_of(collection.members().begin(), collection.members().end(),
                     [&](const Member& member) { return member.name == path.filename(); });
}

std::optional<std::string> member_content(const fs::path& path) {
  const auto source = source_before(path);
  if (source == nullptr) return std::nullopt;
  const Collection collection(*source, path.parent_path().string());
  std::string names;
  for (const Member& member : collection.members()) {
    if (member.name == path.filename()) return std::string(member.bytes);
    names += (names.empty() ? "" : ", ") + member.name;
  }
  throw TraceError(fmt::format("{}: no trace of this name in the file; expected one of: {}", path.string(), names));
}

std::uintmax_t size_of(const fs::path& path) {
  const auto member = member_content(path);
  return member ? member->size() : fs::file_size(path);
}

// Recognises the formats by their first bytes.

namespace {

constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

}  // namespace

std::unique_ptr<Reader> open(std::unique_ptr<ByteSource> source, const std::string& name, const ReadOptions& options) {
  std::array<char, 4> start{};
  const std::string_view bytes(start.data(), source->read(start.data(), start.size()));
  source->unread(bytes);
  if (bytes == pmt::magic.substr(0, bytes.size()) && !bytes.empty()) {
    auto reader = pmt_reader(std::move(source), name, options);
    if (options.isa && *options.isa != reader->info().isa) {
      throw TraceError(name + ": byte 12: the trace is " + std::string(name_of(reader->info().isa)) +
                       " where it was expected to be " + std::string(name_of(*options.isa)));
    }
    return reader;
  }
  if (bytes == zstd_magic) source = zstd_source(std::move(source), name);
  return text_reader(std::move(source), name, options);
}

std::unique_ptr<Reader> open(const std::filesystem::path& file, const ReadOptions& options) {
  return open(file_source(file), file.string(), options);
}

std::unique_ptr<Reader> open_memory(std::string content, std::string name, const ReadOptions& options) {
  return open(memory_source(std::move(content)), name, options);
}

std::unique_ptr<Reader> open_text(std::string text, std::string name, const ReadOptions& options) {
  return text_reader(memory_source(std::move(text)), std::move(name), options);
}

std::uint64_t copy(Reader& from, Writer& to) {
  Numbering numbering(from.info().isa);
  for (Item item; from.next(item);) {
    to.write(item);
    if (item.directive == nullptr) numbering.take(item.instruction);
  }
  return numbering.instructions();
}

}  // namespace pmusim::trace
