// Loaded before a package: Date and performance tell the harness's time from then on. A lease of
// this package needs no timer, so one that is set is an error and never real time behind the
// harness's back.
'use strict';

const RealDate = Date;
let host = null;
const current = () => {
  if (host === null) throw new Error('a clock is read outside a call');
  return host;
};
const wall = () => Math.floor(current().wall());

class HarnessDate extends RealDate {
  constructor(...given) {
    super(...(given.length > 0 ? given : [wall()]));
  }
  static now() {
    return wall();
  }
}

function install() {
  globalThis.Date = HarnessDate;
  Object.defineProperty(globalThis.performance, 'now', { value: () => current().now() });
  for (const name of ['setTimeout', 'setInterval']) {
    globalThis[name] = () => {
      throw new Error(`${name}: there is no timer but the harness's`);
    };
  }
}

// Before each call: it is `by` who tells the time.
const tell = (by) => {
  host = by;
};

module.exports = { install, tell };
