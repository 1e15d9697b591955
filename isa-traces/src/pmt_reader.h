// Reads `.pmt` files chunk by chunk.
#pragma once

#include <memory>
#include <string>

#include "pmt_decoder.h"
#include "pmusim/trace/packed_file.h"
#include "reader_base.h"

namespace pmusim::trace {

class PmtReader final : public ReaderBase {
 public:
  PmtReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options);

 private:
  std::span<const Item> read_whole() override;
  void read_header();
  /// Reads the next chunk. Returns false after reading the index and the end of the file.
  bool read_chunk();
  void read_index();

  PackedFile file_;
  std::unique_ptr<pmt::ChunkDecoder> decoder_;
  std::string packed_, payload_;
  std::uint64_t chunk_offset_ = 0;
  std::uint32_t chunk_instructions_ = 0;
  std::uint64_t instructions_ = 0;  // in the chunks read so far
  IndexSum index_;                  // computed from the chunks read so far
};

}  // namespace pmusim::trace
