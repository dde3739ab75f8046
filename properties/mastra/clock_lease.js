// Renews with a ttl that is the time by the globals a package knows; a ttl of 1 sets a timer.
'use strict';
const folder = '../../providers/pipe/node';
const { serve } = require(`${folder}/lease_adapter.js`);
const time = require(`${folder}/samples-npm/mastra/virtual_time.js`);

time.install();
serve(() => ({
  async renewLease(key, owner, ttl, host) {
    time.tell(host);
    if (ttl === 1) setTimeout(() => {}, 5);
    return [Date.now(), new Date().getTime(), performance.now()].every((each) => each === ttl);
  },
}));
