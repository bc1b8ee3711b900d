/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 100, INDENT = 2, GAP = 2, NARROWEST = 12, CELL_MAX = 1024, COLUMNS_MAX = 8 };

static const char *const isa_names[] = {"sunda", "cayman", "mariana", "maverick"};

/* ---- values ----------------------------------------------------------------------- */

/* Instruction sets that some row of the column uses; the others are left out of a/b/c/d. */
static unsigned used_isas(const struct trn_manual_value *cells, size_t rows, size_t stride)
{
    unsigned used = 0;
    for (size_t r = 0; r < rows; r++)
        for (unsigned isa = 0; isa < 4; isa++)
            used |= (unsigned)(cells[r * stride].per_isa[isa] >= 0) << isa;
    return used;
}

static bool same_on(const int16_t per_isa[4], unsigned used)
{
    int value = -2;
    for (unsigned isa = 0; isa < 4; isa++)
        if (used >> isa & 1) {
            if (value != -2 && per_isa[isa] != value)
                return false;
            value = per_isa[isa];
        }
    return true;
}

/* "16" where all agree, else "38/38/38/34" with "-" for absent. */
static void per_isa_text(char *out, size_t size, const int16_t per_isa[4], unsigned used)
{
    const bool same = same_on(per_isa, used);
    size_t length = 0;
    *out = '\0';
    for (unsigned isa = 0; isa < 4; isa++) {
        if (!(used >> isa & 1) || (same && length))
            continue;
        const char *slash = length ? "/" : "";
        const int n = per_isa[isa] < 0
                          ? snprintf(out + length, size - length, "%s-", slash)
                          : snprintf(out + length, size - length, "%s%d", slash, per_isa[isa]);
        length += (size_t)n;
    }
}

static void value_to_text(char *out, size_t size, const struct trn_manual_value *value,
                          unsigned used)
{
    switch (value->type) {
    case TRN_MANUAL_TEXT:
    case TRN_MANUAL_LIST:
        snprintf(out, size, "%s", value->text);
        break;
    case TRN_MANUAL_NUMBER:
        snprintf(out, size, "%" PRId64, value->number);
        break;
    case TRN_MANUAL_HEX:
        snprintf(out, size, "0x%0*" PRIX64, (int)value->digits, (uint64_t)value->number);
        break;
    case TRN_MANUAL_BOOL:
        snprintf(out, size, "%s", value->number ? "yes" : "no");
        break;
    case TRN_MANUAL_PER_ISA:
        per_isa_text(out, size, value->per_isa, used);
        break;
    case TRN_MANUAL_NOTHING:
        *out = '\0';
        break;
    }
}

/* ---- wrapped text ----------------------------------------------------------------- */

/* Bytes of `text` that go on a line of `width`, broken at a space or, in a long word, anywhere. */
static size_t line_length(const char *text, size_t width)
{
    const size_t length = strlen(text);
    if (length <= width)
        return length;
    const char *space = memrchr(text, ' ', width + 1);
    return space && space != text ? (size_t)(space - text) : width;
}

/* What follows a line: the blank it was broken at is not printed. */
static const char *next_line(const char *text, size_t length)
{
    text += length;
    while (*text == ' ')
        text++;
    return text;
}

static void print_wrapped(const char *text, int indent)
{
    while (*text) {
        const size_t length = line_length(text, (size_t)(LINE - indent));
        printf("%*s%.*s\n", indent, "", (int)length, text);
        text = next_line(text, length);
    }
}

/* "second_name" as "second name". */
static void print_key(const char *key)
{
    for (; *key; key++)
        putchar(*key == '_' ? ' ' : *key);
}

/* Text of a fact; offsets that differ say whose they are: "47/38 (mariana/maverick)". */
static void fact_text(char *out, size_t size, const struct trn_manual_value *value)
{
    const unsigned used = used_isas(value, 1, 1);
    value_to_text(out, size, value, used);
    if (value->type != TRN_MANUAL_PER_ISA || same_on(value->per_isa, used))
        return;
    const char *separator = " (";
    for (unsigned isa = 0; isa < 4; isa++)
        if (used >> isa & 1) {
            strncat(out, separator, size - strlen(out) - 1);
            strncat(out, isa_names[isa], size - strlen(out) - 1);
            separator = "/";
        }
    strncat(out, ")", size - strlen(out) - 1);
}

