/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing by precedence with an explicit stack: no recursion on input. */
#include "act/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI_L 3.141592653589793238462643383279502884L
#define E_L  2.718281828459045235360287471352662498L

enum { MAX_PENDING = 128 };

/* What waits for its operands: an operator, an open parenthesis or a call. */
struct pending {
    char symbol;                              /* + - * / ^ ~ (sign) ( */
    const struct trn_expr_function *function; /* of a call's parenthesis */
    unsigned arguments;                       /* begun so far */
    size_t column;
};

struct parser {
    const char *text;
    size_t at;
    struct trn_expr *out;
    unsigned depth; /* values on the stack when the program has run so far */
    struct pending pending[MAX_PENDING];
    unsigned num_pending;
    struct trn_diag *diag;
};

/* ---- errors -----------------------------------------------------------------------------------
 */

static trn_status refuse(struct parser *p, trn_status status, size_t column, const char *message,
                         const char *expected)
{
    char where[48];
    snprintf(where, sizeof where, "expression:1:%zu", column + 1);
    return trn_diag_set(p->diag, status, where, "ACT_EXPRESSION", expected, "%s", message);
}

static trn_status unexpected(struct parser *p, const char *expected)
{
    char message[96];
    const char c = p->text[p->at];
    if (c == '\0')
        snprintf(message, sizeof message, "the expression ends too early");
    else if (isprint((unsigned char)c))
        snprintf(message, sizeof message, "unexpected '%c'", c);
    else
        snprintf(message, sizeof message, "unexpected byte 0x%02X", (unsigned char)c);
    return refuse(p, TRN_ERR_INVALID, p->at, message, expected);
}

static trn_status unknown_name(struct parser *p, size_t length)
{
    char message[96], expected[256] = "x, pi, e";
    snprintf(message, sizeof message, "no function or constant is called '%.*s'",
             (int)(length < 40 ? length : 40), p->text + p->at);
    size_t used = strlen(expected);
    for (size_t i = 0; i < trn_num_expr_functions && used < sizeof expected; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, ", %s",
                                 trn_expr_functions[i].name);
    return refuse(p, TRN_ERR_INVALID, p->at, message, expected);
}

/* ---- emitting steps ---------------------------------------------------------------------------
 */

static trn_status emit(struct parser *p, struct trn_expr_step step, unsigned takes)
{
    if (p->out->num_steps == TRN_EXPR_MAX_STEPS)
        return refuse(p, TRN_ERR_TOO_LARGE, p->at, "the expression has too many steps",
                      "at most 256 numbers, operators and calls");
    p->depth = p->depth - takes + 1;
    if (p->depth > TRN_EXPR_MAX_DEPTH)
        return refuse(p, TRN_ERR_TOO_LARGE, p->at, "the expression is nested too deeply",
                      "at most 32 values wait for an operator");
    p->out->steps[p->out->num_steps++] = step;
    return TRN_OK;
}

static enum trn_expr_kind kind_of(char symbol)
{
    switch (symbol) {
    case '+':
        return TRN_EXPR_ADD;
    case '-':
        return TRN_EXPR_SUBTRACT;
    case '*':
        return TRN_EXPR_MULTIPLY;
    case '/':
        return TRN_EXPR_DIVIDE;
    case '^':
        return TRN_EXPR_POWER;
    default:
        return TRN_EXPR_NEGATE;
    }
}

static int precedence(char symbol)
{
    switch (symbol) {
    case '+':
    case '-':
        return 1;
    case '*':
    case '/':
        return 2;
    case '~':
        return 3;
    case '^':
        return 4;
    default:
        return 0; /* a parenthesis */
    }
}

static trn_status push(struct parser *p, struct pending pending)
{
    if (p->num_pending == MAX_PENDING)
        return refuse(p, TRN_ERR_TOO_LARGE, p->at, "the expression is nested too deeply",
                      "at most 128 operators and parentheses wait for their operands");
    p->pending[p->num_pending++] = pending;
    return TRN_OK;
}

static trn_status pop_operator(struct parser *p)
{
    const char symbol = p->pending[--p->num_pending].symbol;
    return emit(p, (struct trn_expr_step){.kind = kind_of(symbol)}, symbol == '~' ? 1 : 2);
}

