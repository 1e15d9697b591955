// A collection: one file of several `.pmt` traces, one after the other, as `cat a.pmt b.pmt` makes it. The path
// FILE/NAME stands for the trace whose program is called NAME; open() and file_source() take it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pmusim::trace {

/// The paths FILE/NAME of all traces of a collection, in the order of the file. Throws TraceError if `file` is not one.
[[nodiscard]] std::vector<std::filesystem::path> members(const std::filesystem::path& file);
/// True if `path` is FILE/NAME for a trace of a collection.
[[nodiscard]] bool is_member(const std::filesystem::path& path);
/// The content of the trace FILE/NAME; empty if FILE is no collection. Throws TraceError if it has no such trace.
[[nodiscard]] std::optional<std::string> member_content(const std::filesystem::path& path);
/// Bytes of a file, or of a trace of a collection. Throws as std::filesystem::file_size, and TraceError.
[[nodiscard]] std::uintmax_t size_of(const std::filesystem::path& path);

}  // namespace pmusim::trace
