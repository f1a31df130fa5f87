import { expect, test } from 'vitest';
import { menuItems } from './menuItems.ts';

const labels = (isSignedIn: boolean, isClosed: boolean) =>
  menuItems({ isSignedIn, isClosed }).map(({ label }) => label);

const ALWAYS = ['Settings…', 'Copy diagnostics', 'Delete my data…', 'About Parley'];
const SESSION = ['Save this session', 'Inspect this session'];

test.each([
  [false, false, ALWAYS],
  [false, true, ALWAYS],
  [true, false, [...SESSION, ...ALWAYS]],
  [true, true, [...SESSION, 'Reconnect', ...ALWAYS]],
])(
  'returns the entries when signed in is %s and closed for a reason is %s: %j',
  (isSignedIn, isClosed, expected) => {
    expect(labels(isSignedIn, isClosed)).toEqual(expected);
  },
);
