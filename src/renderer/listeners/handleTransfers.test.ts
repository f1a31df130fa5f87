import { expect, it } from 'vitest';
import { namesFiles } from './handleTransfers.ts';

const files = [{ name: 'notes 1.txt' }, { name: 'cat.png' }];

it.each([
  'notes 1.txt\ncat.png',
  '/home/ada/notes 1.txt\n/home/ada/cat.png\n',
  'C:\\Users\\Ada\\notes 1.txt\nC:\\Users\\Ada\\cat.png',
  'file:///home/ada/notes%201.txt\nfile:///home/ada/cat.png',
])('recognizes the names of the files in %j', (text) => {
  expect(namesFiles(text, files)).toBe(true);
});

it.each(['notes 1.txt', 'cat.png\nnotes 1.txt', 'a cell\nof a table', 'notes 1.txt\ncat.png\nmore', ''])(
  'recognizes a text of its own in %j',
  (text) => {
    expect(namesFiles(text, files)).toBe(false);
  },
);
