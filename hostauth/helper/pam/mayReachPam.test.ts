import { constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { mayReachPam } from './pamMessages.ts';

const username = 'ada';
const password = 'right';

describe('mayReachPam', () => {
  test.each([
    ['an ordinary name and password', { username, password }],
    ['a blank password, which is for PAM to refuse', { username, password: '' }],
    ['a name of 32 bytes', { username: 'a'.repeat(32), password }],
    ['a password of 126 bytes', { username, password: 'p'.repeat(126) }],
    ['a password of 126 bytes in 42 characters', { username, password: '€'.repeat(42) }],
    ['a password with an emoji, whose surrogates are a pair', { username, password: '\u{1F511}' }],
  ])('accepts %s', (_, credentials) => {
    expect(mayReachPam(credentials)).toBe(true);
  });

  test.each([
    ['no name, for which PAM would ask and get the password', { username: '', password }],
    ['a name of 33 bytes', { username: 'a'.repeat(33), password }],
    ['a name of 33 bytes in 11 characters', { username: '€'.repeat(11), password }],
    ['a password of 127 bytes', { username, password: 'p'.repeat(127) }],
    ['a password of 128 bytes', { username, password: 'p'.repeat(128) }],
    ['a password of 129 bytes in 43 characters', { username, password: '€'.repeat(43) }],
    ['a half of a pair of surrogates', { username, password: 'a\uD83D' }],
    ['the other half, in the name', { username: '\uDD11', password }],
  ])('refuses %s', (_, credentials) => {
    expect(mayReachPam(credentials)).toBe(false);
  });

  test('refuses a NUL or a line end anywhere in either', () => {
    const around = string({ maxLength: 10 });
    checkProperty(
      property(around, constantFrom('\0', '\r', '\n'), around, (before, character, after) => {
        const text = `${before}${character}${after}`;
        expect(mayReachPam({ username: text, password })).toBe(false);
        expect(mayReachPam({ username, password: text })).toBe(false);
      }),
    );
  });
});
