// Finds the facts about a target.
#include "testbench/mutate/equivalence.h"

#define FACTS mutate::EquivalenceFacts
#define MEMBER equivalence
#define FINDER mutate::find_equivalence_facts
#include "testbench/targets/find_facts.inc"
