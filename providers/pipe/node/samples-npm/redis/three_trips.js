#!/usr/bin/env node
// A lease by the package redis, its acquire written as many write it: SET NX PX; if that is refused,
// refresh what may be one's own; if it is not, GET to name the holder. Between the three the lease
// may end, so its denials are not always honest (bugs B02, B03, B04): the scheduler shows it.
'use strict';
require('../../preload.js');
const { serve } = require('../../lease_adapter.js');
const { connect, required, checked, name } = require('./calls.js');

const owned = (then) => `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}`;
const RENEW = owned("return redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const RELEASE = owned("return redis.call('DEL', KEYS[1])");
const TRANSFER = owned("redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1");

serve(() => {
  const client = connect();
  const script = (text, key, ...words) => client.eval(text, { keys: [key], arguments: words.map(String) });
  const run = (text, host, key, ...words) => {
    required(key, ...words);
    return checked((sent) => sent(script(text, name(host, key), ...words)));
  };
  return {
    acquireLease(key, owner, ttl, host) {
      required(key, owner, ttl);
      const lease = name(host, key);
      return checked(async (sent) => {
        const set = await sent(client.set(lease, owner, { condition: 'NX', expiration: { type: 'PX', value: ttl } }));
        if (set === 'OK') return { acquired: true };
        if ((await sent(script(RENEW, lease, owner, ttl))) === 1) return { acquired: true };
        const holder = await sent(client.get(lease));
        return holder === null ? { acquired: false } : { acquired: false, owner: holder };
      });
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
}, { records: '<prefix>:lease:<key>', guarantees: { acquire_trips: 3 } });
