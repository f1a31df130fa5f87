import { EventEmitter, once } from 'node:events';
import type { Authenticator } from '../helper/pam/pamAuthenticator.ts';
import type { PamOutcome } from '../helper/pam/pamMessages.ts';
import type { Credentials, EndReason, Helper } from '../link/helperProtocol.ts';

/** A helper whose accounts the test changes. */
export type FakeHelper = ReturnType<typeof fakeHelper>;

/** Creates a helper whose accounts the test changes. */
export function fakeHelper(authenticator: Authenticator) {
  /** Accounts that have changed, and how. Their names are their proofs. */
  const ended = new Map<string, EndReason>();
  const administrators = new Set<string>();
  /** The groups of accounts; none by default. */
  const groups = new Map<string, string[]>();
  /** The accounts that were checked, in order. */
  const checked: string[] = [];
  let isLost = false;
  const check: Helper['checkAccount'] = async (account) => {
    checked.push(account);
    const reason = ended.get(account);
    if (isLost) return { state: 'unknown', detail: 'lost' };
    return reason === undefined ? { state: 'same' } : { state: 'ended', reason };
  };
  const helper: Helper = {
    async authenticate(credentials) {
      const outcome = await authenticator.authenticate(credentials);
      return outcome.kind === 'accepted' ? { kind: 'accepted', account: credentials.username } : outcome;
    },
    checkAccount: check,
    async isAdministrator(account) {
      const answer = await check(account);
      if (answer.state !== 'same') return answer;
      return { state: administrators.has(account) ? 'administrator' : 'other' };
    },
    async accountGroups(account) {
      const answer = await check(account);
      if (answer.state !== 'same') return answer;
      return { state: 'same', username: account, groups: groups.get(account) ?? [] };
    },
    createUser: async () => ({ kind: 'refused', reason: 'off' }),
    cancelWaiting: async () => undefined,
    close: async () => undefined,
  };
  /** Lets all later checks fail. */
  const lose = () => void (isLost = true);
  return { ...helper, ended, administrators, groups, checked, lose };
}

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

/** Creates an authenticator without PAM: some names have a fixed outcome, all others sign in with `PASSWORD`. */
export function fakeAuthenticator() {
  const asked: string[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  let isHeld = false;
  return {
    /** The names of the sign-ins, in order. */
    asked: asked as readonly string[],
    async authenticate({ username, password }: Credentials): Promise<PamOutcome> {
      asked.push(username);
      events.emit('asked');
      if (isHeld) await once(events, 'released');
      const outcome = REASONS[username];
      if (outcome !== undefined) return outcome;
      return password === PASSWORD ? { kind: 'accepted' } : { kind: 'refused', reason: 'credentials' };
    },
    close: async () => undefined,
    /** Delays all answers until `release`. */
    hold: () => void (isHeld = true),
    /** Answers the sign-ins that wait, and later ones at once. */
    release() {
      isHeld = false;
      events.emit('released');
    },
    /** Resolves after this number of sign-ins. */
    async waitForSignIns(count: number) {
      while (asked.length < count) await once(events, 'asked');
    },
  };
}

/** Creates a clock that a test controls. @param wall the wall clock's time when the monotonic clock is at 0. */
export function fakeClock(wall = Date.UTC(2026, 0, 1)) {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  const added = new EventEmitter().setMaxListeners(0);
  const next = (until: number) =>
    [...timers].filter(({ due }) => due <= until).toSorted((a, b) => a.due - b.due)[0];
  return {
    monotonic: () => now,
    wall: () => wall + now,
    after(ms: number, call: () => void) {
      const timer = { due: now + ms, call };
      timers.add(timer);
      added.emit('timer');
      return () => void timers.delete(timer);
    },
    /** Resolves when a timer has this remaining time. */
    async untilWait(ms: number) {
      while (![...timers].some(({ due }) => due - now === ms)) await once(added, 'timer');
    },
    /** Advances the time, and runs the timers that become due. */
    advance(ms: number) {
      const until = now + ms;
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.call();
      }
      now = until;
    },
    /** The remaining times of the timers in milliseconds, shortest first. */
    get waits(): readonly number[] {
      return [...timers].map(({ due }) => due - now).toSorted((a, b) => a - b);
    },
  };
}
