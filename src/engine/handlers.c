/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "engine/exec.h"
#include "engine/vector/words.h"

static trn_handler find(const struct trn_engine_op *ops, uint8_t opcode)
{
    for (; ops->run; ops++)
        if (ops->opcode == opcode)
            return ops->run;
    return NULL;
}

trn_handler trn_engine_handler(uint8_t opcode)
{
    const struct trn_engine_op *const lists[] = {trn_pe_ops, trn_vector_ops, trn_act_ops,
                                                 trn_pool_ops};
    trn_handler found = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !found; i++)
        found = find(lists[i], opcode);
    return found;
}

bool trn_engine_follows(trn_handler handler)
{
    return handler == trn_run_tensor_scalar;
}

trn_status trn_exec_fault(struct trn_exec *x, enum trn_fault_class klass, const char *rule,
                          const char *format, ...)
{
    struct trn_fault *fault = x->fault;
    fault->klass = klass;
    fault->engine = x->engine;
    fault->pc = x->regs->pc;
    snprintf(fault->rule, sizeof fault->rule, "%s", rule ? rule : "");
    va_list args;
    va_start(args, format);
    vsnprintf(fault->message, sizeof fault->message, format, args);
    va_end(args);
    return TRN_ERR_FAULT;
}
