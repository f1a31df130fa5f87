import type { AssistantChange } from '#shared/protocol/assistantSettings.ts';
import { expect, test } from 'vitest';
import { mergeChange } from './setUpAssistant.ts';

const STORED = { url: 'https://api.example.org/v1', model: 'small', key: 'sk-of-ada', prompt: null } as const;
const CHANGE: AssistantChange = {
  url: 'https://api.example.org/v2',
  model: null,
  prompt: null,
  key: null,
  keepsKey: true,
};

test('keeps the stored key for the same server', () => {
  expect(mergeChange(CHANGE, STORED)).toEqual({ ...STORED, url: CHANGE.url, model: null });
});

test('uses the entered key, or none', () => {
  expect(mergeChange({ ...CHANGE, keepsKey: false, key: 'sk-2' }, STORED)).toMatchObject({ key: 'sk-2' });
  expect(mergeChange({ ...CHANGE, keepsKey: false }, STORED)).toMatchObject({ key: null });
  expect(mergeChange(CHANGE, null)).toMatchObject({ key: null });
  expect(mergeChange(CHANGE, { ...STORED, key: null })).toMatchObject({ key: null });
});

test.each(['https://other.example.org/v1', 'http://api.example.org/v1', 'https://api.example.org:8443/v1'])(
  'does not give the stored key to the server %s',
  (url) => {
    expect(mergeChange({ ...CHANGE, url }, STORED)).toEqual({
      field: 'key',
      message:
        'The stored key belongs to another server. Enter the key of this one, or remove the stored key.',
    });
    expect(mergeChange({ ...CHANGE, url, keepsKey: false }, STORED)).toMatchObject({ url, key: null });
  },
);

test('returns the mistake in an entered field', () => {
  expect(mergeChange({ ...CHANGE, url: 'ollama' }, STORED)).toMatchObject({ field: 'url' });
  expect(mergeChange({ ...CHANGE, keepsKey: false, key: 'two words' }, STORED)).toMatchObject({
    field: 'key',
  });
});
