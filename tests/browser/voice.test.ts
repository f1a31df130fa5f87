import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CHIME } from '#platform/assistant/samples.ts';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { callPage, type ChannelMessages, listenToChannels } from './harness/pageAccess.ts';
import { article, box } from './harness/elements.ts';
import { message, text } from './harness/message.ts';
import { setUpScripted } from './harness/setUpScripted.ts';
import { measureSound, watchMicrophones, watchObjectUrls, watchSounds } from './harness/media.ts';

/** Tests voice in the complete product: in a real browser whose microphone receives a recorded voice. The first test turns voice on, and the last one off. */
const scripted = setUpScripted();

const BELL = Buffer.from(CHIME, 'base64');
const SAMPLES = Buffer.concat(Array(30).fill(BELL.subarray(44)));
const HEADER = Buffer.from(BELL.subarray(0, 44));
HEADER.writeUInt32LE(36 + SAMPLES.length, 4);
HEADER.writeUInt32LE(SAMPLES.length, 40);
/** A sound that does not end before a busy test ends it. */
const LONG = Buffer.concat([HEADER, SAMPLES]).toString('base64');

const audio = (blob: string, words: string | null = null) => ({ category: 'audio', text: words, blob });
const recordButton = (page: Page, isPressed?: boolean) =>
  page.getByRole('button', { name: 'Record', ...(isPressed !== undefined && { pressed: isPressed }) });
const button = (page: Page, id: string, name: 'Play' | 'Stop') =>
  article(page, id).getByRole('button', { name });
const setVoice = (page: Page, isOn: boolean) =>
  callPage(page, 'parleyTools.send', 'action', preferencesChanged({ audio: isOn }));

async function nextRecording(socket: PlatformSocket) {
  const frame = await socket.frames.next();
  const { blob } = z.object({ blob: z.string() }).parse(JSON.parse(frame));
  expect(frame).toBe(JSON.stringify({ category: 'audio', text: null, blob }));
  return blob;
}

/** Returns the messages on a channel once there are `count` of them, without the end and the start of a sound that a busy page writes late (spec §3.3 row 4). */
async function heard(messagesOn: ChannelMessages, channel: 'record' | 'playback', count: number) {
  const read = async () => {
    const kept: unknown[][] = [];
    for (const sent of await messagesOn(channel)) {
      const [id, isPlaying] = sent;
      if (isPlaying === true && isDeepStrictEqual(kept.at(-1), [id, false])) kept.pop();
      else kept.push(sent);
    }
    return kept;
  };
  await expect.poll(read, POLLING).toHaveLength(count);
  return read();
}

it('spec §3.3 start-up, contract §2 PARLEY_AUDIO: while voice is off, the page gets no microphone, whatever the browser allows; it is turned on by the first recording, for which the page loads again and keeps the draft', async () => {
  const { page, socket } = await scripted().signedIn();
  await page.reload();
  await page.getByRole('log').waitFor();
  expect(await recordButton(page).count()).toBe(0);
  const outcome = await page.evaluate(() =>
    navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'opened',
      (error: unknown) => (error instanceof Error ? error.name : 'refused'),
    ),
  );
  expect(outcome).toBe('NotAllowedError');
  await setVoice(page, true);
  await recordButton(page).waitFor();
  await page.keyboard.type('a draft');
  const microphones = await watchMicrophones(page, 'later');
  await recordButton(page).click();
  await recordButton(page, true).waitFor();
  await microphones.captured();
  expect(await box(page).inputValue()).toBe('a draft');
  await recordButton(page).click();
  await nextRecording(socket);
  await page.keyboard.press('Escape');
});

