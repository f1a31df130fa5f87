import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { callAtRate, numberedMessage } from '../harness/frames.ts';
import { openPage, showsNewest } from '../harness/openPage.ts';
import { type SignedIn, startSignedIn } from '../harness/startMessenger.ts';
import { fitSlope } from '../harness/memory.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const PER_SECOND = 10;
/** The time without updates before and after a measurement. */
const SETTLE_MS = 500;

/** Pairs of a message's number and the time at which it was painted. */
const timesSchema = z.array(z.tuple([z.number(), z.number()]));

/** A long session with a long conversation. */
export const steady = scenario({
  name: 'steady',
  sentence:
    'A long conversation receives ten updates a second; memory grows slowly, and each update is painted soon.',
  short: { seconds: 20, messages: 2000, slopeMb: 60, latencyMs: 5000 },
  long: { seconds: 1200, messages: 50_000, slopeMb: 5, latencyMs: 5000 },
  async run(soak, { seconds, messages, slopeMb, latencyMs }) {
    const signedIn = await startSignedIn(soak);
    const { socket } = signedIn;
    const { page, errors } = await openPage(soak, signedIn.messenger.url);
    const snapshot = Array.from({ length: messages }, (_, index) => numberedMessage(index + 1, 200));
    socket.send({ person: 'Ada Lovelace', messages: snapshot });
    await soak.waitFor('the long conversation is shown', 30, showsNewest(page, messages));
    await watchPainting(page);

    const sentAt = new Map<number, number>();
    let isMeasuring = false;
    const stop = callAtRate(PER_SECOND, () => {
      // A garbage collection stops main for longer than a tick, and a late tick is not followed by a burst.
      if (isMeasuring) return;
      const number = messages + sentAt.size + 1;
      sentAt.set(number, Date.now());
      socket.send(numberedMessage(number, 200));
    });
    soak.defer(stop);
    const samples = await sampleMemory(soak, { signedIn, page, seconds }, (is) => {
      isMeasuring = is;
    });
    stop();
    await soak.waitFor('the last update is shown', 60, showsNewest(page, messages + sentAt.size));

    checkGrowth(soak, samples, slopeMb);
    checkLatencies(soak, { sentAt, painted: new Map(await paintedTimes(page)), latencyMs });
    soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
  },
});

function checkGrowth(soak: Soak, samples: readonly Sample[], slopeMb: number): void {
  for (const part of ['main', 'window'] as const) {
    const slope = 60 * fitSlope(samples.map((sample) => [sample.at, sample[part]]));
    soak.addFigure(`${part}: memory at the end`, samples.at(-1)?.[part] ?? 0, 'MB');
    soak.addFigure(`${part}: growth`, slope, 'MB/min');
    soak.check(`${part} grows by less than ${slopeMb} MB a minute`, slope < slopeMb, slope.toFixed(2));
  }
}

/** Times by the number of a message, as `Date.now()` gives them. */
interface Times {
  readonly sentAt: ReadonlyMap<number, number>;
  readonly painted: ReadonlyMap<number, number>;
  readonly latencyMs: number;
}

function checkLatencies(soak: Soak, { sentAt, painted, latencyMs }: Times): void {
  const latencies = Array.from(sentAt, ([number, sent]) => (painted.get(number) ?? 0) - sent)
    .filter((latency) => latency > 0)
    .sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  soak.addFigure('updates', sentAt.size, '');
  soak.addFigure('painted after, median', quantile(0.5), 'ms');
  soak.addFigure('painted after, p95', quantile(0.95), 'ms');
  soak.addFigure('painted after, maximum', quantile(1), 'ms');
  soak.check(
    'the paint of nine in ten updates is observed',
    latencies.length > 0.9 * sentAt.size,
    latencies.length,
  );
  soak.check(
    `half of the updates are painted within ${latencyMs} ms`,
    quantile(0.5) < latencyMs,
    quantile(0.5).toFixed(0),
  );
}

interface Sample {
  /** Seconds. */
  readonly at: number;
  readonly main: number;
  readonly window: number;
}

/** Measures memory after garbage collections, ten times or once a minute. */
async function sampleMemory(
  soak: Soak,
  { signedIn, page, seconds }: { readonly signedIn: SignedIn; readonly page: Page; readonly seconds: number },
  setMeasuring: (isMeasuring: boolean) => void,
): Promise<readonly Sample[]> {
  const session = await page.context().newCDPSession(page);
  const start = performance.now();
  const at = () => (performance.now() - start) / 1000;
  const every = Math.min(seconds / 10, 60);
  const samples: Sample[] = [];
  while (at() < seconds) {
    await pause(every * 1000);
    setMeasuring(true);
    await pause(SETTLE_MS);
    const { held } = await signedIn.messenger.settledMemory();
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await pause(SETTLE_MS);
    setMeasuring(false);
    samples.push({ at: at(), main: held, window: usedSize / 1024 / 1024 });
    soak.showProgress(`${Math.round(at())} of ${seconds} s: main ${held.toFixed(0)} MB`);
  }
  // The first samples contain the memory that the opening needed.
  return samples.slice(Math.floor(samples.length / 4));
}

/** Records in the page when each new message is painted. */
const watchPainting = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const painted = new Map<number, number>();
    Reflect.set(window, 'soakPainted', painted);
    const record = () => {
      for (const article of document.querySelectorAll<HTMLElement>('article[data-message-id]')) {
        const number = Number((article.dataset['messageId'] ?? '').slice(1));
        if (painted.has(number)) continue;
        painted.set(number, 0);
        // The second frame from now starts after the next one has been painted.
        requestAnimationFrame(() => requestAnimationFrame(() => void painted.set(number, Date.now())));
      }
    };
    new MutationObserver(record).observe(document.body, { childList: true, subtree: true });
  });

const paintedTimes = async (page: Page): Promise<[number, number][]> =>
  timesSchema.parse(await page.evaluate('Array.from(window.soakPainted)'));
