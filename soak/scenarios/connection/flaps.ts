import { snapshotText } from '../../harness/frames.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

/** Number of connections after which all buffers are full, that of recent frames included. */
const WARM_UP = 4;

/** A connection that breaks many times; each new one starts with a snapshot. */
export const flaps = scenario({
  name: 'flaps',
  sentence: 'The connection breaks many times, each new one brings a snapshot, and the heap does not grow.',
  short: { flaps: 6, megabytes: 8 },
  long: { flaps: 60, megabytes: 10 },
  async run(soak, { flaps: count, megabytes }) {
    const { messenger, socket: first, nextSocket } = await startSignedIn(soak);
    let socket = first;
    const heaps: number[] = [];
    for (let flap = 0; flap < WARM_UP + count; flap++) {
      soak.showProgress(`flap ${flap + 1} of ${WARM_UP + count}`);
      socket.sendText(snapshotText(megabytes, String(flap)));
      // A pong comes after the frames before its ping, so the snapshot has been received.
      await socket.ping();
      socket.terminate();
      socket = await nextSocket();
      if (flap >= WARM_UP - 1) heaps.push((await messenger.settledMemory()).held);
    }
    const [before = 0, after = 0] = [heaps[0], heaps.at(-1)];
    soak.addFigure(`held after ${WARM_UP} flaps`, before, 'MB');
    soak.addFigure(`held after ${WARM_UP + count} flaps`, after, 'MB');
    soak.addFigure('peak of resident memory', messenger.memory().peak, 'MB');
    soak.check(
      'memory after the last flap is at most two snapshots above the first',
      after - before < 2 * megabytes,
      `${(after - before).toFixed(1)} MB`,
    );
    soak.check('the messenger runs', messenger.isRunning());
  },
});
