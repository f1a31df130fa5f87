/**
 * Makes the timers and the monotonic clock of a program run SOAK_TIME_LAPSE times as fast. With 10, a queue that releases
 * an update each 100 ms releases one each 10 ms. The time of day does not change.
 */
const factor = Number(process.env.SOAK_TIME_LAPSE);
const now = performance.now.bind(performance);
performance.now = () => now() * factor;
for (const name of ['setTimeout', 'setInterval']) {
  const original = globalThis[name];
  const faster = (task, ms, ...args) => original(task, (ms ?? 0) / factor, ...args);
  globalThis[name] = Object.defineProperties(faster, Object.getOwnPropertyDescriptors(original));
}
