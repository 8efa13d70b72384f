/* Reads lines from a stream. */
#include <stdio.h>
#include "lib/buffer.h"

#define MAX_LINE 1024
#define SQUARE(x) ((x) * (x))

typedef unsigned long word_t;
typedef int (*compare_fn)(const void *, const void *);

enum color { RED, GREEN };

struct point {
	int x;
	int y;
};

typedef struct node {
	struct node *next;
	int value;
} node_t;

typedef struct {
	int a;
} anonymous_t;

union number {
	int i;
	float f;
};

static int counter = 0;
const char *names[] = {"a", "b"};
extern int declared(int a, int b);

/* Adds. */
static inline int add(int a, int b)
{
	int local = a;
	return local + b;
}

char *duplicate(const char *text)
{
	return 0;
}

int
main(int argc, char **argv)
{
	return add(1, 2);
}
