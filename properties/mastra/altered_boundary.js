// `altered_boundary.js OPERATION`: Mastra's provider, in which that operation finds a lease alive at
// its deadline. A comparison that does not see it sees nothing.
'use strict';
const { main } = require('../../providers/pipe/node/samples-npm/mastra/mastra.js');

const operation = process.argv[2];

main('emitter', (Kept) => class extends Kept {
  constructor() {
    super();
    this[operation] = (key, ...given) => {
      const now = Date.now();
      const held = this.leases.get(key);
      if (!held || held.expiresAt !== now) return super[operation](key, ...given);
      held.expiresAt = now + 1;
      const answer = super[operation](key, ...given);
      if (held.expiresAt === now + 1) held.expiresAt = now;
      return answer;
    };
  }
});
