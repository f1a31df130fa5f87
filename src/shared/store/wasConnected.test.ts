import { expect, test } from 'vitest';
import { connectionClosed, connectionConfirmed, connectionRequested } from './connection.ts';
import { sessionEnded, sessionLaunched } from './session.ts';
import { wasConnectedReducer } from './wasConnected.ts';

const fold = (...actions: Parameters<typeof wasConnectedReducer>[1][]) =>
  actions.reduce(wasConnectedReducer, wasConnectedReducer(undefined, { type: '' }));

test('stays true from the first answer of the platform to the session’s end', () => {
  const launched = sessionLaunched({ launchedAt: 0 });
  const closed = connectionClosed({ code: 1006, reason: '' });
  expect(fold(launched, closed)).toBe(false);
  expect(fold(launched, connectionConfirmed(), closed, connectionRequested())).toBe(true);
  expect(fold(connectionConfirmed(), sessionEnded())).toBe(false);
  expect(fold(connectionConfirmed(), launched)).toBe(false);
});
