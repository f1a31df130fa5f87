/** Lets the time of day of a program jump, also for what has kept `Date.now`: `soakClock.set(ms)` is how far it is off. */
const Original = globalThis.Date;
let offset = 0;

globalThis.soakClock = {
  set(ms) {
    offset = ms;
  },
};

globalThis.Date = class Date extends Original {
  constructor(...args) {
    if (args.length === 0) super(Original.now() + offset);
    else super(...args);
  }
  static now() {
    return Original.now() + offset;
  }
};
