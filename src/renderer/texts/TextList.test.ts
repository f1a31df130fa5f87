import { describe, expect, it } from 'vitest';
import { TextList } from './TextList.ts';

/** Recalls in these directions, each time from the text that is shown; returns the texts that are shown. */
function recallAll(list: TextList, directions: string, first = ''): (string | undefined)[] {
  let shown: string = first;
  return Array.from(directions, (direction) => {
    const text = list.recall(direction === '↑' ? 'older' : 'newer', shown);
    shown = text ?? shown;
    return text;
  });
}

describe('TextList', () => {
  it('recalls older texts from the newest on, and newer ones up to the empty text', () => {
    const list = new TextList(['one', 'two']);
    expect(recallAll(list, '↑↑↑↓↓↓')).toEqual(['two', 'one', undefined, 'two', '', undefined]);
  });

  it('recalls nothing in a text that the person wrote or edited', () => {
    const list = new TextList(['one', 'two']);
    expect(list.recall('older', 'three')).toBeUndefined();
    expect(recallAll(list, '↑')).toEqual(['two']);
    expect(list.recall('older', 'two!')).toBeUndefined();
    expect(list.recall('newer', 'two!')).toBeUndefined();
  });

  it('begins with the newest text again when the text box is empty', () => {
    const list = new TextList(['one', 'two']);
    expect(recallAll(list, '↑↑')).toEqual(['two', 'one']);
    expect(recallAll(list, '↑')).toEqual(['two']);
    expect(list.recall('newer', '')).toBeUndefined();
  });

  it('keeps each text once, and only the newest 20', () => {
    const list = new TextList();
    for (let count = 1; count <= 21; count++) list.add(`text ${count}`);
    list.add('text 5');
    expect(list.texts).toHaveLength(20);
    expect(list.texts.at(0)).toBe('text 2');
    expect(list.texts.slice(-2)).toEqual(['text 21', 'text 5']);
    expect(recallAll(list, '↑↑')).toEqual(['text 5', 'text 21']);
  });
});
