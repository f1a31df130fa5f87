import type { NewSessionFields } from '../http/sessions/sessions.ts';

/** Somebody who signs in from this machine when the clock is at 0. */
export const sessionFields = (username: string): NewSessionFields => ({
  username,
  account: username,
  address: '127.0.0.1',
  checkedAt: 0,
});
