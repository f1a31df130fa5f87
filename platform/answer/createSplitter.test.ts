import { describe, expect, test } from 'vitest';
import type { AnswerItem } from './answerItem.ts';
import { createSplitter } from './createSplitter.ts';

/** Splits a source; returns each item as its kind and its text or source. */
function split(source: string): readonly (readonly [string, string])[] {
  const items: AnswerItem[] = [];
  const splitter = createSplitter(items);
  splitter.add(source);
  splitter.end();
  return items.map((item) => [item.kind, 'source' in item ? item.source : item.text]);
}

/** Returns what an open answer shows. */
function growing(source: string) {
  const items: AnswerItem[] = [];
  const splitter = createSplitter(items);
  splitter.add(source);
  splitter.refresh();
  return {
    shown: items.map((item) => ('source' in item ? item.source : item.text)),
    block: splitter.openBlock()?.block.kind,
  };
}

describe('prose', () => {
  test.each([
    ['keeps paragraphs and headings in one item', '# a\nb\n\nc\n===\nd', [['text', 'a\n\nb\n\nc\n\nd']]],
    [
      'begins an item after a break',
      'a\n\n---\n\nb',
      [
        ['text', 'a'],
        ['text', 'b'],
      ],
    ],
    [
      'keeps a number that begins no list',
      'It was\n1984. Or\n2) not',
      [['text', 'It was\n1984. Or\n2) not']],
    ],
    ['keeps emphasis and dashes that begin no list', '*a* b\n-c\n--', [['text', 'a b\n-c']]],
    ['keeps code within a line', '```a``` b', [['text', '```a``` b']]],
    ['keeps HTML', '<div>\na\n\n</div>', [['text', '<div>\na\n\n</div>']]],
    ['keeps a line with pipes and no table', '| a |\nb', [['text', '| a |\nb']]],
    ['keeps indentation within a paragraph out of code', 'a\n    b', [['text', 'a\nb']]],
  ])('%s', (_, source, items) => {
    expect(split(source)).toEqual(items);
  });

  test('begins an item after a paragraph when the item is over 2,000 characters long', () => {
    const paragraph = 'word '.repeat(300).trim();
    expect(split(Array.from({ length: 5 }, () => paragraph).join('\n\n'))).toEqual([
      ['text', `${paragraph}\n\n${paragraph}`],
      ['text', `${paragraph}\n\n${paragraph}`],
      ['text', paragraph],
    ]);
  });

  test('cuts a paragraph of 1 MB at white space, and one word between characters', () => {
    const words = split('word '.repeat(200_000)).map(([, text]) => text);
    expect(words.length).toBe(250);
    expect(words.every((text) => /^(?:word ){799}word$/.test(text))).toBe(true);
    const smiles = split(`a${'😀'.repeat(5000)}`).map(([, text]) => text);
    expect(smiles.every((text) => text.isWellFormed())).toBe(true);
    expect(smiles.join('')).toBe(`a${'😀'.repeat(5000)}`);
  });
});

