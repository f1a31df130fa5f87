import { type Action, type Reducer, combineReducers } from '@reduxjs/toolkit';
import { describe, expect, test } from 'vitest';
import { accountReducer } from '#main/store/accountFile.ts';
import { attentionReducer, ofWindow, windowsReducer } from '#shared/store/openWindows.ts';
import * as syncActions from '#renderer/store/syncActions.ts';
import { windowReducer } from '#renderer/store/createWindowStore.ts';
import {
  ACTIONS as SHARED_ACTIONS,
  ACTION_SECTIONS,
  entriesOf,
  isWindowStateAction,
  isRecorded,
  payloadFields,
} from '#shared/actions/actionTable.ts';
import { conversationStartReducer, snapshotFieldsReducer } from '#shared/store/conversationSlices.ts';
import { isLocal } from '#shared/isOfType.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { windowStateReducer } from '#shared/store/windowState.ts';
import { createAliases, redactRecord } from '#replay/convert/redactCapture.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { sampleActions } from './builders/sampleActions.ts';
import { mainStore } from './builders/mainStore.ts';

/** Every action, also those with which a window follows main's state. */
const ACTIONS = { ...SHARED_ACTIONS, ...entriesOf(syncActions) };

/** The modules whose action creators are in the table. */
const MODULES = import.meta.glob<Readonly<Record<string, unknown>>>(
  [
    '../src/shared/{actions,ipc,store,window}/**/*.ts',
    '../src/main/{account,store}/**/*.ts',
    '../src/renderer/store/**/*.ts',
    '!**/*.test.ts',
  ],
  { eager: true },
);

const isCreator = (value: unknown): value is { readonly type: string } =>
  typeof value === 'function' && 'match' in value && 'type' in value && typeof value.type === 'string';

const exportedTypes = [
  ...new Set(
    Object.values(MODULES).flatMap((module) =>
      Object.values(module)
        .filter(isCreator)
        .map(({ type }) => type),
    ),
  ),
].sort();

const mainReducers = {
  ...sessionReducers,
  conversationStart: conversationStartReducer,
  snapshotFields: snapshotFieldsReducer,
  windows: windowsReducer,
  attention: attentionReducer,
  account: accountReducer,
};

/** Returns the slices that the actions of each type change, in any of the states that the actions lead to. */
function findChanges<S extends object>(reducer: Reducer<S>, actions: readonly Action[]) {
  const states: S[] = [reducer(undefined, { type: '' })];
  for (const action of actions) {
    const last = states.at(-1);
    states.push(reducer(last, action));
  }
  const changes = new Map<string, Set<string>>();
  for (const action of actions) {
    const slices = changes.get(action.type) ?? new Set();
    changes.set(action.type, slices);
    for (const state of states) {
      const next = reducer(state, action);
      const before = new Map<string, unknown>(Object.entries(state));
      const after = new Map<string, unknown>(Object.entries(next));
      // A slice that is optional can go.
      for (const slice of [...before.keys(), ...after.keys()])
        if (after.get(slice) !== before.get(slice)) slices.add(slice);
    }
  }
  return changes;
}

/** Returns the slices that actions of this type change in main, in a window, and of the window's state. */
function measureChanges(): (type: string) => string[] {
  const actions = sampleActions();
  const inMain = findChanges(
    combineReducers(mainReducers),
    actions.map((action) => (isWindowStateAction(action) ? ofWindow(action, 1) : action)),
  );
  const inWindow = findChanges(
    windowReducer,
    actions.filter(({ type }) => type.startsWith('sync/')),
  );
  const own = findChanges(windowStateReducer, actions.filter(isWindowStateAction));
  return (type) => {
    const slices =
      type in ACTION_SECTIONS.window
        ? [...(own.get(type) ?? [])].map((slice) => `own.${slice}`)
        : [...(inMain.get(type) ?? [])];
    if (type.startsWith('sync/')) slices.push(...(inWindow.get(type) ?? []));
    return [...new Set(slices)].filter((slice) => slice !== 'sequence' && slice !== 'own').sort();
  };
}

interface FieldText {
  /** The name of the field. */
  readonly key: string;
  readonly text: string;
}

/** Returns the texts in a value, at any depth. */
function textsOf(value: unknown, key = ''): FieldText[] {
  if (typeof value === 'string') return value === '' ? [] : [{ key, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => textsOf(field, Array.isArray(value) ? key : name));
}

/** Whether a window dispatches actions of this type for its copy of the shared state. */
const staysInWindow = (type: string) => type in entriesOf(syncActions);

const isForwarded = (action: Action) =>
  !isLocal(action) && !isWindowStateAction(action) && !staysInWindow(action.type);

describe('the list of actions', () => {
  test('contains every action creator of the store, the acts, the windows and main, and nothing else', () => {
    expect(Object.keys(ACTIONS).sort()).toEqual(exportedTypes);
  });

  test('names the slices that each action changes', () => {
    const changesOf = measureChanges();
    const slices = [...Object.keys(windowStateReducer(undefined, { type: '' })), 'editing'];
    const all = slices.map((slice) => `own.${slice}`);
    const declared = Object.fromEntries(
      Object.entries(ACTIONS).map(([type, { changes }]) => [
        type,
        (changes.includes('own.*') ? all : [...changes]).sort(),
      ]),
    );
    expect(Object.fromEntries(Object.keys(ACTIONS).map((type) => [type, changesOf(type)]))).toEqual(declared);
  });

  test('names the fields of each payload', () => {
    const wrong = sampleActions().filter((action) => {
      const fields = payloadFields(ACTIONS[action.type]?.payload);
      const payload = 'payload' in action ? (action.payload ?? undefined) : undefined;
      if (typeof payload !== 'object') return payload !== undefined && fields === '';
      return (
        !fields.includes(' of ') && fields.split(', ').sort().join() !== Object.keys(payload).sort().join()
      );
    });
    expect(wrong).toEqual([]);
  });

  test('says which actions the windows receive', () => {
    const wrong = sampleActions().filter(
      (action) => ACTIONS[action.type]?.isForwarded !== isForwarded(action),
    );
    expect(wrong).toEqual([]);
  });

  test('covers every slice of main', async () => {
    const { store } = await mainStore();
    expect(Object.keys(mainReducers).sort()).toEqual(Object.keys(store.getState()).sort());
  });

  test('contract §7 redact: says which texts stay when a recorded action is redacted', () => {
    const wrong = sampleActions().filter((action) => {
      const { type, payload } = { payload: undefined, ...action };
      const recorded = ACTIONS[type]?.recorded ?? null;
      if (recorded === null) return false;
      const record = { t: 0, type: 'action', action: { type, payload } } as const;
      const redacted = redactRecord(record, createAliases(), parleyApp.adapter.redact);
      const left = new Set(textsOf(redacted).map(({ text }) => text));
      const stays = ({ key }: FieldText) => recorded.codes.includes(key);
      return (
        textsOf(payload).some((field) => left.has(field.text) !== stays(field)) ||
        recorded.codes.some((code) => textsOf(payload).every(({ key }) => key !== code))
      );
    });
    expect(wrong).toEqual([]);
  });

  test('contract §6: records no action with the account identifier, and none that is not on it', () => {
    expect(['account/signedIn', 'persist/REHYDRATE', 'constructor', ''].filter(isRecorded)).toEqual([]);
  });
});
