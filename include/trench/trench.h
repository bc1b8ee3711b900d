/* SPDX-License-Identifier: Apache-2.0 */
/** trench/trench.h - the whole public interface, one header a room. */
#ifndef TRENCH_TRENCH_H
#define TRENCH_TRENCH_H

#include "trench/act.h"
#include "trench/base.h"
#include "trench/bus.h"
#include "trench/choices.h"
#include "trench/cptc.h"
#include "trench/device.h"
#include "trench/dge.h"
#include "trench/drain.h"
#include "trench/enums.h"
#include "trench/fw.h"
#include "trench/fw_code.h"
#include "trench/fw_data.h"
#include "trench/gen.h"
#include "trench/hal.h"
#include "trench/isa.h"
#include "trench/manual.h"
#include "trench/map.h"
#include "trench/mem.h"
#include "trench/notify.h"
#include "trench/npy.h"
#include "trench/num.h"
#include "trench/pci.h"
#include "trench/trace.h"
#include "trench/ucode.h"
#include "trench/udma.h"
#include "trench/vector.h"

#endif