/* Emit what binds at least as strongly as `symbol`; ^ groups from the right. */
static trn_status pop_stronger(struct parser *p, char symbol)
{
    while (p->num_pending) {
        const int top = precedence(p->pending[p->num_pending - 1].symbol);
        if (top < precedence(symbol) || (top == precedence(symbol) && symbol == '^') || top == 0)
            break;
        const trn_status status = pop_operator(p);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

/* ---- operands ---------------------------------------------------------------------------------
 */

static trn_status parse_number(struct parser *p)
{
    char *end;
    const long double value = strtold(p->text + p->at, &end);
    if (end == p->text + p->at)
        return unexpected(p, "a digit");
    if (!isfinite(value))
        return refuse(p, TRN_ERR_RANGE, p->at, "the number is too large", "a finite number");
    p->at = (size_t)(end - p->text);
    return emit(p, (struct trn_expr_step){.kind = TRN_EXPR_NUMBER, .number = value}, 0);
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}

static void skip_space(struct parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\t')
        p->at++;
}

static bool is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

static trn_status parse_call(struct parser *p, const struct trn_expr_function *function)
{
    skip_space(p);
    if (p->text[p->at] != '(')
        return unexpected(p, "'(' after the name of a function");
    const struct pending call = {'(', function, 1, p->at};
    p->at++;
    return push(p, call);
}

/* Sets *operand when a value is complete. */
static trn_status parse_name(struct parser *p, bool *operand)
{
    const char *const name = p->text + p->at;
    const size_t length = name_length(name);
    struct trn_expr_step step = {.kind = TRN_EXPR_NUMBER};
    if (is_name(name, length, "x"))
        step.kind = TRN_EXPR_X;
    else if (is_name(name, length, "pi"))
        step.number = PI_L;
    else if (is_name(name, length, "e"))
        step.number = E_L;
    else {
        const struct trn_expr_function *const function = trn_expr_function_find(name, length);
        if (!function)
            return unknown_name(p, length);
        p->at += length;
        return parse_call(p, function);
    }
    p->at += length;
    *operand = true;
    return emit(p, step, 0);
}

/* One token where a value must begin. */
static trn_status parse_operand(struct parser *p, bool *operand)
{
    const char c = p->text[p->at];
    if (isdigit((unsigned char)c) || c == '.') {
        *operand = true;
        return parse_number(p);
    }
    if (isalpha((unsigned char)c) || c == '_')
        return parse_name(p, operand);
    if (c != '(' && c != '-' && c != '+')
        return unexpected(p, "a number, x, a constant, a function or '('");
    const struct pending pending = {c == '-' ? '~' : c, NULL, 0, p->at};
    p->at++;
    return c == '+' ? TRN_OK : push(p, pending);
}

/* ---- what follows an operand ------------------------------------------------------------------
 */

static trn_status parse_comma(struct parser *p, bool *operand)
{
    const trn_status status = pop_stronger(p, '(');
    if (status != TRN_OK)
        return status;
    struct pending *const open = p->num_pending ? &p->pending[p->num_pending - 1] : NULL;
    if (!open || !open->function || open->arguments == open->function->num_arguments)
        return unexpected(p, open && open->function ? "')': the function has no more arguments"
                                                    : "an operator (+ - * / ^)");
    open->arguments++;
    p->at++;
    *operand = false;
    return TRN_OK;
}

static trn_status parse_close(struct parser *p)
{
    const trn_status status = pop_stronger(p, '(');
    if (status != TRN_OK)
        return status;
    if (p->num_pending == 0)
        return refuse(p, TRN_ERR_INVALID, p->at, "')' without '('", NULL);
    const struct pending open = p->pending[p->num_pending - 1];
    if (open.function && open.arguments != open.function->num_arguments)
        return unexpected(p, "',' and the second argument");
    p->num_pending--;
    p->at++;
    if (!open.function)
        return TRN_OK;
    return emit(p, (struct trn_expr_step){.kind = TRN_EXPR_CALL, .function = open.function},
                open.function->num_arguments);
}

static trn_status parse_operator(struct parser *p, bool *operand)
{
    const char c = p->text[p->at];
    if (c == ',')
        return parse_comma(p, operand);
    if (c == ')')
        return parse_close(p);
    if (c == '\0' || !strchr("+-*/^", c))
        return unexpected(p, p->num_pending ? "an operator (+ - * / ^), ',' or ')'"
                                            : "an operator (+ - * / ^)");
    const trn_status status = pop_stronger(p, c);
    if (status != TRN_OK)
        return status;
    *operand = false;
    const struct pending pending = {c, NULL, 0, p->at};
    p->at++;
    return push(p, pending);
}

static trn_status finish(struct parser *p)
{
    const trn_status status = pop_stronger(p, '(');
    if (status != TRN_OK || p->num_pending == 0)
        return status;
    return refuse(p, TRN_ERR_INVALID, p->pending[p->num_pending - 1].column, "'(' is never closed",
                  "')'");
}

trn_status trn_expr_parse(const char *text, struct trn_expr *out, struct trn_diag *diag)
{
    struct parser p = {.text = text, .out = out, .diag = diag};
    out->num_steps = 0;
    if (strlen(text) > TRN_EXPR_MAX_TEXT)
        return refuse(&p, TRN_ERR_TOO_LARGE, TRN_EXPR_MAX_TEXT, "the expression is too long",
                      "at most 255 characters");
    bool operand = false; /* the last token ended a value */
    for (;;) {
        skip_space(&p);
        if (text[p.at] == '\0' && operand)
            return finish(&p);
        const trn_status status =
            operand ? parse_operator(&p, &operand) : parse_operand(&p, &operand);
        if (status != TRN_OK)
            return status;
    }
}

/* ---- evaluation -------------------------------------------------------------------------------
 */

static long double call_value(const struct trn_expr_function *f, const long double *arguments)
{
    if (f->value)
        return f->value(arguments[0]);
    const struct trn_jet a = trn_jet_constant(arguments[0]);
    const struct trn_jet b = trn_jet_constant(f->num_arguments > 1 ? arguments[1] : 0);
    return f->jet(a, b, 0).c[0];
}

static unsigned value_step(const struct trn_expr_step *step, long double x, long double *stack,
                           unsigned depth)
{
    long double *const top = stack + depth - 1;
    switch (step->kind) {
    case TRN_EXPR_NUMBER:
        stack[depth] = step->number;
        return depth + 1;
    case TRN_EXPR_X:
        stack[depth] = x;
        return depth + 1;
    case TRN_EXPR_NEGATE:
        *top = -*top;
        return depth;
    case TRN_EXPR_ADD:
        top[-1] += *top;
        break;
    case TRN_EXPR_SUBTRACT:
        top[-1] -= *top;
        break;
    case TRN_EXPR_MULTIPLY:
        top[-1] *= *top;
        break;
    case TRN_EXPR_DIVIDE:
        top[-1] /= *top;
        break;
    case TRN_EXPR_POWER:
        top[-1] = *top == 2 ? top[-1] * top[-1] : powl(top[-1], *top);
        break;
    case TRN_EXPR_CALL:
        depth -= step->function->num_arguments;
        stack[depth] = call_value(step->function, stack + depth);
        return depth + 1;
    }
    return depth - 1;
}

long double trn_expr_value(const struct trn_expr *expr, long double x)
{
    long double stack[TRN_EXPR_MAX_DEPTH + 1] = {0};
    unsigned depth = 0;
    for (unsigned i = 0; i < expr->num_steps; i++)
        depth = value_step(&expr->steps[i], x, stack, depth);
    return stack[0];
}

static struct trn_jet call_jet(const struct trn_expr_function *f, const struct trn_jet *arguments,
                               int direction)
{
    if (f->derivatives)
        return trn_jet_compose(f->derivatives(arguments[0].c[0]), arguments[0]);
    return f->jet(arguments[0], arguments[f->num_arguments - 1], direction);
}

static struct trn_jet binary_jet(enum trn_expr_kind kind, struct trn_jet a, struct trn_jet b)
{
    switch (kind) {
    case TRN_EXPR_ADD:
        return trn_jet_add(a, b);
    case TRN_EXPR_SUBTRACT:
        return trn_jet_subtract(a, b);
    case TRN_EXPR_MULTIPLY:
        return trn_jet_multiply(a, b);
    case TRN_EXPR_DIVIDE:
        return trn_jet_divide(a, b);
    default:
        return trn_expr_power(a, b);
    }
}

struct trn_jet trn_expr_jet(const struct trn_expr *expr, long double x, int direction)
{
    struct trn_jet stack[TRN_EXPR_MAX_DEPTH + 1] = {0};
    unsigned depth = 0;
    for (unsigned i = 0; i < expr->num_steps; i++) {
        const struct trn_expr_step *const step = &expr->steps[i];
        switch (step->kind) {
        case TRN_EXPR_NUMBER:
            stack[depth++] = trn_jet_constant(step->number);
            break;
        case TRN_EXPR_X:
            stack[depth++] = (struct trn_jet){{x, 1}};
            break;
        case TRN_EXPR_NEGATE:
            stack[depth - 1] = trn_jet_scale(stack[depth - 1], -1);
            break;
        case TRN_EXPR_CALL:
            depth -= step->function->num_arguments;
            stack[depth] = call_jet(step->function, stack + depth, direction);
            depth++;
            break;
        default:
            depth--;
            stack[depth - 1] = binary_jet(step->kind, stack[depth - 1], stack[depth]);
        }
    }
    return stack[0];
}
