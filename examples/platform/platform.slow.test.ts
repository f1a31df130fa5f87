import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { messengerAt, waitForState } from '#tests/builders/messengerAt.ts';

const PROGRAM = join(import.meta.dirname, 'platform.mjs');
const ADA = { email: 'ada@example.org', password: 'engine1843!', name: 'Ada Lovelace' } as const;

/** Starts a messenger at the example; `pass` lets ticks pass until a condition holds, and `until` until the newest message matches. */
async function messengerAtExample() {
  const apiUrl = (await runProgram(PROGRAM, ['0']).firstLine).slice('The platform is ready at '.length);
  const platformUrl = apiUrl.replace('http:', 'ws:');
  const { store, clock, messenger } = await messengerAt({ apiUrl, platformUrl });
  const conversation = () => toSnapshot(store.getState().conversation);
  const newest = () => conversation().messages.at(-1);
  const pass = async (condition: () => boolean) => {
    while (!condition()) {
      await waitForState(store, ({ queue }) => queue.length > 0);
      clock.advance(100);
    }
  };
  const until = (modifier: string, context: string) =>
    pass(() => newest()?.modifier === modifier && newest()?.context === context);
  return { messenger, conversation, newest, pass, until };
}

test('has at most 60 lines', async () => {
  expect((await readFile(PROGRAM, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});

test('spec §1.1, §2.1 name, §6.1: a messenger registers at the example, and receives its text and an answer that grows', async () => {
  const { messenger, pass, until, conversation, newest } = await messengerAtExample();
  expect(await messenger.signIn(ADA)).toBeUndefined();
  await pass(() => conversation().person === 'Ada Lovelace');
  messenger.send({ category: 'text', text: 'one two', blob: null });
  await until('ai', 'Echo');
  expect(conversation().messages).toMatchObject([
    { modifier: 'client', context: 'Ada Lovelace', content: [{ text: 'one two' }] },
    { modifier: 'ai', content: [{ text: 'I have received: one two' }] },
  ]);
  // Its answer takes 18 s: it is still growing when the image arrives.
  messenger.send({ category: 'text', text: 'a '.repeat(120).trim(), blob: null });
  await until('ai', 'Echo is writing…');
  messenger.send({ category: 'image', text: 'map.png', blob: 'AAEC' });
  await until('client', 'Ada Lovelace');
  expect(newest()?.content).toEqual([{ category: 'image', text: 'map.png', blob: 'AAEC' }]);
  expect(conversation().messages.at(-2)).toMatchObject({ modifier: 'ai', context: 'Echo · stopped' });
});

test('spec §7 the platform answers with an error: the form gets the sentence of the example', async () => {
  const { messenger } = await messengerAtExample();
  expect(await messenger.signIn({ ...ADA, name: '' })).toBe('Wrong email or password.');
});
