// Finds the facts about a target.
#include "testbench/judge/question/question.h"

#define FACTS questions::Family
#define MEMBER questions
#define FINDER questions::family_of
#include "testbench/targets/find_facts.inc"
