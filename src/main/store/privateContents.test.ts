import { type Action, combineReducers } from '@reduxjs/toolkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SYNC_ACTION } from '#shared/ipc/channels.ts';
import type { PrivateMeta } from '#shared/actions/defineAction.ts';
import {
  assistantSaveRequested,
  assistantTestRequested,
  encodingRequested,
  messageRequested,
  preferencesChanged,
  signInRequested,
} from '#shared/actions/userActions.ts';
import { parseSentAction } from '#shared/actions/actionTable.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { ipcMain } from '#tests/builders/electron.ts';
import { openPage } from '#tests/builders/openPage.ts';
import { markSource } from '../ipc/receiveActions.ts';

/** A text that stands nowhere by chance. */
const secret = fc.stringMatching(/^[a-z]{12}$/u).map((letters) => `SECRET${letters}`);

/** Generates actions with private contents, and those contents. The last kind is an action that is also forwarded. */
const anyPrivate = fc.oneof(
  fc.tuple(secret, secret).map(([email, password]) => {
    const contents = { credentials: { email, password, name: '' }, answer() {} };
    return { action: signInRequested(contents), contents };
  }),
  secret.map((text) => {
    const contents = { category: 'text', text, blob: null } as const;
    return { action: messageRequested(contents), contents };
  }),
  secret.map((text) => {
    const contents = { bytes: Uint8Array.from(Buffer.from(text)).buffer, answer() {} };
    return { action: encodingRequested(contents), contents };
  }),
  fc.tuple(fc.boolean(), secret).map(([isTest, key]) => {
    const contents = { url: key, model: null, prompt: key, key, keepsKey: false };
    const action = isTest ? assistantTestRequested(contents) : assistantSaveRequested(contents);
    return { action, contents };
  }),
  secret.map((key) => {
    const contents = { key };
    return { action: { ...preferencesChanged({ theme: 'dark' }), meta: { private: contents } }, contents };
  }),
);

/** Starts main's store, and keeps what its recorder, its reducers, a window and a listener receive. */
async function start() {
  const recorded: unknown[] = [];
  const reduced: Action[] = [];
  const heard: Action[] = [];
  const received: unknown[] = [];
  const capture = {
    action: (action: Action) => void recorded.push(action),
    launched() {},
    record: (record: unknown) => void recorded.push(record),
    pauseWhileFull() {},
    ended() {},
  };
  const { store, listeners, kept, clock } = await mainStore({ capture });
  const { mainReducers } = await import('./mainStore.ts');
  const { privateOf } = await import('./mainStore.ts');
  const { account } = store.getState();
  const keepAction = (state = account, action: Action) => {
    reduced.push(action);
    return state;
  };
  store.replaceReducer(combineReducers({ ...mainReducers, account: keepAction }));
  listeners.startListening({
    predicate: (action): action is Action & { meta: PrivateMeta<unknown> } => 'meta' in Object(action),
    effect(action) {
      heard.push(action);
      received.push(privateOf(action));
    },
  });
  const page = openPage();
  const { receiveActions } = await import('../ipc/receiveActions.ts');
  const { createMessageFilter } = await import('../ipc/receiveActions.ts');
  const { numberWindow } = await import('../window/messengerWindows.ts');
  const { log } = kept;
  receiveActions({ store, listeners, clock, log, isAdmitted: createMessageFilter(clock, log) });
  // The fake's page is the window too.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  numberWindow(page as object as Parameters<typeof numberWindow>[0]);
  const { mainFrame } = Object(page.webContents);
  const event = { sender: page.webContents, senderFrame: mainFrame };
  return {
    store,
    kept,
    recorded,
    reduced,
    heard,
    received,
    forwarded: () => page.sent.filter(([channel]) => channel === SYNC_ACTION),
    /** Sends an action as the window does. */
    send: (action: Action) => void ipcMain.emit('action', event, structuredClone(action)),
  };
}

test('contract §1 secrets: only listeners receive the private contents of any action, also of one that a window sends; no reducer, record, window or log does', async () => {
  const { store, kept, recorded, reduced, heard, received, forwarded, send } = await start();
  checkProperty(
    fc.property(anyPrivate, fc.boolean(), ({ action, contents }, isSent) => {
      if (isSent && parseSentAction(action) !== undefined) send(action);
      else store.dispatch(markSource(action, 1));
      expect(received.at(-1)).toEqual(contents);
      expect(reduced.at(-1)).toMatchObject({ type: action.type, meta: { window: 1 } });
    }),
  );
  const places = { recorded, reduced, heard, forwarded: forwarded(), state: [store.getState()] };
  const placesWith = (text: RegExp) =>
    Object.entries(places).flatMap(([place, seen]) => (text.test(JSON.stringify(seen)) ? [place] : []));
  expect(placesWith(/preferences|theme/u)).toEqual(Object.keys(places));
  expect(placesWith(/SECRET|private/u)).toEqual([]);
  expect(kept.text()).not.toMatch(/SECRET|private/u);
});
