/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/act.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct trn_act_set *fail(struct trn_act_set *set, const struct trn_diag *diag)
{
    cli_print_diag(diag);
    free(set);
    return NULL;
}

static trn_status read_set(const char *path, struct trn_act_set *set, struct trn_diag *diag)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    trn_status status = cli_read_file(path, TRN_ACT_FILE_MAX, &bytes, &size, diag);
    if (status == TRN_OK)
        status = trn_act_file_parse(bytes, size, path, set, diag);
    free(bytes);
    return status;
}

/* No such file: say which sets there are too. */
static trn_status unknown(const char *name, struct trn_diag *diag)
{
    static const char other_target[] = "with_ln"; /* of data/act_sets.csv */
    const char *names[64], *near;
    size_t count = 0;
    while (count < sizeof names / sizeof names[0] && trn_act_shipped_name(count)) {
        names[count] = trn_act_shipped_name(count);
        count++;
    }
    near = cli_nearest(name, names, count);
    if (strncmp(name, other_target, sizeof other_target - 1) == 0)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, name, NULL,
                            "a shipped set (trench act ls); trench explain with_ln has what is "
                            "published of those",
                            "with_ln sets are Inferentia-1's: no generation here runs them, and "
                            "not all of their functions and numbers are published");
    return trn_diag_set(diag, TRN_ERR_NOT_FOUND, name, NULL,
                        near ? near : "a name that trench act ls lists",
                        "there is neither such a file nor such a shipped set");
}

trn_status act_read(const char *name, enum trn_act_layout layout, struct trn_act_set *set,
                    struct trn_diag *diag)
{
    const int shipped = trn_act_shipped_find(name);
    if (strcmp(name, "-") == 0 || access(name, F_OK) == 0)
        return read_set(name, set, diag);
    return shipped < 0 ? unknown(name, diag)
                       : trn_act_shipped_set((size_t)shipped, layout, set, diag);
}

struct trn_act_set *act_open(const char *name, enum trn_act_layout layout)
{
    struct trn_diag diag = {0};
    struct trn_act_set *const set = malloc(sizeof *set);
    if (!set) {
        trn_diag_set(&diag, TRN_ERR_NO_MEMORY, name, NULL, NULL, "no memory for a set");
        return fail(NULL, &diag);
    }
    return act_read(name, layout, set, &diag) == TRN_OK ? set : fail(set, &diag);
}

static void list_members(const struct trn_act_set *set, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < set->num_functions && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", set->member[i].name);
}

int act_pick(const struct trn_act_set *set, const char *name)
{
    char members[512] = "";
    if (!name && set->num_functions == 1)
        return 0;
    const int index = name ? trn_act_set_find(set, name) : -1;
    if (index >= 0)
        return index;
    list_members(set, members, sizeof members);
    if (name)
        cli_usage_error("%s has no function '%s'; it has %s", set->name, name, members);
    else
        cli_usage_error("%s has several functions; --func names one of %s", set->name, members);
    return -1;
}

static bool read_bound(const char *text, char **end, float *out)
{
    const char *const digits = *text == '-' ? text + 1 : text;
    if (strncmp(digits, "pi", 2) == 0) {
        *end = (char *)(uintptr_t)digits + 2;
        *out = *text == '-' ? -3.14159274F : 3.14159274F;
        return true;
    }
    *out = strtof(text, end);
    return *end != text && *out == *out;
}

bool act_range(const char *text, float *lo, float *hi)
{
    char *end;
    if (read_bound(text, &end, lo) && *end == ':' && read_bound(end + 1, &end, hi) &&
        *end == '\0' && *lo < *hi)
        return true;
    cli_usage_error("--range takes LO:HI with LO below HI as FP32 (numbers, pi, inf), not '%s'",
                    text);
    return false;
}

const char *act_layout_name(enum trn_act_layout layout)
{
    return layout == TRN_ACT_LAYOUT_SUNDA ? "sunda's layout" : "the later layout";
}

const char *act_number(float value, char text[32])
{
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, 32, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    return text;
}