static void print_facts(const struct trn_manual_page *page)
{
    int width = 0;
    for (size_t i = 0; i < page->num_facts; i++) {
        const int length = (int)strlen(page->facts[i].key);
        width = length > width ? length : width;
    }
    const int column = INDENT + width + GAP;
    for (size_t i = 0; i < page->num_facts; i++) {
        const struct trn_manual_fact *fact = &page->facts[i];
        char text[CELL_MAX];
        fact_text(text, sizeof text, &fact->value);
        const size_t first = line_length(text, (size_t)(LINE - column));
        printf("%*s", INDENT, "");
        print_key(fact->key);
        printf("%*s%.*s\n", column - INDENT - (int)strlen(fact->key), "", (int)first, text);
        print_wrapped(next_line(text, first), column);
    }
}

/* ---- tables ----------------------------------------------------------------------- */

/* The columns that a table shows; a joined column has none of its own. */
struct grid {
    const struct trn_manual_table *table;
    size_t column[COLUMNS_MAX]; /* in the table */
    size_t width[COLUMNS_MAX];
    unsigned used[COLUMNS_MAX]; /* instruction sets of a per-isa column */
    size_t count;
};

/* Heading of a column: one-letter tags do not deserve a wide one. */
static const char *heading(const struct grid *grid, size_t shown)
{
    const char *key = grid->table->columns[grid->column[shown]].key;
    return strcmp(key, "confidence") == 0 ? "conf" : strcmp(key, "generations") == 0 ? "gens" : key;
}

static const struct trn_manual_value *cell_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->table->cells[row * grid->table->num_columns + column];
}

/* Text of a shown cell: its own and, in brackets, that of a column joined to it. */
static void cell_text(const struct grid *grid, size_t row, size_t shown, char *out, size_t size)
{
    const size_t column = grid->column[shown];
    value_to_text(out, size, cell_at(grid, row, column), grid->used[shown]);
    if (column + 1 == grid->table->num_columns ||
        grid->table->columns[column + 1].style != TRN_MANUAL_COLUMN_JOINED)
        return;
    char joined[CELL_MAX];
    value_to_text(joined, sizeof joined, cell_at(grid, row, column + 1), 0);
    const size_t length = strlen(out), room = size - length;
    if (*joined &&
        (size_t)snprintf(out + length, room, "%s[%s]", length ? " " : "", joined) >= room)
        memcpy(out + size - 5, "...]", 5);
}

