import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createAudit, escapeName } from './audit.ts';

test('does not change a plain name', () => {
  expect(escapeName('ada_lovelace-1815.x')).toBe('ada_lovelace-1815.x');
});

test('escapes line ends, terminal codes, letters of other scripts and backslashes', () => {
  expect(escapeName('a\nb')).toBe(String.raw`a\u{a}b`);
  expect(escapeName('\u001B[31m')).toBe(String.raw`\u{1b}[31m`);
  expect(escapeName('\u202Eada')).toBe(String.raw`\u{202e}ada`);
  expect(escapeName('😀')).toBe(String.raw`\u{1f600}`);
  expect(escapeName('\uD800')).toBe(String.raw`\u{d800}`);
  expect(escapeName(String.raw`\n`)).toBe(String.raw`\u{5c}n`);
});

test('shortens a long name to 32 characters, before an escape that does not fit', () => {
  expect(escapeName('x'.repeat(33))).toBe('x'.repeat(32));
  expect(escapeName(`${'x'.repeat(30)}\n`)).toBe('x'.repeat(30));
});

test('writes the event and escapes input', () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const audit = createAudit(pino({ base: null, timestamp: false }, log));
  audit('sign-in failed', { username: 'a\n', by: 'b\t', detail: 'c\r', address: '::1', reason: 'input' });
  audit('user not rolled back', { username: 'ada' });
  audit('service started', { slots: 1024 });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      level: 40,
      audit: 'sign-in failed',
      username: String.raw`a\u{a}`,
      by: String.raw`b\u{9}`,
      detail: String.raw`c\u{d}`,
      address: '::1',
      reason: 'input',
      msg: 'sign-in failed',
    },
    { level: 50, audit: 'user not rolled back', username: 'ada', msg: 'user not rolled back' },
    { level: 30, audit: 'service started', slots: 1024, msg: 'service started' },
  ]);
});
