// The pmusim program.
#include "testbench/cli/command.h"

int main(int argc, char** argv) { return pmusim::testbench::run_program({argv + 1, argv + argc}); }
