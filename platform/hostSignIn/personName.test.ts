import { expect, test } from 'vitest';
import { credentialsError } from '#shared/protocol/credentials.ts';
import { personName } from './personName.ts';

test.each([
  ['ada', 'Ada Lovelace,Room 1,555,', 'Ada Lovelace'],
  ['ada', '  Ada   King-Lovelace ', 'Ada King-Lovelace'],
  ['ada', '& Lovelace', 'Ada Lovelace'],
  ['ada', 'Ada\u0007\u202ELovelace', 'Ada Lovelace'],
  ['bob', 'Bob', 'Bob'],
  ['ada', `A${'𝒜'.repeat(70)}`, `A${'𝒜'.repeat(31)}`],
])('takes the full name of %s from %j', (username, gecos, person) => {
  expect(personName(username, gecos)).toBe(person);
});

test.each([
  ['ada', ',,,', 'User Ada'],
  ['ada.lovelace', '', 'Ada Lovelace'],
  ['ada_king-2', '', 'Ada King'],
  ['x', '', 'User X'],
  ['www-data', '', 'Www Data'],
  ['a'.repeat(32), '', `A${'a'.repeat(29)}`],
])('makes a name that the form accepts of the user name %s', (username, gecos, person) => {
  expect(personName(username, gecos)).toBe(person);
  expect(credentialsError({ email: 'a@b', password: 'engine1!', name: person })).toBeNull();
});

test('names a user whose name has no letters', () => {
  expect(personName('_1', '')).toBe('User');
});
