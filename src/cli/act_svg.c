/* SPDX-License-Identifier: Apache-2.0 */
/* Two panels over the same inputs: the function with its table, and the error. */
#include "cli/act_svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 860, LEFT = 90, RIGHT = 830, TICKS = 5 };

struct panel {
    int top, bottom;
    double x0, x1, y0, y1;
};

static double place_x(const struct panel *p, double x)
{
    return LEFT + (RIGHT - LEFT) * (x - p->x0) / (p->x1 - p->x0);
}

static double place_y(const struct panel *p, double y)
{
    return p->bottom - (p->bottom - p->top) * (y - p->y0) / (p->y1 - p->y0);
}

/* Lowest and highest finite value of `n`, widened to a panel that has a height. */
static void set_heights(struct panel *p, const double *y)
{
    p->y0 = INFINITY;
    p->y1 = -INFINITY;
    for (int i = 0; i < ACT_POINTS; i++) {
        if (!isfinite(y[i]))
            continue;
        p->y0 = fmin(p->y0, y[i]);
        p->y1 = fmax(p->y1, y[i]);
    }
    if (!(p->y0 <= p->y1))
        p->y0 = p->y1 = 0;
    const double margin = p->y1 > p->y0 ? (p->y1 - p->y0) * 0.05 : fmax(fabs(p->y0), 1e-30);
    p->y0 -= margin;
    p->y1 += margin;
}

static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *const escaped = *text == '&'   ? "&amp;"
                                    : *text == '<' ? "&lt;"
                                    : *text == '>' ? "&gt;"
                                                   : NULL;
        if (escaped)
            fputs(escaped, out);
        else
            fputc(*text, out);
    }
}

static void put_axes(FILE *out, const struct panel *p, const char *label)
{
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n", LEFT,
            p->top, RIGHT - LEFT, p->bottom - p->top);
    for (int i = 0; i <= TICKS; i++) {
        const double x = p->x0 + (p->x1 - p->x0) * i / TICKS;
        const double y = p->y0 + (p->y1 - p->y0) * i / TICKS;
        fprintf(out,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                place_x(p, x), p->bottom + 16, x, LEFT - 6, place_y(p, y) + 4, y);
    }
    if (p->y0 < 0 && p->y1 > 0)
        fprintf(out, "<path class=\"zero\" d=\"M%d %.1fH%d\"/>\n", LEFT, place_y(p, 0), RIGHT);
    fprintf(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT + 8, p->top + 16, label);
}

/* A line through the finite points; a gap where there is none. */
static void put_curve(FILE *out, const struct panel *p, const char *class, const float *x,
                      const double *y)
{
    bool pen_down = false;
    fprintf(out, "<path class=\"%s\" d=\"", class);
    for (int i = 0; i < ACT_POINTS; i++) {
        const bool visible = y[i] >= p->y0 && y[i] <= p->y1;
        if (visible)
            fprintf(out, "%s%.2f %.2f", pen_down ? "L" : "M", place_x(p, (double)x[i]),
                    place_y(p, y[i]));
        pen_down = visible;
    }
    fputs("\"/>\n", out);
}

static void put_head(FILE *out, const struct trn_act_member *member)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d 620\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.frame{fill:none;stroke:#888}.zero{stroke:#bbb;stroke-dasharray:3 3}"
            ".exact{fill:none;stroke:#9ecae1;stroke-width:5}.table{fill:none;stroke:#08519c;"
            "stroke-width:1.2}.error{fill:none;stroke:#a50f15}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"24\" font-size=\"15\">",
            WIDTH, LEFT);
    put_text(out, member->name);
    fputs(" = ", out);
    put_text(out, member->expression);
    fputs("</text>\n", out);
}

void act_svg(FILE *out, const struct trn_act_member *member, const struct act_curves *curves)
{
    double table[ACT_POINTS];
    for (int i = 0; i < ACT_POINTS; i++)
        table[i] = (double)curves->table[i];
    struct panel upper = {.top = 40, .bottom = 330};
    struct panel lower = {.top = 370, .bottom = 580};
    upper.x0 = lower.x0 = (double)curves->x[0];
    upper.x1 = lower.x1 = (double)curves->x[ACT_POINTS - 1];
    set_heights(&upper, curves->exact);
    set_heights(&lower, curves->error);
    put_head(out, member);
    put_axes(out, &upper, "the function (wide) and the table (narrow)");
    put_curve(out, &upper, "exact", curves->x, curves->exact);
    put_curve(out, &upper, "table", curves->x, table);
    put_axes(out, &lower, "table - function");
    put_curve(out, &lower, "error", curves->x, curves->error);
    fputs("</svg>\n", out);
}
