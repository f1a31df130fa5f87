import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { mainLog } from '#tests/builders/mainLog.ts';
import { UNEXPECTED_ERROR, handleUncaughtErrors } from './handleUncaughtErrors.ts';

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
