#include "testbench/store/this_program.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/auxv.h>

#include <array>
#include <stdexcept>
#include <system_error>

#include "testbench/support/error.h"
#include "testbench/support/version.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

namespace fs = std::filesystem;

constexpr const char* own_link = "/proc/self/exe";

/// The start of the loaded file that contains an address, and its name.
Dl_info loaded_at(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0) return {};
  return info;
}

/// True if this code belongs to the program itself, whose headers the kernel names.
bool code_is_program() {
  const auto* const headers = reinterpret_cast<const void*>(getauxval(AT_PHDR));
  return loaded_at(headers).dli_fbase == loaded_at(reinterpret_cast<const void*>(&code_is_program)).dli_fbase;
}

fs::path existing(const char* name) {
  if (name == nullptr) return {};
  std::error_code error;
  fs::path file = fs::canonical(name, error);
  return error ? fs::path{} : file;
}

}  // namespace

fs::path program_file() {
  std::error_code error;
  fs::path program = fs::read_symlink(own_link, error);
  if (!error) return program;
  return existing(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
}

fs::path code_file() {
  if (code_is_program()) return program_file();
  return existing(loaded_at(reinterpret_cast<const void*>(&code_is_program)).dli_fname);
}

fs::path readable_code_file() {
  std::error_code error;
  return code_is_program() && fs::exists(own_link, error) ? fs::path(own_link) : code_file();
}

std::string this_program() {
  static const std::string name = [] {
    const std::filesystem::path file = readable_code_file();
    if (file.empty()) throw UsageError("the file of the program is not known: /proc is not mounted");
    return fmt::format("pmusim {} ({})", version, digest_of(content_of(file)));
  }();
  return name;
}

std::string digest_of(std::string_view bytes) {
  static const bool ready = sodium_init() >= 0;  // chooses the fastest code for this processor
  if (!ready) throw std::runtime_error("libsodium cannot be initialised");
  std::array<unsigned char, digest_digits / 2> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                     nullptr, 0);
  std::array<char, digest_digits + 1> text{};
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  return text.data();
}

bool is_digest(std::string_view text) {
  return text.size() == digest_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace pmusim::testbench
