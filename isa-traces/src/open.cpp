// Recognises the formats by their first bytes.
#include <array>

#include "pmt_format.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/writer.h"
#include "reader_base.h"

namespace pmusim::trace {
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
