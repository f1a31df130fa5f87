import { expect, test } from 'vitest';
import { errorFields } from './handleUncaughtErrors.ts';

test('returns the name, code and stack frames of an error, and nothing of its message', () => {
  const message = 'the secret\n    at secretLine (/home/ada/secret.js:1:2)\n  second line';
  const error = Object.assign(new RangeError(message), { code: 'ENOSPC' });
  const fields = errorFields(error);
  expect(fields).toMatchObject({ error: 'RangeError', code: 'ENOSPC' });
  expect(fields.frames[0]).toMatch(/errorFields\.test\.ts:\d+:\d+$/);
  expect(JSON.stringify(fields)).not.toMatch(/secret|ada|second/);
});

test('removes a message that looks like stack frames', () => {
  const error = new Error('    at secret (a.js:1:2)');
  expect(JSON.stringify(errorFields(error))).not.toContain('secret');
});

test.each([
  ['a text', 'secret', 'string'],
  ['nothing', undefined, 'undefined'],
  ['an object', { name: 'secret' }, 'object'],
  ['an error with a sentence as its name', Object.assign(new Error('x'), { name: 'a secret name' }), 'Error'],
])('describes %s by its type', (_, thrown, error) => {
  expect(errorFields(thrown).error).toBe(error);
  expect(JSON.stringify(errorFields(thrown))).not.toContain('secret');
});
