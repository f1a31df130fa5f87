import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CHIME } from '#platform/assistant/samples.ts';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { callPage } from './harness/callPage.ts';
import { chooseFromMenu } from './harness/chooseFromMenu.ts';
import { DING } from './harness/ding.ts';
import { type ChannelMessages, listenToChannels } from './harness/listenToChannels.ts';
import { ALLOWED_MICROPHONE, measureSound, watchMicrophones } from './harness/watchMicrophones.ts';
import { watchSounds } from './harness/watchSounds.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpScripted } from './harness/setUpScripted.ts';
import { message, text } from './harness/message.ts';

/** Tests voice in the complete product: in a real browser whose microphone receives a recorded voice. */
const scripted = setUpScripted({
  env: { PARLEY_AUDIO: '1' },
  shell: ALLOWED_MICROPHONE,
  context: { permissions: ['microphone'] },
});

const RECORDING = readFileSync(resolve(import.meta.dirname, 'assets/voice.wav'));
/** A sound that does not end by itself before a busy test ends it. */
const VOICE = repeatedSound(RECORDING, 12).toString('base64');

/** Repeats the samples of a WAV file, whose header has 44 bytes. */
function repeatedSound(wav: Buffer, times: number): Buffer {
  const samples = wav.subarray(44);
  const header = Buffer.from(wav.subarray(0, 44));
  header.writeUInt32LE(36 + times * samples.length, 4);
  header.writeUInt32LE(times * samples.length, 40);
  return Buffer.concat([header, ...Array.from({ length: times }, () => samples)]);
}

const audio = (blob: string | null, words: string | null = null) => ({
  category: 'audio',
  text: words,
  blob,
});

const recordButton = (page: Page) => page.getByRole('button', { name: 'Record' });
const articles = (page: Page, id: string) => page.locator(`article[data-message-id="${id}"]`);
const button = (page: Page, id: string, name: 'Play' | 'Stop') =>
  articles(page, id).getByRole('button', { name });

/** Resolves when the recording is long enough to contain a voice. */
const untilVoiceIsRecorded = (page: Page) =>
  page
    .getByRole('timer')
    .getByText(/\b(?:\d|1[0-3]) s left/u)
    .waitFor();

const audioFrame = z.strictObject({ category: z.literal('audio'), text: z.null(), blob: z.string() });

/** Returns the next frame that the platform receives, which must be a recording. */
const nextRecording = async (socket: PlatformSocket) => {
  const frame = await socket.frames.next();
  return { frame, ...audioFrame.parse(JSON.parse(frame)) };
};

/** Records two seconds at the beginning of a session; returns the frame and what the page showed. */
async function recordTwoSeconds() {
  const { page, socket } = await scripted().openSignedIn();
  const messagesOn = await listenToChannels(page);
  const microphones = await watchMicrophones(page);
  await page.keyboard.press('Control+Enter');
  await untilVoiceIsRecorded(page);
  await expect.poll(() => page.title(), SHORT_POLLING).toContain('recording');
  const pressed = () => recordButton(page).getAttribute('aria-pressed');
  const during = { pressed: await pressed(), title: await page.title() };
  await page.keyboard.press('Control+Enter');
  const { frame, blob } = await nextRecording(socket);
  const sound = await measureSound(page, blob);
  return { page, socket, messagesOn, microphones, during, pressed, frame, blob, ...sound };
}

let recorded: ReturnType<typeof recordTwoSeconds> | undefined;

/** Runs {@link recordTwoSeconds} once for the tests that need it, because it takes two seconds. */
const sharedRecording = () => (recorded ??= recordTwoSeconds());

/** The polling options where a recording would end by itself after 15 s. */
const SHORT_POLLING = { interval: 20, timeout: 8000 };

/** Returns the messages on a channel once there are `count` of them, without the pauses of a busy page. */
const waitForMessages = async (
  messagesOn: ChannelMessages,
  channel: 'record' | 'playback',
  count: number,
) => {
  const read = async () => withoutPauses(await messagesOn(channel));
  await expect.poll(read, SHORT_POLLING).toHaveLength(count);
  return read();
};

/** Leaves out the end and the start of a sound that a busy page writes more than 500 ms late: it continues (spec §3.3 row 4). */
function withoutPauses(messages: readonly unknown[][]): unknown[][] {
  const kept: unknown[][] = [];
  for (const sent of messages) {
    const [id, isPlaying] = sent;
    const isPause = isPlaying === true && isDeepStrictEqual(kept.at(-1), [id, false]);
    if (isPause) kept.pop();
    else kept.push(sent);
  }
  return kept;
}

