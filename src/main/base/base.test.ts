import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { LineWriter } from '#node/createLogger.ts';
import { virtualClock } from '#shared/clock.ts';
import { errorCode } from '#shared/formatText.ts';
import { createTokenBucket, createPacedTasks } from './tokenBucket.ts';
import { errorFields, UNEXPECTED_ERROR, handleUncaughtErrors } from './handleUncaughtErrors.ts';
import { EventEmitter } from 'node:events';
import { readSettings } from '#shared/settings.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';

test('accepts a burst, then the rate', () => {
  const clock = virtualClock();
  const bucket = createTokenBucket({ burst: 10, perSecond: 2 }, clock);
  const accepted = () => Array.from({ length: 20 }, () => bucket.take(1)).filter(Boolean).length;
  expect([accepted(), bucket.isEmpty()]).toEqual([10, true]);
  clock.advance(1500);
  expect(accepted()).toBe(3);
  clock.advance(1e6);
  expect(accepted()).toBe(10);
  clock.advance(1e6);
  expect([9, 1000, 1].map(bucket.take)).toEqual([true, true, false]);
  // Any rest of a token is enough.
  clock.advance(499_750);
  expect([bucket.isEmpty(), bucket.take(1), bucket.take(1)]).toEqual([false, true, false]);
});

test('lets tasks wait while they exceed the rate, loses none, and refuses others when too many wait', () => {
  const clock = virtualClock();
  const deferred: (() => void)[] = [];
  const defer = (task: () => void) => void deferred.push(task);
  const { run } = createPacedTasks({ rate: { burst: 40, perSecond: 10 }, waiting: 5, clock, defer });
  let done = '';
  const request = (name: string) =>
    run(() => {
      done += name;
      return 10;
    });
  const endTurns = () => {
    for (let turn = 0; turn < 10; turn++) deferred.splice(0).forEach((task) => task());
  };
  expect(Array.from('abcdefgh', request)).toEqual([...Array(6).fill(true), false, false]);
  endTurns();
  expect(done).toBe('abcd');
  clock.advance(1000);
  endTurns();
  expect(done).toBe('abcde');
  for (let second = 0; second < 10; second++) {
    clock.advance(1000);
    endTurns();
  }
  expect(done).toBe('abcdef');
});

test('returns the name, code and stack frames of an error, the type of anything else, and nothing of a message; logs an uncaught error so and notifies the windows, and throws nothing when these cannot be notified', () => {
  const message = 'the secret\n    at secretLine (/home/ada/secret.js:1:2)';
  const fields = [message, `${message}\n  second line`].map((text) =>
    errorFields(Object.assign(new RangeError(text), { code: 'ENOSPC' })),
  );
  for (const { frames, ...others } of fields) {
    expect(others).toEqual({ error: 'RangeError', code: 'ENOSPC' });
    expect(frames[0]).toMatch(/base\.test\.ts:\d+:\d+$/);
  }
  const places = Array.from({ length: 10 }, (_, line) => `node:b:${line}:1`);
  const stack = `Error: x\n    at ${['async A.load (/home/ada/a.js:1:2)', ...places].join('\n    at ')}`;
  const { frames } = errorFields(Object.assign(new Error('x'), { stack }));
  expect(frames).toEqual(['A.load a.js:1:2', ...places.slice(0, 9)]);
  const named = Object.assign(new Error('x'), { name: 'a secret name' });
  const coded = Object.assign(new Error('x'), { code: 'a secret code' });
  const others = ['secret', named, coded].map(errorFields);
  expect(others.map((one) => one.error)).toEqual(['string', 'Error', 'Error']);
  expect(JSON.stringify([fields, others])).not.toMatch(/secret|ada|second/);
  const source = new EventEmitter();
  const kept = mainLog();
  const note = vi.fn<(text: string) => void>();
  handleUncaughtErrors({ source: Object(source), log: kept.log, note });
  source.emit('uncaughtException', new TypeError('secret text'));
  source.emit('unhandledRejection', new TypeError('secret text'));
  expect(note.mock.calls).toEqual([[UNEXPECTED_ERROR], [UNEXPECTED_ERROR]]);
  note.mockThrow(new Error('secret text'));
  source.emit('uncaughtException', new Error('x'));
  const logged = ['exception', 'rejection'].map((kind) => ({ level: 'error', kind, error: 'TypeError' }));
  expect(kept.lines()).toMatchObject([...logged, { kind: 'exception' }, { channel: 'note' }]);
  expect(kept.text()).not.toContain('secret');
});

/** Creates a logger whose only level is that of warnings. */
const createLogger = ({ writers }: { readonly writers: readonly LineWriter[] }) => {
  const warn = (msg: string) =>
    writers.forEach(({ write }) => write(`{"level":40,"time":"now","msg":"${msg}"}\n`));
  return { log: { warn } };
};

test('logs to the tail and to three files of up to 10 MB, first a warning for each plain address, and reports when they cannot be written', async () => {
  vi.resetModules();
  vi.doMock('#node/createLogger.ts', () => ({ createLogger }));
  const { createLog } = await import('./createLog.ts');
  vi.doUnmock('#node/createLogger.ts');
  const [dataDir, clock, reported] = [mainFolder(), virtualClock(), new Array<unknown>()];
  const settings = readSettings({ PARLEY_API_URL: 'http://a.org', PARLEY_PLATFORM_URL: 'wss://a.org' });
  const onFailure = (error: unknown) => reported.push(errorCode(error));
  const start = () => createLog({ dataDir, settings, clock, onFailure, onRecovery() {} });
  const logs = join(dataDir, 'logs');
  fs.writeFileSync(logs, '');
  const warned = 'PARLEY_API_URL is a plain address: what is sent can be read on its way';
  expect([start().tail.lines(), reported]).toEqual([[`now warn ${warned}`], ['ENOTDIR']]);
  fs.rmSync(logs);
  for (let files = 0; files < 5; files++) {
    start();
    fs.truncateSync(join(logs, 'parley.log'), 10_000_000);
  }
  expect(fs.readdirSync(logs).sort()).toEqual(['parley.1.log', 'parley.2.log', 'parley.log']);
});
