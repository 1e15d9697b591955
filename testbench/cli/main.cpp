// pmusim: turns every error into one line and an exit code.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "testbench/cli/command.h"
#include "testbench/support/error.h"
#include "testbench/support/output.h"
#include "testbench/support/words.h"

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);  // otherwise SystemC prints a banner into every output
  std::signal(SIGXFSZ, SIG_IGN);                 // exceeding the file size limit becomes a write error
  try {
    const int code = pmusim::testbench::dispatch({argv + 1, argv + argc});
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
    return code;
  } catch (const std::exception& error) {
    const bool colour = pmusim::testbench::shows_colour(STDERR_FILENO);
    std::cerr << (colour ? pmusim::testbench::tinted("pmusim:", pmusim::testbench::Tint::bad) : "pmusim:") << ' '
              << pmusim::testbench::printable(pmusim::testbench::message_of(error)) << '\n';
    return pmusim::testbench::exit_usage;
  }
}
