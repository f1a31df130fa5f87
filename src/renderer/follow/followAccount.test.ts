import { expect, test } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { createOwnStore } from '../testing/createOwnStore.ts';
import { followAccount } from './followAccount.ts';

function start() {
  let hear: ((account: string | false, reason?: string) => void) | undefined;
  const on: ParleyBridge['on'] = (_channel, listener) => {
    hear = (...args) => void Reflect.apply(listener, undefined, args);
    return () => undefined;
  };
  const store = createOwnStore();
  let changes = 0;
  followAccount({ parley: { on }, dispatch: store.dispatch }, () => changes++);
  return {
    own: () => store.getState().own,
    dispatched: store.dispatched,
    changes: () => changes,
    hear: (account: string | false, reason?: string) => hear?.(account, reason),
  };
}

test('spec §3.1 row 1: shows the splash at first, the form after false, the conversation after an identifier', () => {
  const { own, hear, changes } = start();
  expect(own().view).toBe('splash');
  hear(false);
  expect(own().view).toBe('login');
  hear('account-1');
  expect(own().view).toBe('conversation');
  expect(changes()).toBe(2);
});

test('ignores a repeated message', () => {
  const { hear, dispatched } = start();
  hear('account-1');
  hear('account-1');
  expect(dispatched).toHaveLength(1);
});

test('puts the account identifier into no action', () => {
  const { hear, dispatched } = start();
  hear('account-1');
  expect(JSON.stringify(dispatched)).not.toContain('account-1');
});

test('shows an alert for each sign-out with a reason, but not for a repeated message', () => {
  const { own, hear } = start();
  hear(false, 'unauthorized');
  hear(false, 'unauthorized');
  expect(own().alerts.waiting.map(({ text }) => text)).toEqual(['unauthorized']);
  hear('account-1');
  expect(own().alerts.waiting).toEqual([]);
  hear(false, 'unauthorized');
  expect(own().alerts.waiting.map(({ text }) => text)).toEqual(['unauthorized']);
});
