"""Puts a Python program that has a Redis client of its own into the harness's hands: its clocks,
sleeps, timers and chance, and what its sockets to REDIS_URL read (../protocol.md, "Its own Redis
client"). Import it before anything that takes hold of a clock. Operations are run by asyncio
(preload_loop.py): when nothing is ready, the turn ends. One that blocks, in a read of such a socket or
in time.sleep, ends it too, and what comes meanwhile waits for it. All that in one thread."""
import os
import sys

if sys.version_info < (3, 10):
    sys.exit("preload.py: Error: it needs Python 3.10 or newer")
# Sets of texts are then in the same order in each run.
if os.environ.get("REDIS_URL"):
    if sys.flags.ignore_environment:
        sys.exit("preload.py: Error: with -E or -I Python does not listen to PYTHONHASHSEED")
    if os.environ.get("PYTHONHASHSEED", "random") in ("", "random"):
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])

import datetime  # noqa: E402
import queue  # noqa: E402, F401  # waits for real threads, by the real clock
import random  # noqa: E402
import secrets  # noqa: E402
import socket  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
import uuid  # noqa: E402
from urllib.parse import urlsplit  # noqa: E402

from preload_loop import Follower, call, fail, state  # noqa: E402

EPOCH = 1577836800.0  # the server's, 2020-01-01
_port = urlsplit(os.environ.get("REDIS_URL", "")).port
_real = {name: getattr(socket.socket, name)
         for name in ("connect", "recv", "send", "sendall", "sendmsg", "_real_close")}
_out, sys.stdout = sys.stdout, sys.stderr  # what is printed for people must not come between lines


def _in_its_thread(what):
    if threading.get_ident() != state.thread:
        fail(f"the thread {threading.current_thread().name} {what}, and the harness follows one thread "
             "only, the one that imported preload.py; use a task of asyncio instead")


def _whole_ns(ms):
    return round(ms * 1e6) / 1e6


def follow(server, hello):
    """lease_adapter.serve for a program in step."""
    state.follower = Follower(server, hello, _out)
    state.follower.follow()


# ---- clocks: static methods, since some classes keep a clock as a member

def _sleep(seconds):
    _in_its_thread("sleeps")
    due = _whole_ns(state.now + max(0.0, seconds * 1000))
    while state.now < due:
        state.turn(due)


def _seconds():
    return state.now / 1000


def _date():
    return EPOCH + state.wall / 1000


def _nanoseconds():
    return round(state.now * 1e6)


def _calendar(real):
    return staticmethod(lambda seconds=None: real(_date() if seconds is None else seconds))


def _formatted(real):
    local = time.localtime
    return staticmethod(lambda *given: real(*given) if given and not isinstance(given[-1], str)
                        else real(*given, local(_date())))


time.strftime, time.asctime = _formatted(time.strftime), _formatted(time.asctime)
for _name in ("localtime", "gmtime", "ctime"):
    setattr(time, _name, _calendar(getattr(time, _name)))
for _name in ("monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, _name, staticmethod(_seconds))
    setattr(time, _name + "_ns", staticmethod(_nanoseconds))
time.time = staticmethod(_date)
time.time_ns = staticmethod(lambda: int(EPOCH) * 10**9 + round(state.wall * 1e6))
time.sleep = staticmethod(_sleep)


class _Kind(type):
    """Whatever is a date is one of these, too."""
    def __instancecheck__(cls, one):
        return isinstance(one, cls.kind) if "kind" in cls.__dict__ else super().__instancecheck__(one)

    def __subclasscheck__(cls, one):
        return issubclass(one, cls.kind) if "kind" in cls.__dict__ else super().__subclasscheck__(one)


class _Datetime(datetime.datetime, metaclass=_Kind):
    kind = datetime.datetime

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_date(), tz)

    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(_date(), datetime.timezone.utc).replace(tzinfo=None)

    @classmethod
    def today(cls):
        return cls.now()


class _Date(datetime.date, metaclass=_Kind):
    kind = datetime.date

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_date())


for _made, _name in ((_Datetime, "datetime"), (_Date, "date")):
    _made.__name__ = _made.__qualname__ = _name
    _made.__module__ = "datetime"
    setattr(datetime, _name, _made)


# ---- chance

def _urandom(size, flags=0):
    return state.random.getrandbits(8 * size).to_bytes(size, "big") if size else b""


