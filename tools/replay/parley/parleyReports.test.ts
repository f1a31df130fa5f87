import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import { recordGolden } from '../golden/traceCapture.ts';
import { parleyApp } from '../parley/parleyApp.ts';

test('a golden has the title of the windows and the words after each update, and at the end', async () => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), [
    recv(0, { person: 'Ada', messages: [], words: ['again', 'stop'] }),
    recv(1, message('a')),
    recv(2, { text: 'hi' }),
    recv(3, { person: 'Ada', messages: [message('a')], words: ['stop'] }),
  ]);
  const { golden } = await recordGolden(capture, parleyApp);
  expect(golden.steps.map(({ changes: { title, ...others } }) => [title, others['words']])).toEqual([
    [undefined, undefined],
    ['(1) Parley', undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(golden.steps[0]?.changes).toMatchObject({ 'words[0]': 'stop', 'words[1]': 'again' });
  expect(golden.steps[3]?.changes).toMatchObject({ 'words.length': 1 });
  expect(golden).toMatchObject({ title: '(1) Parley', words: ['stop'] });
});
