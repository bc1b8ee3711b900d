#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/vm as its user sees it: two devices, a guest that is killed or reset in the middle of its work
and starts again, a program and a kernel module of the user, wrong options. Boots several guests."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VM = os.path.join(ROOT, "tools/vm")
MODULE = os.path.join(ROOT, "tests/vm/module")
IN_THE_MIDDLE = "DMA engines brought up"  # the guest has rings, the device moves data
PASSED = "guest test passed"


def run(*arguments):
    return subprocess.run([VM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)


class Guest:
    """A guest under way, in a process group of its own."""

    def __init__(self, *arguments):
        self.directory = tempfile.TemporaryDirectory()
        self.monitor = os.path.join(self.directory.name, "monitor")
        self.process = subprocess.Popen(
            [VM, "--monitor", self.monitor, *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env=dict(os.environ, TMPDIR=self.directory.name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.directory.cleanup()

    def read_until(self, text):
        seen = []
        for line in self.process.stdout:
            seen.append(line)
            if text in line:
                return
        raise AssertionError(f"the guest ended before '{text}':\n{''.join(seen)}")

    def rest(self):
        return self.process.communicate()[0]

    def reset(self):
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(self.monitor)
            stream = monitor.makefile("rw")
            for command in ("qmp_capabilities", "system_reset"):
                stream.write(json.dumps({"execute": command}) + "\n")
                stream.flush()
                while "return" not in json.loads(stream.readline()):
                    pass


class Interrupted(unittest.TestCase):
    def test_reset_in_the_middle(self):
        """The same QEMU process, and so the same device, boots twice."""
        with Guest("--gen", "sunda") as guest:
            guest.read_until(IN_THE_MIDDLE)
            guest.reset()
            guest.read_until("guest: Linux")
            self.assertIn(PASSED, guest.rest())
            self.assertEqual(guest.process.returncode, 0)

    def test_killed_in_the_middle(self):
        with Guest("--gen", "sunda") as guest:
            guest.read_until(IN_THE_MIDDLE)
            os.killpg(guest.process.pid, signal.SIGKILL)
        done = run("--gen", "sunda", "--devices", "2")
        self.assertIn(PASSED, done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_timeout(self):
        done = run("--gen", "sunda", "--timeout", "1")
        self.assertEqual(done.returncode, 124, done.stdout)
        self.assertIn("did not end within 1 s", done.stdout)


class WrongDevice(unittest.TestCase):
    def test_guest_test_finds_it_out(self):
        done = run("--gen", "sunda", "--device", "routing-id=5")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("FAILED: routing id, MISC RAM 024 is 5, right would be 0", done.stdout)
        self.assertIn("guest test failed: status 1", done.stdout)
        self.assertNotIn(PASSED, done.stdout)


class UserParts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The modules, built with the headers of --headers."""
        headers = run("--headers")
        assert headers.returncode == 0, headers.stdout
        cls.directory = tempfile.TemporaryDirectory()
        for name in ("Makefile", "probe.c", "driver.c"):
            shutil.copy(os.path.join(MODULE, name), cls.directory.name)
        subprocess.run(["make", "-s", "-C", headers.stdout.split()[-1], f"M={cls.directory.name}",
                        "modules"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def load(self, module, script, *options):
        """Of a guest with the module loaded and the script run."""
        program = os.path.join(self.directory.name, "script")
        with open(program, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n" + script)
        return run(*options, "--no-test", "--module", os.path.join(self.directory.name, module),
                   "--exec", program)

    def test_module_and_program(self):
        """A driver probes the device; the program sees it."""
        done = self.load("probe.ko", "ls /sys/bus/pci/drivers/trench-probe\nexit 7\n", "--gen",
                         "cayman")
        self.assertIn("trench-probe 0000:00:02.0: firmware API 3, routing id 0", done.stdout)
        self.assertEqual(done.returncode, 7, done.stdout)  # of the program

    def test_a_kernel_driver(self):
        """Reset, copies, a notification, an MSI-X message, removal and all of it once more, by the kernel."""
        for gen in ("sunda", "mariana_plus"):
            done = self.load("driver.ko", "rmmod driver && insmod /user/module.ko\n", "--gen", gen,
                             "--device", "msix=8")
            self.assertEqual(done.returncode, 0, done.stdout)
            for line in ("300001 bytes to HBM and back, 40 times: the same",
                         "record 9f000005 0000cafe", "8 vectors, a message of core 0"):
                self.assertEqual(done.stdout.count(f"trench-driver 0000:00:02.0: {line}"), 2,
                                 done.stdout)
            self.assertEqual(done.stdout.count("trench-driver 0000:00:02.0: removed"), 1)


class WrongOptions(unittest.TestCase):
    def check(self, arguments, *words):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stdout)

    def test_messages(self):
        self.check([], "--gen is missing", "sunda, cayman, mariana or mariana_plus")
        self.check(["--gen", "maverick"], "--gen maverick", "nobody knows", "sunda, cayman, mariana or mariana_plus")
        self.check(["--gen", "atlantis"], "--gen atlantis", "sunda, cayman, mariana or mariana_plus")
        self.check(["--gen"], "--gen wants a value")
        self.check(["--gen", "sunda", "--devices", "0"], "--devices 0", "1 to 8")
        self.check(["--gen", "sunda", "--devices", "two"], "--devices two", "1 to 8")
        self.check(["--gen", "sunda", "--timeout", "-3"], "--timeout -3", "1 to 86400")
        self.check(["--gen", "sunda", "--module", "/nowhere.ko"], "/nowhere.ko", "no such file")
        self.check(["--gen", "sunda", "--module", __file__], "no kernel module")
        self.check(["--frob"], "--frob", "--help")

    @unittest.skipIf(os.access("/dev/kvm", os.R_OK | os.W_OK), "/dev/kvm can be opened here")
    def test_kvm_that_is_not_there(self):
        self.check(["--gen", "sunda", "--kvm"], "/dev/kvm cannot be opened", "without --kvm")

    def test_property_that_the_device_refuses(self):
        done = run("--gen", "sunda", "--device", "revision=300")
        self.assertEqual(done.returncode, 125, done.stdout)
        self.assertIn("trench: revision cannot be 300", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
