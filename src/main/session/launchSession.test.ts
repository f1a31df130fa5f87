import { expect, test, afterEach, vi } from 'vitest';
import { createParleyEngine } from '#replay/parley/parley.ts';
import { recordingStarted, recordingStopped, windowOpened } from '#shared/actions/mainActions.ts';
import * as windowActions from '#shared/actions/windowActions.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { mainRecorder, readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { message } from '#tests/builders/updateOf.ts';
import type { ConnectionEvents } from './platformConnection.ts';

/** A limit that a few updates reach. */
vi.mock('#shared/limits.ts', async (original) => ({ ...(await original<object>()), QUEUE_BYTES: 64_000 }));

test('a replay has every slice of main, except those that a capture does not contain', async () => {
  const { store } = await mainStore();
  const notRecorded = new Set(['account', 'sequence', 'conversationStart', 'timesOfDay', 'notices']);
  const slices = Object.keys(store.getState()).filter((name) => !notRecorded.has(name));
  expect(Object.keys(createParleyEngine().state()).sort()).toEqual(slices.sort());
});

/** The time of the launch in the capture; on the clock it has more digits. */
const LAUNCHED_AT = 1234.568;

afterEach(() => {
  vi.doUnmock('./platformConnection.ts');
  // Later files of the process must not get the modules with the mocks.
  vi.resetModules();
});

/** Starts a program with a recorder and a virtual clock, whose sessions have the test as their socket. */
async function started(options: Parameters<typeof mainRecorder>[0] = {}) {
  const recorded = mainRecorder(options);
  const { recorder: capture, clock, kept } = recorded;
  const main = await mainStore({ capture, clock, kept });
  const sockets: ConnectionEvents[] = [];
  const calls: string[] = [];
  const pause = (by: string) => void (by === 'queue' && calls.push('pause'));
  const resume = (by: string) => void (by === 'queue' && calls.push('resume'));
  vi.doMock('./platformConnection.ts', () => ({
    connect({ events }: { readonly events: ConnectionEvents }) {
      sockets.push(events);
      return { send: () => 'sent', pause, resume, reconnect() {}, onResume() {}, end() {} };
    },
  }));
  const { launchSession } = await import('./launchSession.ts');
  main.store.dispatch(windowOpened(1));
  clock.advance(LAUNCHED_AT - 0.0002);
  const known = new Set<string>();
  return {
    ...main,
    recorded,
    launch() {
      // A session begins with windows as new ones.
      main.store.dispatch(ofWindow(windowActions.stateReported({ state: initialWindowState }), 1));
      const session = launchSession({
        ...main,
        url: '',
        today: () => new Date(0),
        log: kept.log,
        onRecord() {},
        onUnauthorized() {},
      });
      const events = sockets.at(-1);
      if (events === undefined) throw new Error('the session has no connection');
      return {
        ...main,
        events,
        /** When the queue pauses and resumes the socket. */
        calls,
        session,
        /** Ends the session; returns its records. */
        async end() {
          session.end(1000, 'logout');
          await capture.settling();
          const path = recorded.files().find((file) => !known.has(file)) ?? '';
          known.add(path);
          return readCaptureFile(path).records;
        },
      };
    },
  };
}

type Session = ReturnType<Awaited<ReturnType<typeof started>>['launch']>;

function receive({ events }: Session, frame: object) {
  const text = JSON.stringify(frame);
  events.frame(text, Buffer.from(text));
}

const lateReleases = (records: readonly CaptureRecord[]) => records.filter(({ type }) => type === 'release');

test('contract §6 release: a tick comes before what arrives at or after it, also when its timer fires later', async () => {
  const program = (await started()).launch();
  const { clock, store } = program;
  const applied = () => store.getState().counts.applied;
  receive(program, message('1'));
  clock.stall(100);
  store.dispatch(recordingStarted());
  expect(applied()).toBe(1);
  receive(program, message('2'));
  receive(program, message('3'));
  clock.stall(140);
  receive(program, message('4'));
  expect([applied(), store.getState().queue.lastTick]).toEqual([2, 200]);
  // One tick releases one update, however many ticks were missed.
  clock.stall(500);
  store.dispatch(recordingStopped());
  store.dispatch(recordingStarted());
  expect([applied(), store.getState().queue.lastTick]).toEqual([3, 700]);
  expect(lateReleases(await program.end())).toMatchObject([{ update: 3, due: 300, tick: 700 }]);
});

test.each([
  // How many need more than the limit, and how many need half of it or less.
  ['texts', JSON.stringify({ text: 'x'.repeat(8000) }), 8, 3],
  ['short frames of many objects', `{"text":"","unknown":[${'{},'.repeat(300)}{}]}`, 3, 1],
  ['one that is larger than the limit', `{"text":"","unknown":[${'{},'.repeat(900)}{}]}`, 1, 0],
])(
  'stops reading at the limit of memory for waiting updates until half is released: %s',
  async (...[, text, most, half]) => {
    const { events, calls, clock } = (await started({ writesFiles: false })).launch();
    for (let frames = 1; frames <= most; frames++) {
      expect(calls).toEqual([]);
      events.frame(text, Buffer.from(text));
    }
    expect(calls).toEqual(['pause']);
    clock.advance(100 * (most - half) - 1);
    expect(calls).toEqual(['pause']);
    clock.advance(1);
    expect(calls).toEqual(['pause', 'resume']);
  },
);