describe('blocks', () => {
  test.each([
    [
      'code',
      'a\n```js\nb\n\n# c\n```\nd',
      [
        ['text', 'a'],
        ['code', '```js\nb\n\n# c\n```'],
        ['text', 'd'],
      ],
    ],
    ['code without its end', '~~~\na\n```\n', [['code', '~~~\na\n```']]],
    [
      'indented code',
      'a\n\n    b\n\n    c\nd',
      [
        ['text', 'a'],
        ['code', '    b\n\n    c'],
        ['text', 'd'],
      ],
    ],
    [
      'a table',
      'a\n| b |\n|---|\n| c |\nd | e\n\nf',
      [
        ['text', 'a'],
        ['table', '| b |\n|---|\n| c |\nd | e'],
        ['text', 'f'],
      ],
    ],
    [
      'a table without outer pipes',
      'x\n\na | b\n--|--\n1 | 2',
      [
        ['text', 'x'],
        ['table', 'a | b\n--|--\n1 | 2'],
      ],
    ],
    ['no table when the cells do not match', '| a | b |\n|---|\nc', [['text', '| a | b |\n|---|\nc']]],
    [
      'a list',
      'a:\n- b\n- c\n\nd',
      [
        ['text', 'a:'],
        ['list', '- b\n- c'],
        ['text', 'd'],
      ],
    ],
    [
      'a list within a list',
      '1. a\n   - b\n\n     c\n2. d\ne\n\nf',
      [
        ['list', '1. a\n   - b\n\n     c\n2. d\ne'],
        ['text', 'f'],
      ],
    ],
    [
      'code in a list',
      '- a\n\n  ```\n  b\n\n  c\n  ```\n- d',
      [['list', '- a\n\n  ```\n  b\n\n  c\n  ```\n- d']],
    ],
    [
      'code between lists',
      '1. a\n```\nb\n```\n2. c',
      [
        ['list', '1. a'],
        ['code', '```\nb\n```'],
        ['list', '2. c'],
      ],
    ],
    [
      'a list before a heading and a break',
      '- a\n# b\n- c\n***\nd',
      [
        ['list', '- a'],
        ['text', 'b'],
        ['list', '- c'],
        ['text', 'd'],
      ],
    ],
    [
      'a quote',
      '> a\nb\n> c\n\nd',
      [
        ['quote', '> a\nb\n> c'],
        ['text', 'd'],
      ],
    ],
    [
      'a quote with code',
      '> ```\n> a\n> ```\nb',
      [
        ['quote', '> ```\n> a\n> ```'],
        ['text', 'b'],
      ],
    ],
  ])('splits %s', (_, source, items) => {
    expect(split(source)).toEqual(items);
    expect(split(source.replaceAll('\n', '\n'))).toEqual(items);
  });

  test('shows the header of a table twice when it is the first text, because a text item cannot be removed', () => {
    expect(split('a | b\n--|--\n1 | 2')).toEqual([
      ['text', 'a | b'],
      ['table', 'a | b\n--|--\n1 | 2'],
    ]);
  });

  test('cuts a list of 10,000 items at items, and a table of 10,000 rows at rows with its header', () => {
    const list = split('- an item\n'.repeat(10_000));
    expect(list.every(([kind, source]) => kind === 'list' && source.length < 4100)).toBe(true);
    expect(list.map(([, source]) => source).join('\n')).toBe('- an item\n'.repeat(10_000).trimEnd());
    const table = split(`| a |\n|---|\n${'| a row |\n'.repeat(10_000)}`);
    expect(
      table.every(([kind, source]) => kind === 'table' && source.startsWith('| a |\n|---|\n| a row')),
    ).toBe(true);
    expect(table.map(([, source]) => source.split('\n').length - 2).reduce((sum, rows) => sum + rows)).toBe(
      10_000,
    );
  });
});

describe('what an open answer shows', () => {
  test.each([
    ['a dash', 'a\n\n-', { shown: ['a'], block: undefined }],
    ['a list', 'a\n\n- b', { shown: ['a'], block: 'list' }],
    ['emphasis', 'a\n\n*b', { shown: ['a\n\n*b'], block: undefined }],
    ['a number', 'a\n\n19', { shown: ['a'], block: undefined }],
    ['a year', 'a\n\n1984 was', { shown: ['a\n\n1984 was'], block: undefined }],
    ['two backticks', 'a\n\n``', { shown: ['a'], block: undefined }],
    ['the line of a fence', 'a\n\n```ts', { shown: ['a'], block: undefined }],
    ['code', 'a\n\n```ts\n', { shown: ['a'], block: 'code' }],
    ['a row that can be a header', '| a |\n', { shown: [], block: undefined }],
    ['a row that is no header', '| a |\nb', { shown: ['| a |\nb'], block: undefined }],
    ['prose after a list', '- a\n\nb', { shown: ['- a', 'b'], block: undefined }],
  ])('%s', (_, source, expected) => {
    expect(growing(source)).toEqual(expected);
  });
});
