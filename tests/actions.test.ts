import { type Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import * as syncActions from '#renderer/store/syncActions.ts';
import * as table from '#shared/actions/actionTable.ts';
import { isLocal } from '#shared/isOfType.ts';
import { redactRecord } from '#replay/convert/redactCapture.ts';
import { createAliases } from '#replay/convert/redaction.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { sampleActions } from './builders/sampleActions.ts';

/** Every action, also those with which a window follows main's state. */
const ACTIONS = { ...table.ACTIONS, ...table.entriesOf(syncActions) };

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

const creators = Object.values(MODULES).flatMap((module) => Object.values(module).filter(isCreator));
const exportedTypes = [...new Set(creators.map(({ type }) => type))].sort();

/** A text, and the name of its field. */
type FieldText = Readonly<Record<'key' | 'text', string>>;

function textsOf(value: unknown, key = ''): FieldText[] {
  if (typeof value === 'string') return value === '' ? [] : [{ key, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => textsOf(field, Array.isArray(value) ? key : name));
}

/** Not those that a window dispatches for its state or its copy of the shared state. */
const isForwarded = (action: Action) =>
  !isLocal(action) && !table.isWindowStateAction(action) && !(action.type in table.entriesOf(syncActions));

test('contains every action creator of the store, the acts, the windows and main, and nothing else', () => {
  expect(Object.keys(ACTIONS).sort()).toEqual(exportedTypes);
  expect([...new Set(sampleActions().map(({ type }) => type))].sort()).toEqual(exportedTypes);
});

test('names the fields of each payload', () => {
  const wrong = sampleActions().filter((action) => {
    const fields = table.payloadFields(ACTIONS[action.type]?.payload);
    const payload = 'payload' in action ? (action.payload ?? undefined) : undefined;
    if (typeof payload !== 'object') return payload !== undefined && fields === '';
    const names = Object.keys(payload).sort().join();
    return !fields.includes(' of ') && fields.split(', ').sort().join() !== names;
  });
  expect(wrong).toEqual([]);
});

test('says which actions the windows receive', () => {
  const wrong = sampleActions().filter((action) => ACTIONS[action.type]?.isForwarded !== isForwarded(action));
  expect(wrong).toEqual([]);
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
  expect(['account/signedIn', 'persist/REHYDRATE', 'constructor', ''].filter(table.isRecorded)).toEqual([]);
});
