/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's build lists here the names of target options that code for all targets must not use. */
