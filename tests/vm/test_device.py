#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The trench device inside QEMU, without a guest: places of BARs, sizes of accesses, DMA, reset of the
machine, plugging and unplugging, refused options, refused programs. Right values: pci-function.md
sections 1, 2, 4, 4.1; address-map.md 7. Needs `make vm-parts`; TRENCH_BUILD says where they are."""
import os
import struct
import subprocess
import tempfile
import unittest

from qmachine import OBJECT, Machine, preloaded, refusal

GIB = 1 << 30
BAR0_AT, BAR4_AT = 1 << 36, 1 << 38  # above memory, multiples of the lengths
MAILBOX = {  # MISC RAM: BAR0 offset, host bit, READ of word 0 with sequence number 2 (4.1)
    "sunda": (0x30FA0000, 1 << 44, "02011000795887d30000faf0ff0f0000"),
    "cayman": (0x6C84000, 1 << 46, "020110003ca8585c0040c80680000000"),
}
# The first 64 bytes of configuration space after power-on, written by hand from section 1: vendor,
# device, command 0, status 0, revision 0, class 088000, one function, 64-bit BARs 0 and 4 (4
# prefetchable), subsystem 1D0F / device id, no capability, no interrupt.
HEADER = ("0f1d{0}00000000 00008008 00000000" "04000000 00000000 00000000 00000000"
          "0c000000 00000000 00000000 0f1d{0}" "00000000 00000000 00000000 00000000")


class Shape(unittest.TestCase):
    def check(self, gen, device_id, bar0, bar4):
        with Machine(f"trench,gen={gen}") as machine:
            self.assertEqual(machine.config_bytes(2, 64).hex(),
                             HEADER.format(device_id).replace(" ", ""))
            sizes = [machine.bar_size(2, bar) for bar in (0, 2, 4)]
            self.assertEqual(sizes, [bar0, 0, bar4])

    def test_sunda(self):
        self.check("sunda", "6471", 1 * GIB, 32 * GIB)

    def test_cayman(self):
        self.check("cayman", "6473", 4 * GIB, 256 * GIB)

    def test_mariana(self):
        self.check("mariana", "6475", 4 * GIB, 256 * GIB)

    def test_mariana_plus(self):
        self.check("mariana_plus", "6575", 4 * GIB, 256 * GIB)

    def test_inferentia(self):
        self.check("sunda,model=inf2", "6472", 1 * GIB, 32 * GIB)

    def test_bar4_can_be_small(self):
        with Machine("trench,gen=cayman,revision=255,bar4-size=64M") as machine:
            self.assertEqual(machine.config_read(2, 8, 1), 0xFF)
            sizes = [machine.bar_size(2, bar) for bar in (0, 2, 4)]
            self.assertEqual(sizes, [0, 4 * GIB, 64 << 20])  # QEMU mode: registers are BAR 2


def placed(gen, more=""):
    machine = Machine(f"trench,gen={gen}{more}")
    machine.place_bar(2, 0, BAR0_AT)
    machine.place_bar(2, 4, BAR4_AT)
    machine.enable(2)
    return machine


class Accesses(unittest.TestCase):
    def test_memory_takes_every_size(self):
        with placed("sunda") as machine:
            machine.write(BAR4_AT + 0x1000003, 1, 0x5A)
            machine.write(BAR4_AT + 0x1000004, 4, 0x01020304)
            machine.write(BAR4_AT + 0x1000008, 8, 0x1112131415161718)
            self.assertEqual(machine.read_bytes(BAR4_AT + 0x1000003, 13).hex(),
                             "5a" "04030201" "1817161514131211")
            self.assertEqual(machine.read(BAR4_AT + 0x1000006, 2), 0x0102)

    def test_second_channel_of_hbm_is_packed_behind_the_first(self):
        with placed("sunda") as machine:
            machine.write(BAR4_AT + 0x400000000, 4, 0xABCD)
            self.assertEqual(machine.read(BAR4_AT + 0x400000000, 4), 0xABCD)
            self.assertEqual(machine.read(BAR4_AT, 4), 0)

    def test_what_nobody_owns_reads_deadbeef(self):
        with placed("sunda") as machine:
            self.assertEqual(machine.read(BAR0_AT + 0x3F000000, 4), 0xDEADBEEF)

    def test_registers_do_not_answer_bytes(self):
        with placed("sunda") as machine:
            self.assertEqual(machine.read(BAR0_AT + 0x30FA0000, 4), 3)  # firmware API version
            self.assertEqual(machine.read(BAR0_AT + 0x30FA0000, 1), 0xFF)


class Dma(unittest.TestCase):
    def ask_mailbox(self, machine, gen):
        """The READ of the check vector; the answer, 8 bytes."""
        misc, host_bit, request = MAILBOX[gen]
        machine.write_bytes(0x10000, bytes.fromhex(request))
        machine.write_bytes(0x20000, bytes(8))
        for offset, value in ((0x1F4, 0x10000), (0x1F0, host_bit >> 32), (0x1FC, 0x20000),
                              (0x1F8, host_bit >> 32), (0x800, 1)):
            machine.write(BAR0_AT + misc + offset, 4, value)
        return machine.read_bytes(0x20000, 8).hex()

    def test_mailbox_reads_and_writes_memory(self):
        for gen in MAILBOX:
            with placed(gen) as machine:
                # sequence 2, no error, size 8, API version 3
                self.assertEqual(self.ask_mailbox(machine, gen), "0200080003000000", gen)

    def test_without_bus_master_memory_stays(self):
        with placed("sunda") as machine:
            machine.config_write(2, 4, 2, 0x2)
            self.assertEqual(self.ask_mailbox(machine, "sunda"), "00" * 8)

    def test_two_devices_do_not_meet(self):
        with Machine("trench,gen=sunda", "trench,gen=sunda,routing-id=1") as machine:
            for slot in (2, 3):
                machine.place_bar(slot, 0, BAR0_AT + slot * GIB)
                machine.place_bar(slot, 4, BAR4_AT + slot * 32 * GIB)
                machine.enable(slot)
                machine.write(BAR4_AT + slot * 32 * GIB, 4, slot)
            for slot in (2, 3):
                self.assertEqual(machine.read(BAR4_AT + slot * 32 * GIB, 4), slot)
                self.assertEqual(machine.read(BAR0_AT + slot * GIB + 0x30FA0024, 4), slot - 2)


class Ring:
    """Host-copy ring of core 0 of a SUNDA in a slot (pci-function.md 6.2, 8), copies of one chunk."""
    TX, RX, SLOTS = 0x100000, 0x110000, 32
    HOST = 1 << 44

    def __init__(self, machine, bar0):
        self.machine, self.engine, self.next = machine, bar0 + 0x30600000, 0
        for bank, first, base, prefetch, last in ((0x1000, [(0x74, 3)], self.TX, 0xB0, 0xA0),
                                                  (0x21000, [], self.RX, 0x64, 0x54)):
            for offset, value in (*first, (0x20, 0x03000000), (prefetch, 0x100), (0x28, base),
                                  (0x2C, self.HOST >> 32), (0x30, self.SLOTS), (last, 0),
                                  (0x20, 0x03030000)):
                machine.write(self.engine + bank + offset, 4, value)

    def put(self, to, source, size):
        slot = 16 * self.next
        self.next += 1
        self.machine.write_bytes(self.TX + slot, struct.pack("<IIQ", 0x0D000000 | size, 0x01080003,
                                                             source))
        self.machine.write_bytes(self.RX + slot, struct.pack("<IIQ", 0x01000000 | size, 0, to))

    def ring(self, count):
        self.machine.write(self.engine + 0x21038, 4, count)
        self.machine.write(self.engine + 0x1038, 4, count)

    def copy(self, to, source, size):
        self.put(to, source, size)
        self.ring(1)


class BusMaster(unittest.TestCase):
    def test_device_to_device(self):
        with Machine("trench,gen=sunda", "trench,gen=sunda,routing-id=1") as machine:
            for slot in (2, 3):
                machine.place_bar(slot, 0, BAR0_AT + slot * GIB)
                machine.place_bar(slot, 4, BAR4_AT + slot * 32 * GIB)
                machine.enable(slot)
            here, there = BAR4_AT + 64 * GIB, BAR4_AT + 96 * GIB
            machine.write_bytes(here + 0x1000000, bytes(range(200)))
            Ring(machine, BAR0_AT + 2 * GIB).copy(Ring.HOST | there + 0x2000000, 0x1000000, 200)
            self.assertEqual(machine.read_bytes(there + 0x2000000, 200), bytes(range(200)))

    def test_device_reaches_its_own_bars(self):
        """A write to the device while the device works, as another processor could make it."""
        with placed("sunda") as machine:
            ring = Ring(machine, BAR0_AT)
            machine.write(0x30000, 4, 0x11223344)
            ring.copy(Ring.HOST | BAR0_AT + 0x30FA0100, Ring.HOST | 0x30000, 4)
            self.assertEqual(machine.read(BAR0_AT + 0x30FA0100, 4), 0x11223344)
            ring.copy(Ring.HOST | BAR4_AT + 0x3000000, Ring.HOST | 0x30000, 4)
            self.assertEqual(machine.read(BAR4_AT + 0x3000000, 4), 0x11223344)

    def test_address_of_nobody_is_refused(self):
        with placed("sunda") as machine:
            ring = Ring(machine, BAR0_AT)
            machine.write(ring.engine + 0x3A070, 4, 0x10F8)  # abort mask of group B, 6.1 step 14
            ring.copy(Ring.HOST | 1 << 39, Ring.HOST | 0x30000, 64)
            # udma.md 9.2: cause B1, a destination fault, puts both halves in abort: a field of 200 is 2
            for half in (0, 0x20000):
                self.assertTrue(machine.read(ring.engine + half + 0x200, 4) & 0x2222)

    def test_what_a_doorbell_leaves_moves_in_turns(self):
        """Turns follow the clock of the machine: none while it is stopped."""
        with placed("sunda", ",doorbell-packets=1") as machine:
            ring = Ring(machine, BAR0_AT)
            machine.write_bytes(0x30000, bytes(range(1, 11)))
            for i in range(10):
                ring.put(Ring.HOST | 0x40000 + i, Ring.HOST | 0x30000 + i, 1)
            ring.ring(10)
            self.assertEqual(machine.read_bytes(0x40000, 10), bytes([1] + 9 * [0]))
            machine.do("cont")
            for _ in range(100000):
                if machine.read(0x40009, 1):
                    break
            self.assertEqual(machine.read_bytes(0x40000, 10), bytes(range(1, 11)))

    def test_msix_message(self):
        """notific.md 6.3: cause 3 of group 0 of core 1 is vector 1 of eight."""
        unit = BAR0_AT + 0x30000000 + 0x700000 + 0x530000 + 0x2000
        with Machine("trench,gen=sunda,msix=8") as machine:
            self.assertEqual(machine.config_read(2, machine.config_read(2, 0x34, 1), 1), 0x11)
            table = BAR0_AT + 2 * GIB
            machine.place_bar(2, 0, BAR0_AT)
            machine.place_bar(2, 2, table)
            machine.enable(2)
            machine.config_write(2, 0x42, 2, 0x8000)
            for offset, value in ((0x10, 0x40000), (0x14, 0), (0x18, 0x4321), (0x1C, 0)):
                machine.write(table + offset, 4, value)
            machine.write(unit + 0x18, 4, 0xFFFFFFFF ^ 1 << 3)
            self.assertEqual(machine.read(0x40000, 4), 0)
            machine.write(unit + 0x08, 4, 1 << 3)
            self.assertEqual(machine.read(0x40000, 4), 0x4321)


class Life(unittest.TestCase):
    def test_reset_of_the_machine_is_power_on(self):
        with placed("sunda") as machine:
            machine.write(BAR0_AT + 0x30FA0100, 4, 0x77)
            machine.do("system_reset")
            machine.wait_event("RESET")
            self.assertEqual(machine.config_bytes(2, 64).hex(),
                             HEADER.format("6471").replace(" ", ""))
            machine.place_bar(2, 0, BAR0_AT)
            machine.place_bar(2, 4, BAR4_AT)
            machine.enable(2)
            self.assertEqual(machine.read(BAR0_AT + 0x30FA0100, 4), 0)
            self.assertEqual(machine.read(BAR0_AT + 0x30FA0000, 4), 3)

    def test_plugged_and_unplugged_twenty_times(self):
        with Machine() as machine:
            for turn in range(20):
                machine.do("device_add", driver="trench", gen="sunda", id="new", addr="5")
                self.assertEqual(machine.config_read(5, 2, 2), 0x7164, turn)
                machine.place_bar(5, 0, BAR0_AT)
                machine.enable(5)
                self.assertEqual(machine.read(BAR0_AT + 0x30FA0000, 4), 3)
                machine.unplug("new", 5)
                self.assertEqual(machine.config_read(5, 0, 4), 0xFFFFFFFF)


class Refusals(unittest.TestCase):
    def check(self, device, *words):
        message = refusal(device)
        for word in ("trench", *words):
            self.assertIn(word, message)

    def test_options(self):
        self.check("trench,gen=atlantis", "atlantis", "sunda")
        self.check("trench,gen=maverick", "maverick")
        self.check("trench,routing-id=64", "64", "63")
        self.check("trench,bar4-size=3M", "bar4")
        self.check("trench,model=trn9", "trn9")
        self.check("trench,msix=9", "9", "8")

    def run_preloaded(self, program):
        return subprocess.run([program], env=preloaded(), capture_output=True, text=True, timeout=60,
                              check=False)

    def test_a_program_that_is_no_qemu(self):
        done = self.run_preloaded("/bin/true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no QEMU", done.stderr)

    def test_another_version(self):
        """A program that shows what a QEMU 9.1.2 would, as far as load.c looks."""
        source = """
            #include <stdint.h>
            struct { int64_t major, minor, micro; } triple = {9, 1, 2};
            struct { void *qemu; char *package; } info = {&triple, ""};
            int qdev_prop_string, qdev_prop_uint32, qdev_prop_uint64, qdev_prop_size;
            static void (*init)(void);
            void *qmp_query_version(void *error) { return error ? 0 : &info; }
            void register_module_init(void (*fn)(void), int type) { if (type == 3) init = fn; }
            int main(void) { if (init) init(); return 0; }
        """
        with tempfile.TemporaryDirectory() as directory:
            program = os.path.join(directory, "qemu")
            subprocess.run(["cc", "-rdynamic", "-x", "c", "-", "-o", program], input=source, text=True,
                           check=True)
            done = self.run_preloaded(program)
        self.assertEqual(done.returncode, 1)
        self.assertIn("QEMU 9.1.2", done.stderr)
        self.assertIn("QEMU 7.2", done.stderr)


if __name__ == "__main__":
    if not os.path.exists(OBJECT):
        raise SystemExit(f"{OBJECT} is missing: make vm-parts builds it")
    unittest.main(verbosity=2)
