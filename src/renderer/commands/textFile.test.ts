import { expect, it } from 'vitest';
import { textFile, textFileName } from './textFile.ts';

it.each([
  ['Summarise this report:\n\nSales', 'Summarise this report Sales.txt'],
  ["import { useRef } from 'react';", 'import useRef from react.txt'],
  ['a word after the other until the name is long enough', 'a word after the other until the name is.txt'],
  ['x'.repeat(300), `${'x'.repeat(40)}.txt`],
  ['語'.repeat(300), `${'語'.repeat(40)}.txt`],
  ['مرحبا بالعالم', 'مرحبا بالعالم.txt'],
  ['cafe\u0301 au lait', 'cafe\u0301 au lait.txt'],
  ['../../etc/passwd', 'etc passwd.txt'],
  ['con', '_con.txt'],
  ['\u202Egpj.exe', 'gpj exe.txt'],
  ['👋'.repeat(200), 'message.txt'],
  [' \n\t'.repeat(100), 'message.txt'],
  ['\uD83D'.repeat(300), 'message.txt'],
  ['', 'message.txt'],
])('names the file with %j', (text, name) => {
  expect(textFileName(text)).toBe(name);
});

it('contains the text as UTF-8', async () => {
  const file = textFile('Grüße 👋 שלום');
  expect([await file.text(), file.type]).toEqual(['Grüße 👋 שלום', 'text/plain']);
});
