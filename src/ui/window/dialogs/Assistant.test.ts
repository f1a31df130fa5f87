import { expect, test } from 'vitest';
import { readAssistantForm } from './Assistant.tsx';

/** Returns the data of a form with these fields. */
function formWith(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test('reads the fields without spaces around them; an empty one is null', () => {
  const data = formWith({ url: ' http://a/v1 ', model: ' ', key: 'sk-1\n', prompt: 'Be short.\nAlways.' });
  expect(readAssistantForm(data, true)).toEqual({
    url: 'http://a/v1',
    model: null,
    key: 'sk-1',
    prompt: 'Be short.\nAlways.',
    keepsKey: false,
  });
});

test('keeps the stored key when none was entered, unless it is to be removed', () => {
  const data = formWith({ url: 'http://a', key: '' });
  expect(readAssistantForm(data, true)).toMatchObject({ key: null, keepsKey: true });
  expect(readAssistantForm(data, false)).toMatchObject({ key: null, keepsKey: false });
  data.set('removesKey', 'on');
  expect(readAssistantForm(data, true)).toMatchObject({ key: null, keepsKey: false });
});