/** Records the different texts of the progress bar from now on. */
async function watchProgress(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const texts: string[] = [];
    Reflect.set(window, 'testProgress', texts);
    new MutationObserver(() => {
      const shown = document.querySelector('progress')?.getAttribute('aria-valuetext') ?? '';
      if (shown !== '' && shown !== texts.at(-1)) texts.push(shown);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  return () => page.evaluate<string[]>('testProgress');
}

describe('recording', () => {
  it('spec §4.4 item 3, §3.3 row 1, §3.3 row 2, §6.3 record, contract §2 PARLEY_AUDIO: pressing the shortcut twice sends one frame with the recording: webm and opus, base64, text null', async () => {
    const { socket, messagesOn, microphones, during, pressed, frame, blob, seconds, loudness } =
      await sharedRecording();
    expect(during.pressed).toBe('true');
    expect(during.title).toContain('recording');
    expect(frame).toBe(JSON.stringify({ category: 'audio', text: null, blob }));
    expect(Buffer.from(blob, 'base64').subarray(0, 80).toString('latin1')).toContain('webm');
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(10);
    expect(loudness).toBeGreaterThan(0.02);
    expect(await waitForMessages(messagesOn, 'record', 2)).toEqual([[true], [false]]);
    await expect.poll(pressed, POLLING).toBe('false');
    await expect.poll(() => microphones.live(), POLLING).toBe(0);
    expect(await microphones.count()).toBe(1);
    expect(socket.frames.all).toHaveLength(1);
  });

  it('spec §3.3 row 2: a second recording contains nothing of the first', async () => {
    // In the same page: another page never has the first recording.
    const { page, socket, seconds } = await sharedRecording();
    const microphones = await watchMicrophones(page);
    await recordButton(page).click();
    await microphones.captured();
    await recordButton(page).click();
    const { blob } = await nextRecording(socket);
    expect((await measureSound(page, blob)).seconds).toBeLessThan(seconds);
  });

  it('spec §4.4 item 3: the button by mouse and keyboard, and the shortcut in the text box, each start and stop a recording', async () => {
    const { page, socket } = await scripted().openSignedIn();
    const messagesOn = await listenToChannels(page);
    const microphones = await watchMicrophones(page);
    await recordButton(page).click();
    await microphones.captured();
    await recordButton(page).press('Enter');
    await nextRecording(socket);
    await page.getByRole('timer').waitFor({ state: 'detached' });
    await page.keyboard.type('while I type');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('timer').waitFor();
    await recordButton(page).press(' ');
    expect(await waitForMessages(messagesOn, 'record', 4)).toEqual([[true], [false], [true], [false]]);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('while I type');
  });

  it('stops with an alert and sends nothing when the microphone is unplugged', async () => {
    const { page, socket } = await scripted().openSignedIn();
    const messagesOn = await listenToChannels(page);
    const microphones = await watchMicrophones(page);
    await recordButton(page).click();
    await microphones.captured();
    await microphones.unplug();
    const words = 'The microphone is no longer available. The recording was dropped and nothing was sent.';
    await page.getByRole('alertdialog', { name: words }).getByRole('button', { name: 'OK' }).click();
    expect(await waitForMessages(messagesOn, 'record', 2)).toEqual([[true], [false]]);
    await callPage(page, 'parley.send', 'message', { category: 'text', text: 'after it', blob: null });
    expect(await socket.frames.next()).toContain('after it');
    await expect.poll(() => microphones.live(), POLLING).toBe(0);
  });

  it('stops, sends nothing and shows a notice when the page is reloaded', async () => {
    const { page, socket } = await scripted().signedIn();
    const microphones = await watchMicrophones(page);
    await recordButton(page).click();
    await microphones.captured();
    await page.reload();
    await page.getByText('The recording was dropped').waitFor();
    await expect.poll(() => recordButton(page).getAttribute('aria-pressed'), POLLING).toBe('false');
    await callPage(page, 'parley.send', 'message', { category: 'text', text: 'after it', blob: null });
    expect(await socket.frames.next()).toContain('after it');
  });

  it('sends nothing and releases the microphone on sign-out', async () => {
    const { page, socket } = await scripted().openSignedIn();
    const messagesOn = await listenToChannels(page);
    const microphones = await watchMicrophones(page);
    await recordButton(page).click();
    await microphones.captured();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('main[data-view="login"]').waitFor();
    expect(await waitForMessages(messagesOn, 'record', 2)).toEqual([[true], [false]]);
    await expect.poll(() => microphones.live(), POLLING).toBe(0);
    await socket.closed;
    expect(socket.frames.all).toEqual([]);
  });

  it('spec §6.3 record: with two windows, one captures and both are notified', async () => {
    const { page, socket } = await scripted().openSignedIn();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await recordButton(second).waitFor();
    const microphones = await watchMicrophones(second);
    const opened = [await watchMicrophones(page), microphones];
    const messagesOn = [await listenToChannels(page), await listenToChannels(second)];
    await recordButton(second).click();
    await microphones.captured();
    await recordButton(page).click();
    await nextRecording(socket);
    expect(await Promise.all(opened.map(({ count }) => count()))).toEqual([0, 1]);
    for (const one of messagesOn) expect(await waitForMessages(one, 'record', 2)).toEqual([[true], [false]]);
    expect(socket.frames.all).toHaveLength(1);
    await second.close();
  });
});

describe('the settings', () => {
  it('contract §2 PARLEY_AUDIO: show voice as on and disabled when PARLEY_AUDIO=1', async () => {
    const { page } = await scripted().signedIn();
    await chooseFromMenu(page, 'Settings…');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const voice = settings.getByRole('switch', { name: 'Voice' });
    await settings.getByText('PARLEY_AUDIO').waitFor();
    expect([await voice.isChecked(), await voice.isDisabled()]).toEqual([true, true]);
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'detached' });
  });
});

