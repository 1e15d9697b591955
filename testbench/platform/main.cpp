// Runs the platform and prints the results of its software and the events on its wires, one per line.
//   pmusim-platform [--target NAME] [--event NAME]... [--period N] [--turns N] [--timing loose|cycle] [--quantum N]
//                   [--bus 4|8] [--detail counts|instructions|accesses] [--reset-at CYCLE]
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include "platform.h"

namespace {

struct Wrong : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

std::uint64_t number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || *end != '\0' || text[0] == '-') throw Wrong(option + " " + text + ": expected a number");
  return value;
}

/// The index of `text` in `words`. Throws Wrong if it is none of them.
std::size_t choice(const std::string& option, const std::string& text, std::initializer_list<const char*> words) {
  std::size_t place = 0;
  std::string legal;
  for (const char* word : words) {
    if (text == word) return place;
    ++place;
    legal += (legal.empty() ? "" : ", ") + std::string(word);
  }
  throw Wrong(option + " " + text + ": expected one of " + legal);
}

struct Request {
  platform::Options options;
  std::uint64_t reset_at = 0;  // 0: never
};

Request read(int count, char** words) {
  Request request;
  platform::Options& options = request.options;
  std::vector<std::string> events;
  for (int i = 1; i < count; i += 2) {
    const std::string option = words[i];
    if (i + 1 == count) throw Wrong(option + " has no value");
    const std::string value = words[i + 1];
    if (option == "--target") {
      options.target = value;
    } else if (option == "--event") {
      events.push_back(value);
    } else if (option == "--period") {
      options.period = number(option, value);
    } else if (option == "--turns") {
      options.turns = number(option, value);
      if (options.turns == 0) throw Wrong("--turns 0: expected at least one turn of the loop");
    } else if (option == "--timing") {
      options.cycle_accurate = choice(option, value, {"loose", "cycle"}) == 1;
    } else if (option == "--quantum") {
      options.quantum = number(option, value);
      if (options.quantum == 0) throw Wrong("--quantum 0: expected at least one cycle");
    } else if (option == "--bus") {
      options.bus_bytes = choice(option, value, {"4", "8"}) == 0 ? 4 : 8;
    } else if (option == "--detail") {
      options.detail = static_cast<platform::Detail>(choice(option, value, {"counts", "instructions", "accesses"}));
    } else if (option == "--reset-at") {
      request.reset_at = number(option, value);
    } else {
      throw Wrong("unknown option '" + option + "'; see the top of main.cpp");
    }
  }
  if (!events.empty()) options.events = events;
  return request;
}

void print(platform::Platform& board) {
  for (const auto& write : board.programming().start)
    std::cout << "start " << write.name << " 0x" << std::hex << write.value << std::dec << '\n';
  for (const sc_core::sc_time& time : board.requests()) std::cout << "request " << time.to_string() << '\n';
  for (const auto& entry : board.log()) {
    std::cout << "interrupt pc 0x" << std::hex << entry.pc << std::dec;
    for (const std::uint64_t value : entry.counters) std::cout << ' ' << value;
    std::cout << '\n';
  }
  std::cout << "interrupts " << board.interrupts() << '\n';
  const auto results = board.results();
  for (std::size_t i = 0, at = 0; i < board.programming().counters.size(); ++i) {
    const auto& place = board.programming().counters[i];
    if (!place.reg.empty()) std::cout << "counter " << place.name << ' ' << results[at++] << '\n';
  }
  std::cout << "retired " << board.core.retired() << '\n' << "end " << sc_core::sc_time_stamp().to_string() << '\n';
}

}  // namespace

int sc_main(int count, char** words) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    const Request request = read(count, words);
    platform::Platform board("board", request.options);
    if (request.reset_at != 0) {
      const sc_core::sc_time cycle(1, sc_core::SC_NS);
      sc_core::sc_start(request.reset_at * cycle);
      board.reset.write(true);
      sc_core::sc_start(1000 * cycle);
      board.reset.write(false);
    }
    sc_core::sc_start();
    print(board);
    if (board.failure().empty()) return 0;
    std::cerr << "pmusim-platform: " << board.failure() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "pmusim-platform: " << error.what() << '\n';
    return 2;
  }
}
