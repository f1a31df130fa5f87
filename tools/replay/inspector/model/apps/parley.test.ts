import { expect, test } from 'vitest';
import {
  audioStarted,
  recordingStarted,
  windowClosed,
  windowHidden,
  windowOpened,
} from '#shared/actions/mainActions.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { leftBottom, textBoxOpened, viewChanged } from '#shared/actions/windowActions.ts';
import { recv } from '#tests/builders/recv.ts';
import { modelOf, parleyAt } from '../testing/modelOf.ts';

const act = (t: number, { type, payload }: { type: string; payload?: unknown }, window?: number) => ({
  t,
  type: 'action' as const,
  action: { type, payload },
  ...(window !== undefined && { window }),
});

const VIEW = viewChanged({ view: 'conversation' });

const TWO_WINDOWS = modelOf([
  act(0, windowOpened(1)),
  act(1, VIEW, 1),
  act(2, windowOpened(2)),
  act(3, VIEW, 2),
  act(4, textBoxOpened({ text: 'hello' }), 2),
  act(5, leftBottom(), 1),
  act(6, windowHidden(1)),
  act(7, windowClosed(1)),
  act(8, windowClosed(2)),
]);

const shown = (step: number, window?: number) =>
  parleyAt(TWO_WINDOWS, { step, ...(window !== undefined && { window }) }).window;

test('shows the first open window, and the chosen one while it is open', () => {
  expect([0, 1, 2, 6].map((step) => shown(step).number)).toEqual([null, 1, 1, 1]);
  expect([2, 6, 8, 9].map((step) => shown(step, 2).number)).toEqual([1, 2, 2, null]);
  expect(shown(5, 2).state.own.textBox).toBe('hello');
  expect(shown(5, 1).state.own.textBox).toBeNull();
  expect(shown(6).state.own.scroll.isAtBottom).toBe(false);
  expect([6, 7].map((step) => shown(step).isVisible)).toEqual([false, false]);
  expect(TWO_WINDOWS.info.windows).toEqual([1, 2]);
});

const views = (model: ReturnType<typeof modelOf>) =>
  [0, 1, 2].map((step) => parleyAt(model, { step }).window.state.own.view);

test('shows the conversation of a capture without windows from its launch on, or from its start', () => {
  const frame = recv(9, { name: 'Ada' });
  expect(views(modelOf([frame]))).toEqual(['conversation', 'conversation', 'conversation']);
  expect(views(modelOf([act(0, audioStarted()), { t: 5, type: 'launch' }, frame]))).toEqual([
    'splash',
    'splash',
    'conversation',
  ]);
});

test('has the words of the newest snapshot', () => {
  const model = modelOf([
    recv(10, { person: 'Ada', words: ['stop', 'again'] }),
    recv(110, { name: 'Ada' }),
    recv(210, { person: 'Ada' }),
  ]);
  const wordsAt = (step: number) => parleyAt(model, { step }).window.state.words;
  expect([0, 1, 2, 3, 4, 5, 6].map(wordsAt)).toEqual([
    [],
    [],
    ['stop', 'again'],
    ['stop', 'again'],
    ['stop', 'again'],
    ['stop', 'again'],
    [],
  ]);
});

test('shows whether the platform has answered, the applied updates without notifications, and the backlog from 20 updates on', () => {
  const message = { modifier: 'ai', content: [{ category: 'text', text: 'hi' }] };
  const model = modelOf([
    act(0, connectionConfirmed()),
    recv(1, message),
    recv(2, { seen: true }),
    { t: 150, type: 'close', code: 1006, reason: '' },
    ...Array.from({ length: 20 }, () => recv(300, message)),
  ]);
  const state = (step: number) => parleyAt(model, { step }).window.state;
  expect([0, 1].map((step) => state(step).wasConnected)).toEqual([false, true]);
  const last = state(model.info.steps);
  expect(last).toMatchObject({
    wasConnected: true,
    appliedUpdates: 21,
    connection: { status: 'disconnected' },
  });
  const backlogs = Array.from({ length: model.info.steps }, (_, step) => state(step).backlog.updates);
  expect(new Set(backlogs)).toEqual(new Set([0, 20]));
});

test('shows how long the running recording has lasted', () => {
  const model = modelOf([
    act(0, audioStarted()),
    act(10, recordingStarted()),
    recv(60, { name: 'Ada' }),
    act(1010, windowOpened(1)),
  ]);
  expect([1, 2, 3, 4, 5].map((step) => parleyAt(model, { step }).window.recordedMs)).toEqual([
    0, 0, 50, 90, 1000,
  ]);
});
