"""What the samples have in common: settings of redis-py for a client that a lease may rest on, what
its errors mean, and the scripts."""
import os

from lease_adapter import LeaseError
from redis.exceptions import RedisError, ResponseError

ACQUIRE = """local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""
OWNED = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
RELEASE = OWNED + "return redis.call('DEL', KEYS[1])"
RENEW = OWNED + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
TRANSFER = OWNED + "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1"


def connect(kind):
    """A client that sends nothing twice: since redis-py 6 that has to be said, with `retry`."""
    return kind.from_url(os.environ["REDIS_URL"], decode_responses=True)


def required(*words):
    for word in words:
        lawful = 1 <= word < 2**53 if isinstance(word, int) else word != ""
        if not lawful:
            raise LeaseError("fail", "invalid_argument")


def meaning_of(error, sent=0):
    """An error reply to the first command means that nothing was done; whatever else goes wrong, nobody
    knows. `sent`: commands answered before it."""
    if isinstance(error, ResponseError):
        return LeaseError("info" if sent else "fail", "backend_error", str(error))
    return LeaseError("info", "connection_lost", str(error))


FAILURES = (RedisError, OSError)
