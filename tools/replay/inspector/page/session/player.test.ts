import { expect, it } from 'vitest';
import type { InspectorClient } from '../../protocol/workerClient.ts';
import type { SessionInfo } from '../../protocol/protocol.ts';
import { createCore, createStore } from './inspectorStore.ts';
import { createPlayer } from './player.ts';
import { type Direction, type InspectorState, initialState } from './inspectorState.ts';

/** Steps 0 to 4 at these times, milliseconds. */
const TIMES = [0, 100, 150, 5000, 5010];

const INFO: SessionInfo = {
  name: 'x',
  header: { format: 'parley-capture', version: 1, startedAt: '2026-11-20T09:00:00.000Z', app: '0.1.0' },
  steps: 4,
  updates: 0,
  frames: { received: 0, sent: 0, rejected: 0 },
  messages: 0,
  windows: [],
  duration: 5010,
  warnings: [],
};

/** Creates a player of these steps; the test triggers its animation frames. */
async function playing(part: Partial<InspectorState>, met?: number, direction: Direction = 'forward') {
  const store = createStore<InspectorState>({
    ...initialState,
    phase: { kind: 'ready' },
    info: INFO,
    ...part,
  });
  const request = (name: string, { step = 0, count = 0 }: { step?: number; count?: number }) =>
    Promise.resolve(
      name === 'times'
        ? Float64Array.from(TIMES.slice(step, step + count))
        : met !== undefined && { step: met, target: 0 },
    );
  // The requests of the player are answered above; the rest of the client is not used.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const client = { request } as unknown as InspectorClient;
  let draw: ((now: number) => void) | undefined;
  const navigate = { show: (step: number) => store.set({ step }) };
  const play = createPlayer(createCore(client, store), navigate, (callback) => {
    draw = callback;
  });
  play.toggle(direction);
  await expect.poll(() => draw !== undefined).toBe(true);
  const at = (now: number) => {
    const callback = draw;
    draw = undefined;
    callback?.(now);
    return store.get().step;
  };
  at(1000);
  return { store, play, at, isDrawing: () => draw !== undefined };
}

it('shows each step at its recorded time', async () => {
  const { at } = await playing({});
  expect([1099, 1100, 1149, 1150, 5999, 6000, 6010].map(at)).toEqual([0, 1, 1, 2, 2, 3, 4]);
});

it('plays 100 times as fast', async () => {
  const { at } = await playing({ speed: 100 });
  expect([1001, 1001.5, 1050].map(at)).toEqual([1, 2, 3]);
});

it('shortens a pause of 5 s to 0.5 s', async () => {
  const { at } = await playing({ capsIdle: true });
  expect([1649, 1650, 1660].map(at)).toEqual([2, 3, 4]);
});

it('stops at the last step and starts from step 0 when it plays again', async () => {
  const { at, store, isDrawing, play } = await playing({});
  at(9000);
  expect(store.get()).toMatchObject({ step: 4, playing: undefined });
  expect(isDrawing()).toBe(false);
  play.toggle('forward');
  await expect.poll(isDrawing).toBe(true);
  at(10_000);
  expect(at(10_100)).toBe(1);
});

const BREAKPOINT = { search: { kind: 'change', text: 'connection' }, isOn: true } as const;

it('plays backward at the recorded times', async () => {
  const { at, store } = await playing({ step: 4 }, undefined, 'backward');
  expect([1009, 1010, 5860, 5910, 6010].map(at)).toEqual([4, 3, 2, 1, 0]);
  expect(store.get().playing).toBeUndefined();
});

it('stops at step 2 when it plays backward', async () => {
  const { at, store } = await playing({ step: 4, breakpoints: [BREAKPOINT] }, 2, 'backward');
  expect(at(9000)).toBe(2);
  expect(store.get().notice?.text).toBe('Stopped at step 2: connection changed.');
});

it('does not stop at a breakpoint that is off', async () => {
  const { at } = await playing({ breakpoints: [{ ...BREAKPOINT, isOn: false }] }, 2);
  expect(at(9000)).toBe(4);
});

it('stops at step 2 when its break matches, and shows a notice', async () => {
  const { at, store } = await playing({ breakpoints: [BREAKPOINT] }, 2);
  expect(at(9000)).toBe(2);
  expect(store.get()).toMatchObject({
    playing: undefined,
    notice: { text: 'Stopped at step 2: connection changed.', isError: false },
  });
});

it('shows no further step while it is paused', async () => {
  const { at, store, play } = await playing({});
  at(1100);
  play.pause();
  expect(at(9000)).toBe(1);
  expect(store.get().playing).toBeUndefined();
});