describe('playback', () => {
  it('spec §3.3 row 4, §6.3 playback: fetches a new sound over 16 KB and plays it to its end: `playback` true, then false', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    const sounds = await watchSounds(page);
    // The window receives a reference to it and fetches its bytes.
    expect(CHIME.length).toBeGreaterThan(INLINE_BLOB_LENGTH);
    // The sound takes a second.
    const playing = [
      button(page, 'bell', 'Stop').waitFor(),
      articles(page, 'bell').getByRole('progressbar', { name: 'Playing' }).waitFor(),
    ];
    socket.send(message('bell', [audio(CHIME, 'A door bell.')]));
    await Promise.all(playing);
    expect(await articles(page, 'bell').textContent()).toContain('A door bell.');
    expect(await waitForMessages(messagesOn, 'playback', 2)).toEqual([
      ['bell', true],
      ['bell', false],
    ]);
    await button(page, 'bell', 'Play').waitFor();
    expect(await sounds.begun()).toBe(1);
  });

  it('does not play the person’s own recording by itself; its button plays it and shows the progress', async () => {
    const { blob } = await sharedRecording();
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    socket.send(message('mine', [audio(blob)], { modifier: 'client', context: 'Grace' }));
    await button(page, 'mine', 'Play').waitFor();
    expect(await messagesOn('playback')).toEqual([]);
    const progress = await watchProgress(page);
    await button(page, 'mine', 'Play').click();
    expect(await waitForMessages(messagesOn, 'playback', 2)).toEqual([
      ['mine', true],
      ['mine', false],
    ]);
    const [first, ...later] = await progress();
    // The duration is shown at once, although a recording’s file does not contain it.
    expect(first).toMatch(/^0:0[01] of 0:0[2-9]$/u);
    expect(later).toContainEqual(expect.stringMatching(/^0:0[12] of/u));
  });

  it('spec §3.3 row 3: another sound silences the first, and the keyboard starts and stops a sound', async () => {
    const { page, socket } = await scripted().signedIn();
    const sounds = await watchSounds(page);
    socket.send(message('one', [text('Listen:'), audio(VOICE)]));
    await expect.poll(() => sounds.begun(), POLLING).toBe(1);
    socket.send(message('two', [audio(VOICE)]));
    await expect.poll(() => sounds.begun(), POLLING).toBe(2);
    expect(await sounds.sounding()).toBe(1);
    await button(page, 'one', 'Play').press('Enter');
    await expect.poll(() => sounds.begun(), POLLING).toBe(3);
    expect(await sounds.sounding()).toBe(1);
    await button(page, 'one', 'Stop').press(' ');
    await expect.poll(() => sounds.sounding(), POLLING).toBe(0);
  });

  it('spec §6.3 playback: with two windows, one plays and both are notified', async () => {
    const { page, socket } = await scripted().signedIn();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await recordButton(second).waitFor();
    const sounds = [await watchSounds(page), await watchSounds(second)];
    const messagesOn = [await listenToChannels(page), await listenToChannels(second)];
    socket.send(message('bell', [audio(DING)]));
    for (const one of messagesOn) await waitForMessages(one, 'playback', 2);
    const begun = await Promise.all(sounds.map((one) => one.begun()));
    expect(begun.reduce((sum, count) => sum + count)).toBe(1);
    await second.close();
  });

  it('shows a message and no button for data that is not a sound', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    socket.send(message('noise', [audio('bm8gc291bmQ=', 'words')]));
    await articles(page, 'noise').getByText('This sound cannot be played.').waitFor();
    const buttons = articles(page, 'noise').getByRole('button');
    expect(await buttons.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))).toEqual(['Copy']);
    await expect.poll(async () => (await messagesOn('playback')).length % 2, POLLING).toBe(0);
  });

  it('shows a notice and becomes idle for data that only begins like a sound', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    socket.send(message('broken', [audio(`${CHIME.slice(0, 16)}AAAA`)]));
    await page.locator('.note').getByText('This sound cannot be played.').waitFor();
    expect(await waitForMessages(messagesOn, 'playback', 2)).toEqual([
      ['broken', true],
      ['broken', false],
    ]);
    await button(page, 'broken', 'Play').waitFor();
  });
});
