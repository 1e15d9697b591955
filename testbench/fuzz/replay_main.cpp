// Runs a fuzzer without libFuzzer: over every file of the given folders, and over mutations of each, which are the same
// in every run. A crash, a sanitizer report or an escaped exception fails the test.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "testbench/tests/sampling.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const std::size_t mutations = pmusim::sanitized ? 1'000 : 12'000;  ///< of all files together

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

/// One to four small changes: a bit, a byte, a piece removed, doubled or taken from another file, a cut.
std::string mutate(std::string input, const std::vector<std::string>& corpus, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t changes = 1 + below(4); changes > 0 && !input.empty(); --changes) {
    const std::size_t at = below(input.size());
    const std::size_t length = std::min(input.size() - at, 1 + below(16));
    switch (below(6)) {
      case 0:
        input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        input[at] = static_cast<char>(below(256));
        break;
      case 2:
        input.erase(at, length);
        break;
      case 3:
        input.insert(at, input.substr(at, length));
        break;
      case 4: {
        const std::string& other = corpus[below(corpus.size())];
        if (!other.empty()) input.insert(at, other.substr(below(other.size()), length));
        break;
      }
      default:
        input.resize(at);
        break;
    }
  }
  return input;
}

std::vector<std::string> read_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // the order of directory entries differs between file systems
  std::vector<std::string> contents;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return contents;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> corpus;
  for (int i = 1; i < argc; ++i) {
    for (std::string& content : read_folder(argv[i])) corpus.push_back(std::move(content));
  }
  if (corpus.empty()) {
    std::cerr << "no corpus: give folders with input files\n";
    return EXIT_FAILURE;
  }
  const std::size_t mutations_per_file = std::max<std::size_t>(1, mutations / corpus.size());
  std::mt19937 random(1);
  run("");
  for (const std::string& input : corpus) {
    run(input);
    for (std::size_t i = 0; i < mutations_per_file; ++i) run(mutate(input, corpus, random));
  }
  std::cout << corpus.size() << " files, " << corpus.size() * mutations_per_file << " mutations\n";
}
