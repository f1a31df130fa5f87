import { describe, expect, it } from 'vitest';
import { actionError, describeAction } from './describeAction.ts';

describe('describeAction', () => {
  it.each([
    ['textBox/edited', { text: 'hello' }, '"hello"'],
    ['textBox/closed', undefined, ''],
    ['viewer/opened', { message: 3, item: 1 }, 'messages[3].content[1]'],
    ['preferences/changed', { theme: 'dark', audio: true }, 'theme: "dark", audio: true'],
    ['find/reached', { hit: { message: 1, item: 0, start: 4 } }, 'hit: {messages[1].content[0], start: 4}'],
    ['file/offered', { name: 'a.txt', size: 3, list: [1, 2] }, 'name: "a.txt", size: 3, list: [2]'],
  ])('says what %s with %j was', (type, payload, text) => {
    expect(describeAction({ type, payload }).text).toBe(text);
  });

  it('keeps the beginning and the end of a long text, and breaks no character', () => {
    const { text } = describeAction({ type: 'textBox/edited', payload: { text: `${'👋'.repeat(60)} end` } });
    expect(text).toMatch(/^"👋+…👋+ end"$/u);
    expect(text.length).toBeLessThanOrEqual(51);
  });

  it('names the field of an edit, and of nothing else', () => {
    expect(describeAction({ type: 'find/edited', payload: { text: '' } }).field).toBe('find');
    expect(describeAction({ type: 'find/closed' })).toEqual({ text: '' });
  });
});

describe('actionError', () => {
  it('accepts an action as captures contain it', () => {
    expect(actionError({ type: 'textBox/edited', payload: { text: 'hi' } })).toBeUndefined();
    expect(actionError({ type: 'menu/opened' })).toBeUndefined();
  });

  it.each([
    [{ type: 'textBox/eaten' }, 'There is no action "textBox/eaten".'],
    [{ type: 'constructor' }, 'There is no action "constructor".'],
    [{ type: 'update/received' }, 'A capture does not contain update/received.'],
    [
      { type: 'textBox/edited', payload: { text: 5 } },
      'The payload of textBox/edited is not valid at text: Invalid input: expected string, received number.',
    ],
    [
      { type: 'textBox/edited', payload: { text: 'a', more: 1 } },
      'The payload of textBox/edited is not valid: Unrecognized key: "more".',
    ],
  ])('says what is wrong with %j', (action, error) => {
    expect(actionError(action)).toBe(error);
  });
});
