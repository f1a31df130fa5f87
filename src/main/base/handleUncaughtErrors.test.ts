import { expect, test } from 'vitest';
import { errorFields, UNEXPECTED_ERROR, handleUncaughtErrors } from './handleUncaughtErrors.ts';
import { EventEmitter } from 'node:events';
import { mainLog } from '#tests/builders/mainLog.ts';

test('returns the name, code and stack frames of an error, and nothing of its message', () => {
  const message = 'the secret\n    at secretLine (/home/ada/secret.js:1:2)\n  second line';
  const error = Object.assign(new RangeError(message), { code: 'ENOSPC' });
  const fields = errorFields(error);
  expect(fields).toMatchObject({ error: 'RangeError', code: 'ENOSPC' });
  expect(fields.frames[0]).toMatch(/handleUncaughtErrors\.test\.ts:\d+:\d+$/);
  expect(JSON.stringify(fields)).not.toMatch(/secret|ada|second/);
});

test.each([
  ['a text', 'secret', 'string'],
  ['an error with a sentence as its name', Object.assign(new Error('x'), { name: 'a secret name' }), 'Error'],
])('describes %s by its type', (_, thrown, error) => {
  expect(errorFields(thrown).error).toBe(error);
  expect(JSON.stringify(errorFields(thrown))).not.toContain('secret');
});

function setUp(note?: (text: string) => void) {
  const source = new EventEmitter();
  const kept = mainLog();
  const notes: string[] = [];
  handleUncaughtErrors({
    source: Object(source),
    log: kept.log,
    note: note ?? ((text) => notes.push(text)),
  });
  return { source, kept, notes };
}

test.each([
  ['uncaughtException', 'exception'],
  ['unhandledRejection', 'rejection'],
])('logs an error of %s without its message and notifies the windows', (event, kind) => {
  const { source, kept, notes } = setUp();
  source.emit(event, new TypeError('secret text'));
  expect(notes).toEqual([UNEXPECTED_ERROR]);
  expect(kept.lines()).toMatchObject([{ level: 'error', kind, error: 'TypeError' }]);
  expect(kept.text()).not.toContain('secret');
});

test('throws nothing when the windows cannot be notified', () => {
  const { source, kept } = setUp(() => {
    throw new Error('secret text');
  });
  source.emit('uncaughtException', new Error('x'));
  expect(kept.lines()).toMatchObject([{ kind: 'exception' }, { channel: 'note' }]);
  expect(kept.text()).not.toContain('secret');
});
