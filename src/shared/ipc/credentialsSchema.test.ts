import { expect, test } from 'vitest';
import { credentialsSchema } from './credentialsSchema.ts';

test.each([
  ['a name that is missing', {}],
  ['a name that is null', { name: null }],
  ['an empty name', { name: '' }],
])('spec §4.1: treats %s as a login', (_, name) => {
  expect(credentialsSchema.parse({ email: 'a', password: 'b', ...name })).toEqual({
    email: 'a',
    password: 'b',
    name: '',
  });
});

test.each([
  ['an object without a password', { email: 'a', name: '' }],
  ['a name that is a number', { email: 'a', password: 'b', name: 1 }],
  ['a list', ['a', 'b', 'c']],
  ['a text', 'a'],
])('spec §2.1: refuses %s as credentials', (_, value) => {
  expect(credentialsSchema.safeParse(value).success).toBe(false);
});
