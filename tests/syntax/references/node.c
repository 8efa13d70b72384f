#include <stdio.h>
#include "util/list.h"
struct node { struct node *next; List *items; foo_t f; };
typedef struct node node_t;
static node_t *make(int n, const struct list *l) {
    node_t *x = new_node(n);
    struct ctx c;
    l->ops->run(x, callback);
    free(x);
    (*fp)(x);
    x->next = (node_t *)malloc(sizeof(node_t));
    qsort(a, n, sizeof(int), compare);
    return x;
}
static int compare(const void *a, const void *b) { return helper(a); }
struct ops table = { .run = make, .cmp = compare };
