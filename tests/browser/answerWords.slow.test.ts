import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { message, text } from './harness/message.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';

const scripted = setUpScripted();

/** A conversation that a window fetches in parts. */
const LONG = Array.from({ length: 3000 }, (_, at) => message(`m${at}`, [text('x'.repeat(300))]));

const conversation = (context: string, words?: readonly string[]) => ({
  person: 'Ada Lovelace',
  messages: [...LONG, message('answer', [text('The answer.')], { context })],
  words,
});
const names = (page: Page) =>
  page
    .locator('.label-button:not([aria-label="Copy"]), .answer-buttons button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
async function shows(page: Page, expected: string[]) {
  await expect.poll(() => names(page), POLLING).toEqual(expected);
}

it('keeps the words of the newest snapshot through a reload, a second window, and a reconnect', async () => {
  const { openSignedIn, open, platform, parley } = scripted();
  const { page, socket } = await openSignedIn();
  socket.send(conversation('Parley is writing…', ['stop', 'again', 'continue']));
  await shows(page, ['Stop']);
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(JSON.parse(await socket.frames.next())).toEqual({ category: 'text', text: 'stop', blob: null });
  await open();
  await shows(page, ['Stop']);
  const second = await page.context().newPage();
  await second.goto(new URL(parley.url).origin);
  await shows(second, ['Stop']);
  const next = nextSocket(platform);
  socket.close(1001, '');
  await expect.poll(() => page.getByText('Not connected', { exact: true }).count(), POLLING).toBe(1);
  const reconnected = await next();
  await connect(page, reconnected);
  await shows(page, ['Stop']);
  reconnected.send(conversation('Parley · cut off', ['again', 'continue']));
  for (const one of [page, second]) await shows(one, ['Again', 'Continue']);
  reconnected.send(conversation('Parley · cut off'));
  for (const one of [page, second]) await shows(one, []);
  await second.close();
});
