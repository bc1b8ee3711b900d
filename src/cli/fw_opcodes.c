/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes generation by generation, from the instruction set's own tables. */
#include <inttypes.h>
#include <string.h>

#include "cli/fw_matrix.h"
#include "trench/isa.h"

enum { OPCODES = 256 };

/* What an opcode does to the set: there from the first generation to the last one, it tells
 * nothing. */
static bool tells_apart(unsigned opcode)
{
    return trn_fw_opcode_first((uint8_t)opcode) &&
           (trn_fw_opcode_first((uint8_t)opcode) != trn_gen_at(0) ||
            trn_fw_opcode_last((uint8_t)opcode) != trn_gen_at(TRN_GEN_COUNT - 1));
}

static size_t count(const struct trn_gen *gen)
{
    size_t found = 0;
    for (unsigned opcode = 0; opcode < OPCODES; opcode++)
        found += trn_fw_opcode_exists(gen, (uint8_t)opcode);
    return found;
}

static size_t new_in(const struct trn_gen *gen)
{
    size_t found = 0;
    for (unsigned opcode = 0; opcode < OPCODES; opcode++)
        found += trn_fw_opcode_first((uint8_t)opcode) == gen;
    return found;
}

void fw_opcodes_print(void)
{
    fputs("\nopcodes (this program's own instruction tables)\n  ", stdout);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        printf("%s%s %zu (+%zu)", i ? ", " : "", trn_gen_at(i)->name, count(trn_gen_at(i)),
               new_in(trn_gen_at(i)));
    puts("\n  those that not every generation has:");
    for (unsigned opcode = 0; opcode < OPCODES; opcode++)
        if (tells_apart(opcode))
            printf("  0x%02x %-40s first %-13s last %s\n", opcode, trn_opcode_name((uint8_t)opcode),
                   trn_fw_opcode_first((uint8_t)opcode)->name,
                   trn_fw_opcode_last((uint8_t)opcode)->name);
}

static json_t *opcode_json(unsigned opcode)
{
    char text[8];
    snprintf(text, sizeof text, "0x%02x", opcode);
    return json_pack("{ss ss ss ss}", "opcode", text, "name", trn_opcode_name((uint8_t)opcode),
                     "first", trn_fw_opcode_first((uint8_t)opcode)->name, "last",
                     trn_fw_opcode_last((uint8_t)opcode)->name);
}

json_t *fw_opcodes_json(void)
{
    json_t *const counts = json_object(), *const added = json_object(), *const list = json_array();
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *const gen = trn_gen_at(i);
        json_object_set_new(counts, gen->name, json_integer((json_int_t)count(gen)));
        json_object_set_new(added, gen->name, json_integer((json_int_t)new_in(gen)));
    }
    for (unsigned opcode = 0; opcode < OPCODES; opcode++)
        if (trn_fw_opcode_first((uint8_t)opcode))
            json_array_append_new(list, opcode_json(opcode));
    return json_pack("{so so so}", "counts", counts, "new", added, "list", list);
}

static void print_only(const struct trn_gen *in, const struct trn_gen *not_in)
{
    printf("opcodes of %s that %s does not have:", in->name, not_in->name);
    size_t found = 0;
    for (unsigned opcode = 0; opcode < OPCODES; opcode++)
        if (trn_fw_opcode_exists(in, (uint8_t)opcode) &&
            !trn_fw_opcode_exists(not_in, (uint8_t)opcode)) {
            printf("\n  0x%02x %s", opcode, trn_opcode_name((uint8_t)opcode));
            found++;
        }
    puts(found ? "" : " none");
}

void fw_opcodes_print_diff(const struct trn_gen *from, const struct trn_gen *to)
{
    print_only(from, to);
    print_only(to, from);
}

static json_t *only_json(const struct trn_gen *in, const struct trn_gen *not_in)
{
    json_t *const list = json_array();
    for (unsigned opcode = 0; opcode < OPCODES; opcode++)
        if (trn_fw_opcode_exists(in, (uint8_t)opcode) &&
            !trn_fw_opcode_exists(not_in, (uint8_t)opcode))
            json_array_append_new(list, opcode_json(opcode));
    return list;
}

json_t *fw_opcodes_diff_json(const struct trn_gen *from, const struct trn_gen *to)
{
    return json_pack("{so so}", "removed", only_json(from, to), "added", only_json(to, from));
}
