/** Makes the time of day of a program jump: `soakClock.set(ms)` sets the offset. Also affects code that has kept `Date.now`. */
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
