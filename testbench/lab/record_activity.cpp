// Runs a target's core over a region of one or two traces, writes its activity as an image for the laboratory's page,
// and prints the executed code: `ADDRESS BYTES`, one instruction (IA-64: bundle) per line.
//   lab_activity TARGET BEGIN:END IMAGE TRACE...
#include <fstream>
#include <iostream>
#include <string>

#include "testbench/lab/activity_image.h"
#include "testbench/lab/native/programs.h"

namespace pmusim::lab {
namespace {

void print(const trace::Code& code) {
  std::cout << std::hex << code.pc << ' ';
  for (unsigned i = 0; i < code.length; ++i)
    std::cout << "0123456789abcdef"[code.bytes[i] >> 4] << "0123456789abcdef"[code.bytes[i] & 15];
  std::cout << '\n';
}

int run(const std::vector<std::string>& words) {
  const models::Target* const target = models::find_target(words[0]);
  if (target == nullptr) throw std::invalid_argument("there is no target " + words[0]);
  const testbench::Region region = region_of(words[1]);
  const std::vector<std::filesystem::path> traces(words.begin() + 3, words.end());
  const Recording recording = record(*target, traces, region);
  std::ofstream out(words[2], std::ios::binary);
  out << image_of(recording.activity.blocks());
  if (!out.flush()) throw std::runtime_error("cannot write " + words[2]);
  std::cerr << words[2] << ": " << recording.instructions << " instructions, " << recording.activity.cycles()
            << " cycles\n";
  for (const trace::Code& code : code_near(*target, traces, region)) print(code);
  return 0;
}

}  // namespace
}  // namespace pmusim::lab

int main(int count, char** words) {
  if (count < 5) {
    std::cerr << "usage: lab_activity TARGET BEGIN:END IMAGE TRACE...\n";
    return 2;
  }
  try {
    return pmusim::lab::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << "lab_activity: " << error.what() << '\n';
    return 2;
  }
}
