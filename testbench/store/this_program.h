// The program that runs: its files, and how verdicts and cache entries name it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace pmusim::testbench {

/// Version and a hash of the running program. Throws UsageError if its file is not known.
[[nodiscard]] std::string this_program();

/// The file of the running program. Where /proc is not mounted, the name under which it was started. Empty if neither
/// leads to a file.
[[nodiscard]] std::filesystem::path program_file();
/// The file that contains this code: the program, or the library of an interpreter's module.
[[nodiscard]] std::filesystem::path code_file();
/// A name under which the content of code_file() can be read, even if another file has taken its name since.
[[nodiscard]] std::filesystem::path readable_code_file();

// A hash of content by which files and cache entries are recognised. Two contents with the same hash cannot be made.

/// Length of the text of a digest.
inline constexpr std::size_t digest_digits = 64;
/// BLAKE2b with 256 bits (RFC 7693) in hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view bytes);
/// True for the text of a digest.
[[nodiscard]] bool is_digest(std::string_view text);

}  // namespace pmusim::testbench
