// The registry of judging facts by target.
#include "testbench/judge/trial/judging_facts.h"

#define FACTS JudgingFacts
#define MEMBER judging
#define FINDER find_judging_facts
#include "testbench/targets/find_facts.inc"