it('spec §3.3 row 3, §3.3 row 4, §6.3 playback: plays a new sound over 16 KB to its end, not the person’s own, and one at a time, which its button starts and stops', async () => {
  const { page, socket } = await scripted().openSignedIn();
  const messagesOn = await listenToChannels(page);
  const sounds = await watchSounds(page);
  const urls = await watchObjectUrls(page);
  // The window receives a reference to it and fetches its bytes.
  expect(CHIME.length).toBeGreaterThan(INLINE_BLOB_LENGTH);
  const progress = page.getByRole('progressbar', { name: 'Playing' }).waitFor();
  socket.send(message('bell', [audio(CHIME, 'A door bell.')]));
  await progress;
  expect(await heard(messagesOn, 'playback', 2)).toEqual([true, false].map((isOn) => ['bell', isOn]));
  socket.send(message('mine', [audio(CHIME)], { modifier: 'client' }));
  await button(page, 'mine', 'Play').waitFor();
  expect(await sounds.begun()).toBe(1);
  const counts = async (...wanted: readonly [begun: number, sounding: number]) =>
    await expect.poll(async () => [await sounds.begun(), await sounds.sounding()], POLLING).toEqual(wanted);
  socket.send(message('one', [text('Listen:'), audio(LONG)]));
  await counts(2, 1);
  socket.send(message('two', [audio(LONG)]));
  await counts(3, 1);
  await button(page, 'two', 'Stop').press(' ');
  await counts(3, 0);
  // Data that is no sound, and that only begins like one.
  socket.send(message('noise', [audio('bm8gc291bmQ=', 'words')]));
  await page.getByRole('article').getByText('This sound cannot be played.').waitFor();
  socket.send(message('broken', [audio(`${CHIME.slice(0, 16)}AAAA`)]));
  await page.locator('.note').getByText('This sound cannot be played.').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(urls, POLLING).toBe(0);
});

it('spec §4.4 item 3, §3.3 row 1, §3.3 row 2, §6.3 record: the shortcut, and the button by mouse and keyboard, record one frame each: webm and opus, with the voice and nothing of the recording before; it is dropped when the microphone is unplugged, and when voice is turned off', async () => {
  const { page, socket } = await scripted().openSignedIn();
  const messagesOn = await listenToChannels(page);
  await page.keyboard.press('Control+Enter');
  // Until it is long enough to contain a voice.
  await page.waitForFunction(() =>
    /\b(?:\d|1[0-4]) s left/u.test(document.querySelector('[role="timer"]')?.textContent ?? ''),
  );
  await page.waitForFunction(() => document.title.includes('recording'));
  await page.keyboard.press('Control+Enter');
  const first = await nextRecording(socket);
  expect(Buffer.from(first, 'base64').subarray(0, 80).toString('latin1')).toContain('webm');
  const { seconds, loudness } = await measureSound(page, first);
  expect(seconds).toBeGreaterThan(0.5);
  expect(loudness).toBeGreaterThan(0.02);
  await page.keyboard.type('while I type');
  const again = await watchMicrophones(page);
  await recordButton(page).click();
  await again.captured();
  await recordButton(page).press('Enter');
  expect((await measureSound(page, await nextRecording(socket))).seconds).toBeLessThan(seconds);
  expect(await box(page).inputValue()).toBe('while I type');
  expect(await heard(messagesOn, 'record', 4)).toEqual([[true], [false], [true], [false]]);
  await recordButton(page, false).waitFor();
  await expect.poll(() => again.live(), POLLING).toBe(0);
  expect(await again.count()).toBe(1);
  const lost = await watchMicrophones(page);
  await recordButton(page).click();
  await lost.captured();
  await lost.unplug();
  const words = 'The microphone is no longer available. The recording was dropped and nothing was sent.';
  await page.getByRole('alertdialog', { name: words }).getByRole('button', { name: 'OK' }).click();
  expect([await lost.live(), socket.frames.all.length]).toEqual([0, 2]);
  await page.keyboard.press('Escape');
  await recordButton(page).click();
  await recordButton(page, true).waitFor();
  await setVoice(page, false);
  await recordButton(page).waitFor({ state: 'detached' });
  await expect.poll(() => lost.live(), POLLING).toBe(0);
  // After a stop, the window sends through `encode`, so the frame would come before this answer.
  await page.evaluate(() => window.parley.invoke('encode', new ArrayBuffer(1)));
  // Nothing was sent before: a text that is sent now is the platform’s next frame.
  await callPage(page, 'parley.send', 'message', { category: 'text', text: 'after it', blob: null });
  expect(await socket.frames.next()).toContain('after it');
});