class _Chance(random.Random):
    """In the place of SystemRandom."""
    def random(self):
        return state.random.random()

    def getrandbits(self, bits):
        return state.random.getrandbits(bits)

    def seed(self, *_):
        pass


def _uuid4():
    return uuid.UUID(bytes=_urandom(16), version=4)


def _uuid1(node=None, clock_seq=None):
    return _uuid4()


os.urandom = os.getrandom = random._urandom = _urandom
random.SystemRandom = _Chance
secrets.SystemRandom, secrets._sysrand = _Chance, _Chance()
secrets.token_bytes = lambda size=32: _urandom(32 if size is None else size)
secrets.randbits, secrets.choice = secrets._sysrand.getrandbits, secrets._sysrand.choice
secrets.randbelow = secrets._sysrand._randbelow
uuid.uuid4, uuid.uuid1 = _uuid4, _uuid1


# ---- sockets to REDIS_URL

class Watched:
    """What both sides have counted on one socket."""
    def __init__(self, of):
        self.of, self.port, self.file = of, of.getsockname()[1], of.fileno()
        self.got = self.allowed = self.total = 0
        self.wrote = []  # (call, bytes written so far), of this turn
        self.cut = self.closed = False

    def may_read(self):
        return self.cut or self.got < self.allowed

    def add(self, size):
        self.total += size
        if self.wrote and self.wrote[-1][0] == call.get():
            self.wrote.pop()
        self.wrote.append((call.get(), self.total))


def _watched(of, what="uses a socket to REDIS_URL"):
    found = state.sockets.get(id(of))
    if found:
        _in_its_thread(what)
    return found


# The front takes connections at any time: it is there at once, for asyncio too.
def _connect(self, address):
    if self.family != socket.AF_INET or address[1] != _port:
        return _real["connect"](self, address)
    _in_its_thread("connects to REDIS_URL")
    limit = self.gettimeout()
    self.settimeout(None)
    try:
        _real["connect"](self, address)
    finally:
        self.settimeout(limit)
    state.sockets[id(self)] = state.files[self.fileno()] = Watched(self)


def _connect_ex(self, address):
    try:
        _connect(self, address)
    except OSError as error:
        return error.errno
    return 0


def _count(name, size_of=lambda data: memoryview(data).nbytes):
    def sent(self, data, *rest):
        watched = _watched(self)
        if watched and watched.cut:
            raise BrokenPipeError(32, "Broken pipe")
        size = size_of(data)
        done = _real[name](self, data, *rest)
        if watched:
            watched.add(size if done is None else done)
        return done
    return sent


# Nothing is read before the harness has said that it is there. A time limit of the socket counts on
# the harness's clock.
def _await(watched, limit):
    due = None if limit is None else _whole_ns(state.now + limit * 1000)
    while not watched.may_read():
        if limit == 0:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        if due is not None and state.now >= due:
            raise socket.timeout("timed out")
        state.turn(due)


def _recv(self, size, *flags):
    watched = _watched(self)
    if not watched:
        return _real["recv"](self, size, *flags)
    limit = self.gettimeout()
    _await(watched, 0 if flags and flags[0] & socket.MSG_DONTWAIT else limit)
    if watched.got >= watched.allowed:
        raise ConnectionResetError(104, "Connection reset by peer")
    self.settimeout(None)  # it is on its way
    try:
        data = _real["recv"](self, min(size, watched.allowed - watched.got), *flags)
    finally:
        self.settimeout(limit)
    if not (flags and flags[0] & socket.MSG_PEEK):
        watched.got += len(data)
    return data


def _recv_into(self, buffer, size=0, *flags):
    data = _recv(self, size or memoryview(buffer).nbytes, *flags)
    memoryview(buffer).cast("B")[:len(data)] = data
    return len(data)


def _close(self, *rest):
    watched = _watched(self)
    if watched and not watched.closed:
        watched.closed = True
        del state.files[watched.file]
    _real["_real_close"](self, *rest)


if _port:
    socket.socket.connect, socket.socket.connect_ex = _connect, _connect_ex
    socket.socket._real_close = _close
    socket.socket.sendall, socket.socket.send = _count("sendall"), _count("send")
    socket.socket.sendmsg = _count("sendmsg", lambda parts: None)
    socket.socket.recv, socket.socket.recv_into = _recv, _recv_into
