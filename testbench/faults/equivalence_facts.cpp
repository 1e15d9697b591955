// Finds the facts about a target.
#include "testbench/faults/equivalence.h"

#define FACTS faults::EquivalenceFacts
#define MEMBER equivalence
#define FINDER faults::find_equivalence_facts
#include "testbench/targets/find_facts.inc"
