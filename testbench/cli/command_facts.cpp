// The registry of command facts by target.
#include "testbench/cli/command_facts.h"

#define FACTS CommandFacts
#define MEMBER commands
#define FINDER find_command_facts
#include "testbench/targets/find_facts.inc"
