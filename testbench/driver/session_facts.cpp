// Which target has which facts.
#include "testbench/driver/session_facts.h"

#define FACTS SessionFacts
#define MEMBER sessions
#define FINDER find_session_facts
#include "testbench/targets/find_facts.inc"
