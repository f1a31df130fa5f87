import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { START_APPLIED_MS, START_CAPTURE_BYTES, START_SETTLED_MS } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { captureFolder } from '../capture/captureFolder.ts';
import { createStartGuard } from './startGuard.ts';

/** A limit that a few records reach. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  START_CAPTURE_BYTES: 1e5,
}));

const HELLO = { t: 1, type: 'recv', data: '{"person":"Ada"}' } as const;

function setUp() {
  const dataDir = mainFolder();
  const clock = virtualClock();
  const folder = captureFolder(join(dataDir, 'captures'));
  const options = { dataDir, folder, clock, today: () => new Date(0), version: '0.0.0', log: mainLog().log };
  const start = () => createStartGuard(options);
  /** A start during which the program ends. */
  const crash = () => {
    const guard = start();
    guard.launching();
    guard.record(HELLO);
  };
  return { dataDir, clock, start, crash, received: join(dataDir, 'failed-start.parley.jsonl') };
}

test('has failed at the third start after two failed ones, and until one is settled', () => {
  const { start, crash } = setUp();
  const failed = [1, 2, 3].map(() => {
    crash();
    return start().hasFailed();
  });
  expect(failed).toEqual([false, true, true]);
});

test('counts no failure of a session that was settled, reset, or followed by another one in the same start', () => {
  for (const end of ['settled', 'reset'] as const) {
    const { start: startAgain, crash } = setUp();
    crash();
    const guard = startAgain();
    guard.launching();
    guard[end]();
    crash();
    expect(startAgain().hasFailed()).toBe(false);
  }
  const { start } = setUp();
  const guard = start();
  guard.launching();
  guard.launching();
  expect(start().hasFailed()).toBe(false);
});

test('settles a start 30 s after its launch, or 3 s after its first applied update', () => {
  const { start, crash, clock, received } = setUp();
  crash();
  const isRecorded = (ms: number) => {
    clock.advance(ms);
    return existsSync(received);
  };
  start().launching();
  expect([isRecorded(START_SETTLED_MS - 1), isRecorded(1)]).toEqual([true, false]);
  crash();
  const quick = start();
  quick.launching();
  quick.applied();
  expect(isRecorded(START_APPLIED_MS - 1)).toBe(true);
  quick.applied();
  expect(isRecorded(1)).toBe(false);
  expect(start().hasFailed()).toBe(false);
});

test('records nothing at a first start, each frame at once after a failed one, and saves what it received as a capture, once', async () => {
  const { start, crash, received, dataDir } = setUp();
  crash();
  expect(existsSync(received)).toBe(false);
  crash();
  expect(statSync(received).mode & 0o777).toBe(0o600);
  const text = readFileSync(received, 'utf8');
  const [header, record] = text.split('\n').map((line) => line && JSON.parse(line));
  expect(header).toMatchObject({ format: 'parley-capture', app: '0.0.0' });
  expect(record).toEqual(HELLO);
  const guard = start();
  expect(guard.canSave()).toBe(true);
  const saved = Object(await guard.save());
  expect(saved.path.startsWith(join(dataDir, 'captures'))).toBe(true);
  expect(readFileSync(saved.path, 'utf8')).toBe(text);
  expect(guard.canSave()).toBe(false);
  expect(await guard.save()).toEqual({ error: expect.stringContaining('could not be saved') });
});

test('records no more than its limit', () => {
  const { start, crash, received } = setUp();
  crash();
  const guard = start();
  guard.launching();
  const data = 'x'.repeat(START_CAPTURE_BYTES / 4);
  for (let t = 0; t < 6; t++) guard.record({ t, type: 'recv', data });
  expect(statSync(received).size).toBeLessThan(START_CAPTURE_BYTES);
  guard.reset();
});
