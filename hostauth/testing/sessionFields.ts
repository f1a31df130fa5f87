import type { NewSessionFields } from '../http/sessions/sessions.ts';

/** Returns the fields of a sign-in from this machine at time 0. */
export const sessionFields = (username: string): NewSessionFields => ({
  username,
  account: username,
  address: '127.0.0.1',
  checkedAt: 0,
});
