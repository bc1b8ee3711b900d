# SPDX-License-Identifier: Apache-2.0
"""A QEMU whose processors never start: the test makes the accesses (qtest protocol) and speaks QMP."""
import json
import os
import socket
import subprocess
import tempfile

BUILD = os.environ.get("TRENCH_BUILD", "build/release")
OBJECT = os.path.join(BUILD, "contrib/qemu/trench-pci.so")
QEMU = "qemu-system-x86_64"

CONFIG_ADDRESS, CONFIG_DATA = 0xCF8, 0xCFC  # PCI configuration mechanism 1
EJECT_PORT = 0xAE08  # ACPI PCI hotplug of the PC machine: one bit a slot


def preloaded():
    """Environment of a process that has the object preloaded."""
    return dict(os.environ, LD_PRELOAD=os.path.abspath(OBJECT))


def refusal(*devices):
    """Standard error of a QEMU that must not start with these -device options."""
    arguments = [item for device in devices for item in ("-device", device)]
    done = subprocess.run([QEMU, "-nodefaults", "-display", "none", "-accel", "tcg", "-S", *arguments],
                          env=preloaded(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 1, f"QEMU takes {devices}: status {done.returncode}"
    return done.stderr


class Machine:
    """with Machine("trench,gen=sunda") as machine: ... Devices sit in slots 2, 3, ... The machine
    is stopped: do("cont") lets its clock run."""

    def __init__(self, *devices):
        self.firmware = tempfile.NamedTemporaryFile(suffix=".bin")
        self.firmware.write(b"\xF4" * 0x10000)  # HLT: processors that are let go on do nothing
        self.firmware.flush()
        self.sockets = [socket.socketpair() for _ in range(2)]
        arguments = []
        for name, (_, theirs) in zip(("qtest", "qmp"), self.sockets):
            os.set_inheritable(theirs.fileno(), True)
            arguments += ["-chardev", f"socket,id={name},fd={theirs.fileno()}"]
        for slot, device in enumerate(devices, 2):
            arguments += ["-device", f"{device},addr={slot}"]
        self.process = subprocess.Popen(
            [QEMU, "-nodefaults", "-display", "none", "-machine", "pc", "-m", "64", "-accel", "tcg",
             "-S", "-bios", self.firmware.name, "-qtest", "chardev:qtest",
             "-qtest-log", "/dev/null", "-mon", "chardev=qmp,mode=control", *arguments],
            env=preloaded(), stdin=subprocess.DEVNULL, close_fds=False)
        for _, theirs in self.sockets:
            theirs.close()
        self.qtest, self.qmp = (ours.makefile("rw") for ours, _ in self.sockets)
        self.events = []
        json.loads(self.qmp.readline())
        self.do("qmp_capabilities")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.qmp.write('{"execute": "quit"}\n')
        self.qmp.flush()
        assert self.process.wait(30) == 0, "QEMU does not end cleanly"
        self.firmware.close()
        for stream in (self.qtest, self.qmp, *(ours for ours, _ in self.sockets)):
            stream.close()

    def do(self, command, **arguments):
        """A QMP command; events that come meanwhile are kept."""
        self.qmp.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.qmp.flush()
        while True:
            answer = json.loads(self.qmp.readline())
            if "event" not in answer:
                assert "return" in answer, f"{command}: {answer['error']['desc']}"
                return answer["return"]
            self.events.append(answer)

    def wait_event(self, name):
        while not any(event["event"] == name for event in self.events):
            self.events.append(json.loads(self.qmp.readline()))
        self.events = [event for event in self.events if event["event"] != name]

    def say(self, *words):
        self.qtest.write(" ".join(words) + "\n")
        self.qtest.flush()
        while True:
            answer = self.qtest.readline().split()
            if answer[0] != "IRQ":
                assert answer[0] == "OK", f"qtest {words}: {answer}"
                return answer[1:]

    # ports, memory: `size` is 1, 2, 4 or 8
    def port_read(self, port, size):
        return int(self.say(f"in{' bw l'[size]}", hex(port))[0], 16)

    def port_write(self, port, size, value):
        self.say(f"out{' bw l'[size]}", hex(port), hex(value))

    def read(self, address, size):
        return int(self.say(f"read{' bw l   q'[size]}", hex(address))[0], 16)

    def write(self, address, size, value):
        self.say(f"write{' bw l   q'[size]}", hex(address), hex(value))

    def read_bytes(self, address, size):
        return bytes.fromhex(self.say("read", hex(address), hex(size))[0][2:])

    def write_bytes(self, address, data):
        self.say("write", hex(address), hex(len(data)), "0x" + data.hex())

    # configuration space of the device in a slot
    def config_read(self, slot, offset, size):
        self.port_write(CONFIG_ADDRESS, 4, 1 << 31 | slot << 11 | offset & ~3)
        return self.port_read(CONFIG_DATA + offset % 4, size)

    def config_write(self, slot, offset, size, value):
        self.port_write(CONFIG_ADDRESS, 4, 1 << 31 | slot << 11 | offset & ~3)
        self.port_write(CONFIG_DATA + offset % 4, size, value)

    def config_bytes(self, slot, size):
        words = (self.config_read(slot, offset, 4) for offset in range(0, size, 4))
        return b"".join(word.to_bytes(4, "little") for word in words)

    def place_bar(self, slot, bar, address):
        self.config_write(slot, 0x10 + 4 * bar, 4, address & 0xFFFFFFFF)
        self.config_write(slot, 0x14 + 4 * bar, 4, address >> 32)

    def bar_size(self, slot, bar):
        self.place_bar(slot, bar, (1 << 64) - 1)
        low = self.config_read(slot, 0x10 + 4 * bar, 4)
        high = self.config_read(slot, 0x14 + 4 * bar, 4)
        mask = high << 32 | low & ~0xF
        return (1 << 64) - mask if mask else 0

    def enable(self, slot):
        self.config_write(slot, 0x04, 2, 0x6)

    def unplug(self, name, slot):
        """device_del, and what the guest's kernel would answer it."""
        self.do("device_del", id=name)
        self.port_write(EJECT_PORT, 4, 1 << slot)
        self.wait_event("DEVICE_DELETED")
