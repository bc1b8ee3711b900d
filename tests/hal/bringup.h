/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of a bring-up share: a handle over a fake bus, test images, the default plan. */
#ifndef TESTS_HAL_BRINGUP_H
#define TESTS_HAL_BRINGUP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/fake_bus.h"

enum { TOPSP_IMAGES = TRN_HAL_ENGINES };

/* Apertures of one generation's images (hal-stpb.md 8.3, 14.2); what a region is filled to. */
enum image_region { SEQ_IRAM, SEQ_DRAM, Q7_IRAM, Q7_DRAM, CAM, PROFILE, IMAGE_REGIONS };

struct rig {
    struct fake_bus bus;
    const struct trn_gen *gen;
    struct trn_hal *hal;
    void *image[TRN_HAL_ENGINES + 1][IMAGE_REGIONS];
    struct trn_hal_stpb stpb;
    unsigned core;
};

/* A latched handle for `gen` over a fake bus, with images and the defaults of a core. */
void rig_open(struct rig *rig, const char *gen, unsigned core);
void rig_close(struct rig *rig);
/* A new handle and an empty bus for another try; context and images stay. */
void rig_again(struct rig *rig);
/* Aperture of a region of the generation, 0 where there is none. */
uint64_t rig_cap(const struct rig *rig, enum image_region region);
/* The engine's argument, out of the rig's context. */
struct trn_hal_engine_config rig_engine(struct rig *rig, int engine);
/* A TopSP's, with images. */
struct trn_hal_engine_config rig_topsp(struct rig *rig, unsigned topsp);
/* The whole bring-up of the rig's core. */
trn_status rig_bringup(struct rig *rig, struct trn_hal_bringup_result *result);
/* BAR0 offsets by the tables of address-map.md, typed here. */
uint64_t rig_local(const struct rig *rig, int engine);

#endif
