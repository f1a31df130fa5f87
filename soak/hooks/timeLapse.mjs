/**
 * Makes the timers of a program run SOAK_TIME_LAPSE times as fast, with the monotonic clock that it reads beside them:
 * a queue that releases one update each 100 ms releases one each 10 ms. The time of day is left alone.
 */
const factor = Number(process.env.SOAK_TIME_LAPSE);
const now = performance.now.bind(performance);
performance.now = () => now() * factor;
for (const name of ['setTimeout', 'setInterval']) {
  const original = globalThis[name];
  const faster = (task, ms, ...args) => original(task, (ms ?? 0) / factor, ...args);
  globalThis[name] = Object.defineProperties(faster, Object.getOwnPropertyDescriptors(original));
}
