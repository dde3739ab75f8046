#!/usr/bin/env python3
"""What a program may do with clocks, chance, tasks, threads and sockets under preload.py. The key of a
get_lease_owner says what; its answer is a text that says what came of it (../../preload_test.cpp)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import preload  # noqa: E402, F401
import asyncio  # noqa: E402
import datetime  # noqa: E402
import logging  # noqa: E402, F401
import random  # noqa: E402
import secrets  # noqa: E402
import socket  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
import uuid  # noqa: E402
from lease_adapter import LeaseError, serve  # noqa: E402

PORT = int(os.environ["REDIS_URL"].rsplit(":", 1)[1])
marks = []  # they outlive a world, as a module does


def ms(seconds):
    return f"{seconds * 1000:g}"


class Odd:
    def __init__(self, host):
        self.host = host
        if "greedy" in sys.argv:
            time.sleep(1)

    async def get_lease_owner(self, key):
        return await getattr(self, key)()

    # ---- clocks and timers

    async def sleep(self):
        await asyncio.sleep(0.0025)
        return ms(asyncio.get_running_loop().time())

    async def block(self):
        time.sleep(0.0002)
        return ms(time.monotonic())

    async def limit(self):
        try:
            await asyncio.wait_for(asyncio.get_running_loop().create_future(), 0.005)
        except asyncio.TimeoutError:
            return "late at " + ms(time.monotonic())

    async def ask(self):
        both = await asyncio.gather(self.host.random(), asyncio.wait_for(self.host.sleep(50), 0.001),
                                    return_exceptions=True)
        return f"{both[0]} {type(both[1]).__name__}"

    async def later(self):
        loop = asyncio.get_running_loop()
        for due in (0.03, 0.01, 0.02):
            loop.call_later(due, marks.append, due)
        return "soon"

    async def marks(self):
        return " ".join(map(str, marks))

    async def dates(self):
        kinds = isinstance(datetime.datetime(2020, 1, 1), datetime.datetime), datetime.datetime is type(
            datetime.datetime.now() + datetime.timedelta(1)), issubclass(datetime.datetime, datetime.date)
        stamp = datetime.datetime.now(datetime.timezone.utc).timestamp()
        return " ".join([datetime.datetime.utcnow().isoformat(), str(stamp - time.time()),
                         time.strftime("%Y", time.gmtime()), time.strftime("%Y"),
                         str(datetime.date.today().year), str(all(kinds))])

    # ---- chance and order

    async def chance(self):
        return " ".join(map(str, (random.random(), secrets.token_hex(4), uuid.uuid4(), os.urandom(3).hex(),
                                  secrets.randbelow(1000), random.SystemRandom().random())))

    async def order(self):
        async def one(name):
            found.append(name)
        found = []
        for each in asyncio.as_completed([one(name) for name in range(40)]):
            await each
        tasks = {asyncio.create_task(one(name), name=str(name)) for name in range(40)}
        done, _ = await asyncio.wait(tasks)
        texts = {f"text {i}" for i in range(40)}
        return " ".join([*map(str, found), *(each.get_name() for each in done), *texts])

    # ---- what ends the run

    async def raises(self):
        raise ValueError("oh dear")

    async def spins(self):
        while True:
            await asyncio.sleep(0)

    async def thread_that(self, what):
        thread = threading.Thread(target=what, name="worker")
        thread.start()
        thread.join()
        return "it went on"

    async def thread_sleeps(self):
        return await self.thread_that(lambda: time.sleep(1))

    async def thread_connects(self):
        return await self.thread_that(lambda: socket.create_connection(("127.0.0.1", PORT)))

    async def thread_reads(self):
        own = socket.create_connection(("127.0.0.1", PORT))
        return await self.thread_that(lambda: own.recv(10))

    # ---- and what does not

    async def thread_counts(self):
        sums = []
        await self.thread_that(lambda: sums.append(sum(range(10))))
        return str(sums[0])

    async def executor(self):
        here = threading.get_ident()
        there = await asyncio.to_thread(threading.get_ident)
        return "at once" if here == there else "elsewhere"

    async def prints(self):
        print("for people")
        return "said"

    async def blocks(self):
        asyncio.get_running_loop().call_soon(marks.append, "ran on")
        time.sleep(0.01)

    async def clings(self):
        for _ in range(2):
            try:
                time.sleep(0.01)
                marks.append("still there")
            except BaseException:
                marks.append("unwound")
        return "over"

    async def lingers(self):
        try:
            await asyncio.sleep(3600)
        finally:
            random.random()
            marks.append("unwound")
            await self.host.random()

    # ---- sockets

    async def talk(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
        writer.write(b"GET k\r\n")
        try:
            line = await reader.readline()
        except OSError as error:
            writer.write(b"more")
            writer.close()
            raise LeaseError("info", "connection_lost", type(error).__name__)
        writer.close()
        return line.decode().strip()

    async def talk_for_a_while(self):
        try:
            return await asyncio.wait_for(self.talk(), 0.005)
        except asyncio.TimeoutError:
            return "late at " + ms(time.monotonic())


if "early" in sys.argv:
    asyncio.run(asyncio.sleep(1))
serve(Odd)
