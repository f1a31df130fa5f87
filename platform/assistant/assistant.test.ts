import { expect, test } from 'vitest';
import { createAssistantHolder } from './assistant.ts';

const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: null, key: null, prompt: null };

test('holds the demonstration at first, or the settings of the start', () => {
  expect(createAssistantHolder().get()).toBeNull();
  expect(createAssistantHolder(null).get()).toBeNull();
  expect(createAssistantHolder(SETTINGS).get()).toEqual(SETTINGS);
});

test('replaces the settings', () => {
  const holder = createAssistantHolder(SETTINGS);
  holder.set({ ...SETTINGS, model: 'small' });
  expect(holder.get()).toEqual({ ...SETTINGS, model: 'small' });
  holder.set(null);
  expect(holder.get()).toBeNull();
});
