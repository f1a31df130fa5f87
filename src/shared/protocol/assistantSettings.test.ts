import { expect, test } from 'vitest';
import { type AssistantSettings, assistantMistake } from './assistantSettings.ts';

const VALID: AssistantSettings = { url: 'http://127.0.0.1:11434/v1', model: null, key: null, prompt: null };
const mistake = (change: Partial<AssistantSettings>) => assistantMistake({ ...VALID, ...change });

test.each<Partial<AssistantSettings>>([
  {},
  { url: 'HTTPS://api.example.org' },
  { url: 'http://[::1]:8080/v1/' },
  { model: 'qwen3:8b', key: 'sk-1/+=_', prompt: 'Answer in French.\nBe short.' },
  { prompt: 'é'.repeat(10_000) },
])('accepts %j', (change) => {
  expect(mistake(change)).toBeUndefined();
});

test.each(['', '127.0.0.1:11434', 'ftp://example.org', 'http://', 'http://ada:secret@example.org/v1'])(
  'refuses the address %j in words',
  (url) => {
    expect(mistake({ url })).toEqual({
      field: 'url',
      message:
        'The address must begin with http:// or https:// and contain no user name, for example http://127.0.0.1:11434/v1',
    });
  },
);

test.each(['http://a b', 'http://a/v1?key=1', 'http://a/v1#x', 'http://[::1', `http://${'a'.repeat(1000)}`])(
  'refuses the address %j',
  (url) => {
    expect(mistake({ url })).toMatchObject({ field: 'url' });
  },
);

test('refuses an empty key', () => {
  expect(mistake({ key: '' })).toMatchObject({ field: 'key' });
});

test.each(['two words', 'line\n', 'ключ', 'k'.repeat(4001)])(
  'refuses the key %j without naming it',
  (key) => {
    const found = mistake({ key });
    expect(found).toMatchObject({ field: 'key' });
    expect(found?.message).not.toContain(key);
  },
);

test('names the first mistake of several', () => {
  expect(mistake({ model: 'm'.repeat(1001), prompt: 'p'.repeat(10_001) })).toEqual({
    field: 'model',
    message: 'The name of the model is too long.',
  });
  expect(mistake({ prompt: 'p'.repeat(10_001) })).toEqual({
    field: 'prompt',
    message: 'The instructions are too long.',
  });
});
