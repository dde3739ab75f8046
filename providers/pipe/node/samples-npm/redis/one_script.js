#!/usr/bin/env node
// The same lease with its acquire in one script: keeps the whole contract.
'use strict';
require('../../preload.js');
const { serve } = require('../../lease_adapter.js');
const { connect, required, checked, name } = require('./calls.js');

const ACQUIRE = `local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const owned = (then) => `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}`;
const RENEW = owned("return redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const RELEASE = owned("return redis.call('DEL', KEYS[1])");
const TRANSFER = owned("redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1");

serve(() => {
  const client = connect();
  const run = async (text, host, key, ...words) => {
    required(key, ...words);
    const call = { keys: [name(host, key)], arguments: words.map(String) };
    return checked((sent) => sent(client.eval(text, call)));
  };
  return {
    async acquireLease(key, owner, ttl, host) {
      const answer = await run(ACQUIRE, host, key, owner, ttl);
      return answer === 1 ? { acquired: true } : { acquired: false, owner: answer };
    },
    async getLeaseOwner(key, host) {
      required(key);
      return checked((sent) => sent(client.get(name(host, key))));
    },
    async releaseLease(key, owner, host) {
      await run(RELEASE, host, key, owner);
    },
    async renewLease(key, owner, ttl, host) {
      return (await run(RENEW, host, key, owner, ttl)) === 1;
    },
    async transferLease(key, from, to, ttl, host) {
      return (await run(TRANSFER, host, key, from, to, ttl)) === 1;
    },
  };
}, { records: '<prefix>:lease:<key>' });
