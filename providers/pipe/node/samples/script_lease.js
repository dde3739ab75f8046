#!/usr/bin/env node
// A lease in Redis, each operation one script: keeps the whole contract.
'use strict';
const { serve, LeaseError } = require('../lease_adapter.js');

const ACQUIRE = `local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const owned = (then) => `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}`;
const RELEASE = owned("return redis.call('DEL', KEYS[1])");
const RENEW = owned("return redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const TRANSFER = owned("redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1");

// A script writes at most once and last: an error reply means that nothing was written.
function checked(reply) {
  if (reply && reply.error) throw new LeaseError('fail', 'backend_error', reply.error);
  return reply;
}

function required(...words) {
  if (words.includes('')) throw new LeaseError('fail', 'invalid_argument');
}

async function run(host, script, key, ...words) {
  required(key, ...words);
  const last = words[words.length - 1];
  if (typeof last === 'number' && !(last >= 1 && last < 2 ** 53)) throw new LeaseError('fail', 'invalid_argument');
  return checked(await host.command('EVAL', script, 1, `${host.prefix}:lease:${key}`, ...words));
}

serve(() => ({
  async acquireLease(key, owner, ttl, host) {
    const answer = await run(host, ACQUIRE, key, owner, ttl);
    return answer === 1 ? { acquired: true } : { acquired: false, owner: answer };
  },
  async getLeaseOwner(key, host) {
    required(key);
    return checked(await host.command('GET', `${host.prefix}:lease:${key}`));
  },
  async releaseLease(key, owner, host) {
    await run(host, RELEASE, key, owner);
  },
  async renewLease(key, owner, ttl, host) {
    return (await run(host, RENEW, key, owner, ttl)) === 1;
  },
  async transferLease(key, from, to, ttl, host) {
    return (await run(host, TRANSFER, key, from, to, ttl)) === 1;
  },
}), { records: '<prefix>:lease:<key>' });
