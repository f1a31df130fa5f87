import { EventEmitter, once } from 'node:events';
import type { Authenticator } from '../helper/pam/pamAuthenticator.ts';
import type { PamOutcome } from '../helper/pam/pamMessages.ts';

/** A part of every password in these tests, so that logs can be searched for it. */
export const SECRET = 'sesame';
/** The password that the fake authenticator accepts. */
export const PASSWORD = `open-${SECRET}`;
/** A password that it refuses. */
export const WRONG = `shut-${SECRET}`;

const REASONS: Readonly<Record<string, PamOutcome>> = {
  unknown: { kind: 'refused', reason: 'credentials', detail: 'User not known to the underlying module' },
  locked: { kind: 'refused', reason: 'credentials', detail: 'Authentication failure' },
  blank: { kind: 'refused', reason: 'credentials' },
  expired: { kind: 'refused', reason: 'expired', detail: 'exit 13' },
  stale: { kind: 'refused', reason: 'must-change' },
  busy: { kind: 'unavailable', reason: 'busy' },
  died: { kind: 'unavailable', reason: 'died' },
};

/** An authenticator whose outcomes depend on the name and the password. */
export interface FakeAuthenticator extends Authenticator {
  /** The names of the sign-ins, in order. */
  readonly asked: readonly string[];
  /** Delays all answers until `release`. */
  hold(): void;
  /** Answers the sign-ins that wait, and later ones at once. */
  release(): void;
  /** Resolves after this number of sign-ins. */
  waitForSignIns(count: number): Promise<void>;
}

/** Creates an authenticator without PAM: some names have a fixed outcome, all others sign in with `PASSWORD`. */
export function fakeAuthenticator(): FakeAuthenticator {
  const asked: string[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  let isHeld = false;
  return {
    asked,
    async authenticate({ username, password }) {
      asked.push(username);
      events.emit('asked');
      if (isHeld) await once(events, 'released');
      const outcome = REASONS[username];
      if (outcome !== undefined) return outcome;
      return password === PASSWORD ? { kind: 'accepted' } : { kind: 'refused', reason: 'credentials' };
    },
    close: async () => undefined,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      events.emit('released');
    },
    async waitForSignIns(count) {
      while (asked.length < count) await once(events, 'asked');
    },
  };
}
