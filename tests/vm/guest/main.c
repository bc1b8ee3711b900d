/* SPDX-License-Identifier: Apache-2.0 */
/* guest-test GENERATION DEVICES: drive each function from enumeration to removal. */
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 8

struct memory {
    struct block rings[MAX_CORES], from, to;
};

static struct memory take_memory(const struct generation *gen)
{
    struct memory memory = {.from = take_block(), .to = take_block()};

    for (unsigned core = 0; core < gen->cores; core++)
        memory.rings[core] = take_block();
    return memory;
}

static void bring_up(struct function *function, struct memory *memory, struct copy_ring *rings,
                     bool again)
{
    const struct generation *gen = function->gen;

    for (unsigned core = 0; core < gen->cores; core++) {
        bring_up_core(function, core, again);
        ring_init(&rings[core], function, core, memory->rings[core]);
    }
    passed("%u DMA engines %s", 16 * gen->cores + gen->cores / gen->host_cores_per_engine,
           again ? "brought up again" : "brought up");
}

/* A core reset leaves the rings of the other cores as they are. */
static void check_core_reset(struct function *function, struct memory *memory,
                             struct copy_ring *rings)
{
    unsigned core = function->gen->cores - 1;

    reset_core(function, core);
    check_copies(&rings[0], 0, memory->from, memory->to);
    bring_up_core(function, core, true);
    ring_init(&rings[core], function, core, memory->rings[core]);
    check_copies(&rings[core], core, memory->from, memory->to);
}

static void test_function(struct function *function, unsigned routing_id, struct memory *memory)
{
    struct copy_ring rings[MAX_CORES];

    check_enumeration(function);
    enable_function(function);
    check_probe(function, routing_id);
    check_mailbox(function, memory->from);
    reset_device(function);
    bring_up(function, memory, rings, false);
    check_first_descriptors(&rings[0], memory->from);
    for (unsigned core = 0; core < function->gen->cores; core++)
        check_copies(&rings[core], core, memory->from, memory->to);
    check_many_copies(&rings[0], memory->from, memory->to);
    check_notification_queues(function, memory->to);
    check_core_reset(function, memory, rings);
    check_no_bus_master(&rings[0], memory->from, memory->to);
    reset_device(function);
    bring_up(function, memory, rings, true);
    check_copies(&rings[0], 0, memory->from, memory->to);
    disable_function(function);
}

static void check_number(unsigned found, unsigned wanted, const char *name)
{
    if (found != wanted)
        failed("pci-function.md 1", "Linux enumerates %u functions, wanted: %u of %s", found,
               wanted, name);
}

int main(int argc, char **argv)
{
    static struct function functions[MAX_DEVICES];
    const struct generation *gen = argc == 3 ? generation_by_name(argv[1]) : NULL;
    unsigned wanted = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0, found;
    struct memory memory;

    if (!gen || wanted < 1 || wanted > MAX_DEVICES) {
        fprintf(stderr, "usage: guest-test sunda|cayman|mariana|mariana_plus DEVICES\n");
        return 2;
    }
    found = find_functions(functions, MAX_DEVICES);
    check_number(found, wanted, gen->name);
    memory = take_memory(gen);
    for (unsigned i = 0; i < found; i++) {
        report_device(functions[i].name);
        if (functions[i].gen != gen)
            failed("pci-function.md 1", "the function is a %s, wanted: %s", functions[i].gen->name,
                   gen->name);
        test_function(&functions[i], i, &memory);
    }
    return 0;
}
