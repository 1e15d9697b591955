// Reads `.pmt` files chunk by chunk.
#pragma once

#include <zstd.h>

#include <memory>
#include <string>

#include "byte_source.h"
#include "pmt_decoder.h"
#include "reader_base.h"

namespace pmusim::trace {

class PmtReader final : public ReaderBase {
 public:
  PmtReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options);

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  bool step(Item& item) override;
  void read_header();
  /// Reads the next chunk; false when the index and the end of the file came instead.
  bool read_chunk();
  void read_index();
  void unpack(const pmt::ChunkHeader& header);
  /// Reads exactly `size` bytes behind what `to` holds.
  void read_more(std::string& to, std::size_t size);
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::unique_ptr<pmt::ChunkDecoder> decoder_;
  std::string packed_, payload_;
  std::string part_;          // what is being read, for messages about a cut
  std::uint64_t offset_ = 0;  // bytes of the file read so far
  std::uint64_t chunk_offset_ = 0;
  std::uint32_t chunk_instructions_ = 0;
  std::uint64_t instructions_ = 0;  // in the chunks read so far
  std::uint32_t index_crc_ = 0;     // of the index that the chunks read so far deserve
};

}  // namespace pmusim::trace