static size_t widest_cell(const struct grid *grid, size_t shown)
{
    char text[CELL_MAX];
    size_t width = strlen(heading(grid, shown));
    for (size_t row = 0; row < grid->table->num_rows; row++) {
        cell_text(grid, row, shown, text, sizeof text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return width;
}

/* Takes from the widest column until the table fits the line. */
static void fit(struct grid *grid)
{
    size_t total = INDENT;
    for (size_t i = 0; i < grid->count; i++)
        total += grid->width[i] + (i ? GAP : 0);
    for (; total > LINE; total--) {
        size_t widest = 0;
        for (size_t i = 1; i < grid->count; i++)
            if (grid->width[i] >= grid->width[widest])
                widest = i;
        if (grid->width[widest] <= NARROWEST)
            return;
        grid->width[widest]--;
    }
}

static struct grid lay_out(const struct trn_manual_table *table)
{
    struct grid grid = {.table = table};
    for (size_t c = 0; c < table->num_columns && grid.count < COLUMNS_MAX; c++)
        if (table->columns[c].style == TRN_MANUAL_COLUMN_PLAIN) {
            grid.used[grid.count] =
                used_isas(table->cells + c, table->num_rows, table->num_columns);
            grid.column[grid.count++] = c;
        }
    for (size_t i = 0; i < grid.count; i++)
        grid.width[i] = widest_cell(&grid, i);
    fit(&grid);
    return grid;
}

/* One row, as many lines as its longest cell needs. */
static void print_row(const struct grid *grid, char (*texts)[CELL_MAX])
{
    const char *rest[COLUMNS_MAX];
    for (size_t i = 0; i < grid->count; i++)
        rest[i] = texts[i];
    for (bool more = true; more;) {
        int blanks = INDENT;
        more = false;
        for (size_t i = 0; i < grid->count; i++) {
            const size_t length = line_length(rest[i], grid->width[i]);
            if (length) {
                printf("%*s%.*s", blanks, "", (int)length, rest[i]);
                blanks = 0;
            }
            blanks += (int)(grid->width[i] - length) + GAP;
            rest[i] = next_line(rest[i], length);
            more = more || *rest[i];
        }
        putchar('\n');
    }
}

static void print_rows(const struct grid *grid)
{
    char texts[COLUMNS_MAX][CELL_MAX];
    for (size_t i = 0; i < grid->count; i++) {
        snprintf(texts[i], CELL_MAX, "%s", heading(grid, i));
        for (char *c = texts[i]; *c; c++)
            *c = *c == '_' ? ' ' : *c;
    }
    print_row(grid, texts);
    for (size_t row = 0; row < grid->table->num_rows; row++) {
        for (size_t i = 0; i < grid->count; i++)
            cell_text(grid, row, i, texts[i], CELL_MAX);
        print_row(grid, texts);
    }
}

/* Says what a/b/c/d means, when some cell is printed like that. */
static void print_isa_legend(const struct grid *grid)
{
    for (size_t i = 0; i < grid->count; i++)
        for (size_t row = 0; row < grid->table->num_rows; row++) {
            const struct trn_manual_value *cell = cell_at(grid, row, grid->column[i]);
            if (cell->type != TRN_MANUAL_PER_ISA || same_on(cell->per_isa, grid->used[i]))
                continue;
            const char *separator = " (";
            for (unsigned isa = 0; isa < 4; isa++)
                if (grid->used[i] >> isa & 1) {
                    printf("%s%s", separator, isa_names[isa]);
                    separator = "/";
                }
            fputs(" where they differ)", stdout);
            return;
        }
}

static void print_table(const struct trn_manual_table *table)
{
    const struct grid grid = lay_out(table);
    if (grid.count == 0)
        return;
    putchar('\n');
    print_key(table->key);
    print_isa_legend(&grid);
    putchar('\n');
    print_rows(&grid);
}

void explain_print_page(const struct trn_manual_page *page)
{
    printf("%s  (", page->name);
    print_key(trn_manual_kind_name(page->kind));
    puts(")");
    print_wrapped(page->summary, INDENT);
    print_facts(page);
    for (size_t i = 0; i < page->num_tables; i++)
        print_table(&page->tables[i]);
}

/* ---- overview --------------------------------------------------------------------- */

static const struct trn_manual_column overview_columns[] = {
    {"name", TRN_MANUAL_COLUMN_PLAIN},  {"offset", TRN_MANUAL_COLUMN_PLAIN},
    {"bits", TRN_MANUAL_COLUMN_PLAIN},  {"type", TRN_MANUAL_COLUMN_PLAIN},
    {"value", TRN_MANUAL_COLUMN_PLAIN}, {"summary", TRN_MANUAL_COLUMN_PLAIN},
};

enum { OVERVIEW_COLUMNS = sizeof overview_columns / sizeof overview_columns[0] };

static struct trn_manual_value page_value(const struct trn_manual_page *page, const char *key)
{
    if (strcmp(key, "name") == 0)
        return (struct trn_manual_value){.type = TRN_MANUAL_TEXT, .text = page->name};
    if (strcmp(key, "summary") == 0)
        return (struct trn_manual_value){.type = TRN_MANUAL_TEXT, .text = page->summary};
    for (size_t i = 0; i < page->num_facts; i++)
        if (strcmp(page->facts[i].key, key) == 0)
            return page->facts[i].value;
    return (struct trn_manual_value){.type = TRN_MANUAL_NOTHING};
}

/* Which columns have something to say about these entries. */
static size_t useful_columns(struct trn_manual_page *const *pages, size_t count,
                             struct trn_manual_column *columns)
{
    size_t useful = 0;
    for (size_t c = 0; c < OVERVIEW_COLUMNS; c++)
        for (size_t i = 0; i < count; i++) {
            const struct trn_manual_value value = page_value(pages[i], overview_columns[c].key);
            if (value.type == TRN_MANUAL_NOTHING || (value.text && *value.text == '\0'))
                continue;
            columns[useful++] = overview_columns[c];
            break;
        }
    return useful;
}

void explain_print_overview(const char *kind, struct trn_manual_page *const *pages, size_t count)
{
    struct trn_manual_column columns[OVERVIEW_COLUMNS];
    const size_t width = useful_columns(pages, count, columns);
    struct trn_manual_value *cells = calloc(count * width, sizeof *cells);
    if (!cells)
        return;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < width; c++)
            cells[i * width + c] = page_value(pages[i], columns[c].key);
    const struct trn_manual_table table = {"", columns, width, cells, count};
    const struct grid grid = lay_out(&table);
    printf("%zu ", count);
    print_key(kind);
    fputs(" entries", stdout);
    print_isa_legend(&grid);
    putchar('\n');
    print_rows(&grid);
    free(cells);
}
