import { setTimeout as pause } from 'node:timers/promises';
import { PEER_SILENCE_MS, QUEUE_TICK_MS } from '#shared/limits.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { numberedMessage, snapshotText } from '../harness/frames.ts';
import { newestShown, openPage, showsNewest } from '../harness/openPage.ts';
import { startSignedIn } from '../harness/startMessenger.ts';
import { scenario } from '../run/scenario.ts';

const PER_SECOND = 1000 / QUEUE_TICK_MS;

/** A burst of thousands of updates. */
export const burst = scenario({
  name: 'burst',
  sentence: 'Ten thousand updates arrive at once; each tick releases one, and the window says how many wait.',
  short: { updates: 10_000, seconds: 5 },
  long: { updates: 10_000, seconds: 120 },
  async run(soak, { updates, seconds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    for (let number = 1; number <= updates; number++) socket.send(numberedMessage(number));
    await socket.ping();
    await soak.waitFor('the first update is shown', 10, async () => (await newestShown(page)) > 0);

    const [start, first] = [performance.now(), await newestShown(page)];
    const waiting = await soak.waitFor('the window says how many updates wait', 10, async () => {
      const text = await page.locator('main').innerText();
      return /(?<count>[\d,.\u202F ]*\d{3}) (?:updates?|messages?)[^\n]*wait/i.exec(text)?.[0];
    });
    soak.showProgress(waiting);
    await pause(seconds * 1000);
    const [passed, last] = [(performance.now() - start) / 1000, await newestShown(page)];
    const rate = (last - first) / passed;
    soak.addFigure('updates shown a second', rate, '');
    soak.addFigure('held with the burst waiting', (await messenger.settledMemory()).held, 'MB');
    soak.check(
      'ticks hold: never more than one update each 100 ms',
      last - first <= passed * PER_SECOND + 2,
      rate.toFixed(2),
    );
    soak.check('ticks hold: nine in ten release an update', rate > 0.9 * PER_SECOND, rate.toFixed(2));
  },
});

/** A platform with a slow connection: one frame takes much longer than a silence may, without a pong. */
export const slow = scenario({
  name: 'slow',
  sentence:
    'The platform sends one frame character by character; the connection stays, and the update is shown.',
  short: { silences: 2, faster: 5 },
  long: { silences: 6, faster: 1 },
  async run(soak, { silences, faster }) {
    const { messenger, platform, socket } = await startSignedIn(soak, {
      hooks: ['timeLapse'],
      env: { SOAK_TIME_LAPSE: String(faster) },
    });
    const { page } = await openPage(soak, messenger.url);
    const text = JSON.stringify({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    const partMs = (silences * PEER_SILENCE_MS) / faster / text.length;
    const connections = platform.sockets.all.length;
    socket.answerPings(false);
    for (const [place, character] of Array.from(text).entries()) {
      socket.sendPart(character, place === text.length - 1);
      await pause(partMs);
    }
    socket.answerPings(true);
    soak.addFigure('a frame took', (partMs * text.length * faster) / 1000, 's');
    soak.check(
      'the connection stays while a frame comes slowly',
      platform.sockets.all.length === connections,
    );
    await soak.waitFor('the update of the slow frame is shown', 10, showsNewest(page, 1));
  },
});

const FILE_CHARACTERS = 1_200_000;
/** The limit of data for a platform that does not read, and as much again for data on the way. */
const BOUND_MB = 80;

/** A platform that does not read while a person sends files. */
export const unread = scenario({
  name: 'unread',
  sentence:
    'The platform does not read while files are sent; memory stays bounded, and the window says that a message was not sent.',
  short: { files: 100 },
  long: { files: 600 },
  async run(soak, { files }) {
    const { platform, messenger, socket } = await startSignedIn(soak);
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));
    const before = (await messenger.settledMemory()).held;
    socket.pause();
    for (let file = 0; file < files; file += 10) {
      soak.showProgress(`${file} of ${files} files`);
      await page.evaluate((characters) => {
        const blob = 'A'.repeat(characters);
        for (let each = 0; each < 10; each++)
          window.parley.send('message', { category: 'file', text: `${each}.bin`, blob });
      }, FILE_CHARACTERS);
      await messenger.evaluate('1');
    }
    await pause(500);
    const held = (await messenger.settledMemory()).held - before;
    soak.addFigure('sent', (files * FILE_CHARACTERS) / 1e6, 'MB');
    soak.addFigure('held for the platform', held, 'MB');
    soak.check(`at most ${BOUND_MB} MB wait for the platform`, held < BOUND_MB, `${held.toFixed(0)} MB`);
    await soak.waitFor('the window says that something was not sent', 5, async () =>
      /not (?:be )?sent/i.test(await page.locator('body').innerText()),
    );
    socket.resume();
    // On a slow machine the messenger has replaced the silent connection by now.
    const current = () => platform.sockets.all.at(-1) ?? socket;
    await soak.waitFor('the messenger answers once the platform reads', 20, () => isAnswered(current()));
    current().send(numberedMessage(2));
    await soak.waitFor('the conversation continues once the platform reads', 20, showsNewest(page, 2));
  },
});

/** Pings the messenger. Resolves to `false` when the socket is closed. */
const isAnswered = (socket: PlatformSocket): Promise<boolean> =>
  Promise.race([socket.ping().then(() => true), socket.closed.then(() => false)]);

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
