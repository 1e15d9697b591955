/* Linked list with nodes in random order on several pages: built, walked with a condition, reversed. */
#include "kernel.h"

enum { COUNT = 1500, WALKS = 8 };

struct node {
  struct node* next;
  u32 key;
  u32 payload[6];
};
static struct node nodes[COUNT];
static int order[COUNT];

unsigned kernel(void) {
  u32 seed = 7;
  for (int i = 0; i < COUNT; ++i) order[i] = i;
  for (int i = COUNT - 1; i > 0; --i) {
    const int j = (int)(next_random(&seed) % (u32)(i + 1));
    const int t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  struct node* head = 0;
  for (int i = 0; i < COUNT; ++i) {
    struct node* n = &nodes[order[i]];
    n->key = (u32)order[i] * 2654435761u;
    n->payload[i % 6] = (u32)i;
    n->next = head;
    head = n;
  }
  u32 sum = 0;
  for (int walk = 0; walk < WALKS; ++walk) {
    u32 position = 0;
    for (struct node* n = head; n; n = n->next) {
      sum += n->key ^ n->payload[position % 6];
      if (n->key & 0x10000u) sum = sum << 1 | sum >> 31;
      ++position;
    }
    struct node* reversed = 0;
    while (head) {
      struct node* n = head;
      head = n->next;
      n->next = reversed;
      reversed = n;
    }
    head = reversed;
  }
  return fold(sum);
}
