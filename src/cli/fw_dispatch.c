/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw dispatch: instruction census and dispatch flavour, with the evidence
 * (docs/hardware/firmware-images.md 7, 8). */
#include <inttypes.h>
#include <string.h>

#include "cli/fw_dispatch.h"

enum { OPT_DATA = 256, OPT_LONG, DETAILED = 4 };

static const struct argp_option argp_options[] = {
    {"data", OPT_DATA, "FILE", 0, "data image of a flat code image: counts the slots of its tables",
     0},
    {"long", OPT_LONG, NULL, 0, "all evidence, however many images", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct fw_dispatch *const dispatch = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &dispatch->code;
        return 0;
    case OPT_DATA:
        dispatch->data_path = arg;
        return 0;
    case OPT_LONG:
        dispatch->detailed = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fw_code_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    argp_options,
    parse,
    "FILE...",
    "Classify the dispatch of code images by the census of their bytes, and print both censuses: "
    "byte patterns (exact, at every offset) and instructions (by linear sweep).\v"
    "S, A65, A48, M177, M169, M186 count sub a2,a2,a3; addi a2,a2,-65; addi a2,a2,-48 and movi "
    "a3,177 (169, 186). Rules are tried in order: 1 a table site addi, movi, bgeu; 2 S = 1, A65 = "
    "0, M177 = 0: SEGMENTED; 3 at least 12 arms of compares: RAW; 4 S >= 1: SEGMENTED; 5 UNKNOWN. "
    "Vector operations lie in bundle slots, which are not decoded: their published counts cannot "
    "be "
    "had here. One line an image where there are more than four, without --long. JSON schema: "
    "trench.fw.dispatch/1. Exit status: 0 done (UNKNOWN is an answer: bundled code hides its "
    "pattern), 1 no code is there, 2 usage or bad input.",
    children,
    NULL,
    NULL};

/* ---- one image -------------------------------------------------------------------- */

static bool data_for(const struct fw_dispatch *dispatch, const struct trn_fw *fw,
                     const struct trn_fw_image *image, const uint8_t **bytes, size_t *size)
{
    const struct trn_fw_image *const data =
        dispatch->data ? trn_fw_image(dispatch->data, 0) : fw_code_data_of(fw, image);
    *bytes = data ? data->bytes : NULL;
    *size = data ? (size_t)data->size : 0;
    return data != NULL;
}

static int show(struct fw_dispatch *dispatch, const struct trn_fw_image *image,
                const struct trn_xtensa_code *code, const char *section, const uint8_t *data,
                size_t data_size)
{
    struct trn_fw_dispatch_report report;
    struct trn_diag diag = {0};
    if (trn_fw_dispatch_classify(code, data, data_size, &report, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    if (dispatch->images)
        fw_dispatch_json(dispatch, image, section, &report);
    else
        fw_dispatch_print(dispatch, image, section, &report);
    dispatch->shown++;
    return CLI_OK;
}

static int visit(void *context, struct trn_fw *fw, const struct trn_fw_image *image)
{
    struct fw_dispatch *const dispatch = context;
    struct trn_xtensa_code section;
    const uint8_t *data;
    const char *name;
    size_t data_size;
    int worst = CLI_OK;
    if (!fw_code_holds_code(image))
        return CLI_OK;
    struct trn_fw_code *const code = fw_code_open(image);
    if (!code)
        return CLI_USAGE;
    data_for(dispatch, fw, image, &data, &data_size);
    for (size_t i = 0;
         worst != CLI_USAGE && fw_code_section(code, i, &dispatch->code, &section, &name); i++) {
        const int status = show(dispatch, image, &section, name, data, data_size);
        worst = status > worst ? status : worst;
    }
    trn_fw_code_close(code);
    return worst;
}

static int count(void *context, struct trn_fw *fw, const struct trn_fw_image *image)
{
    (void)fw;
    *(size_t *)context += fw_code_holds_code(image);
    return CLI_OK;
}

/* ---- all of them ------------------------------------------------------------------ */

static int run(struct fw_dispatch *dispatch)
{
    size_t images = 0;
    int status = fw_code_each(&dispatch->code, count, &images);
    if (status != CLI_OK)
        return status;
    dispatch->detailed = dispatch->detailed || images <= DETAILED;
    status = fw_code_each(&dispatch->code, visit, dispatch);
    if (status == CLI_OK && dispatch->shown == 0) {
        fputs("trench: error: no code image in there\n", stderr);
        return CLI_DOES_NOT_HOLD;
    }
    return status;
}

int fw_dispatch(int argc, char **argv)
{
    struct fw_dispatch dispatch = {.code = {.core = -1}};
    int status = cli_parse(&argp, argc, argv, &dispatch);
    if (status)
        return status;
    if (dispatch.data_path) {
        dispatch.data = fw_open(dispatch.data_path);
        if (!dispatch.data)
            return CLI_USAGE;
    }
    if (dispatch.code.json)
        dispatch.images = json_array();
    status = run(&dispatch);
    if (dispatch.images && status != CLI_USAGE)
        cli_print_json(
            json_pack("{ss so}", "schema", "trench.fw.dispatch/1", "images", dispatch.images));
    else
        json_decref(dispatch.images);
    trn_fw_close(dispatch.data);
    return status;
}
