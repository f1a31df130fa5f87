import {
  dialogRequested,
  playbackRequested,
  preferencesChanged,
  recordingToggleRequested,
} from '#shared/actions/userActions.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHIME } from '#platform/assistant/samples.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { callPage } from './harness/callPage.ts';
import { DING } from './harness/ding.ts';
import { listenToChannels } from './harness/listenToChannels.ts';
import { ALLOWED_MICROPHONE, watchMicrophones } from './harness/watchMicrophones.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpScripted } from './harness/setUpScripted.ts';
import { message } from './harness/message.ts';

/** Tests voice without the permission, without a microphone, and when it is off. */
const PARLEY_AUDIO = { PARLEY_AUDIO: '1' };

/** Checks that nothing was sent before: a text that is sent now is the platform’s first frame. */
async function expectNothingSent(page: Page, socket: PlatformSocket): Promise<void> {
  await callPage(page, 'parley.send', 'message', { category: 'text', text: 'after it', blob: null });
  expect(await socket.frames.next()).toContain('after it');
}

/** Tries to record twice and expects an alert with `words`; returns what `record` sent. */
async function expectRecordingToFail(
  { page, socket }: { page: Page; socket: PlatformSocket },
  words: string,
) {
  const messagesOn = await listenToChannels(page);
  for (let attempt = 1; attempt <= 2; attempt++) {
    await page.keyboard.press('Control+Enter');
    const alert = page.getByRole('alertdialog', { name: words });
    await alert.waitFor();
    await expect.poll(() => messagesOn('record'), POLLING).toHaveLength(2 * attempt);
    expect((await messagesOn('record')).at(-1)).toEqual([false]);
    await alert.getByRole('button', { name: 'OK' }).click();
    const record = page.getByRole('button', { name: 'Record' });
    await expect.poll(() => record.getAttribute('aria-pressed'), POLLING).toBe('false');
  }
  await expectNothingSent(page, socket);
  return messagesOn('record');
}

const TWO_ATTEMPTS = [[true], [false], [true], [false]];

describe('the permission is denied', () => {
  const scripted = setUpScripted({ env: PARLEY_AUDIO, isComplete: true });

  it('shows an alert, does not record and sends nothing, also at the second attempt', async () => {
    const words =
      'Parley may not use the microphone. Allow it in the settings of the browser or system, then try again.';
    expect(await expectRecordingToFail(await scripted().signedIn(), words)).toEqual(TWO_ATTEMPTS);
  });
});

describe('voice is off', () => {
  const scripted = setUpScripted({ shell: ALLOWED_MICROPHONE, context: { permissions: ['microphone'] } });

  it('spec §3.3 start-up, contract §2 PARLEY_AUDIO: has no shortcut, no button and no sound, and shows audio items by their text', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    await page.keyboard.press('Control+Enter');
    await callPage(page, 'parleyTools.send', 'action', recordingToggleRequested());
    socket.send(message('bell', [{ category: 'audio', text: 'A door bell.', blob: CHIME }]));
    const article = page.locator('article[data-message-id="bell"]');
    await article.getByText('A door bell.').waitFor();
    await callPage(page, 'parleyTools.send', 'action', playbackRequested({ message: 0, item: 0 }));
    const play = article.getByRole('button', { name: 'Play' });
    await expect.poll(() => play.isDisabled(), POLLING).toBe(true);
    expect(await page.getByRole('button', { name: 'Record' }).count()).toBe(0);
    await expectNothingSent(page, socket);
    expect([await messagesOn('record'), await messagesOn('playback')]).toEqual([[], []]);
  });

  it('denies the page the microphone, whatever the browser allows', async () => {
    const { page } = await scripted().signedIn();
    const outcome = await page.evaluate(async () => {
      try {
        await navigator.mediaDevices.getUserMedia({ audio: true });
        return 'opened';
      } catch (error) {
        return error instanceof Error ? error.name : 'refused';
      }
    });
    expect(outcome).toBe('NotAllowedError');
  });

  it('records at the first click after it is turned on: the page loads again and keeps the draft', async () => {
    const { page, socket } = await scripted().signedIn();
    const record = page.getByRole('button', { name: 'Record' });
    await page.keyboard.type('a draft');
    await callPage(page, 'parleyTools.send', 'action', preferencesChanged({ audio: true }));
    const microphones = await watchMicrophones(page, 'later');
    await record.click();
    await microphones.captured();
    await expect.poll(() => record.getAttribute('aria-pressed'), POLLING).toBe('true');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('a draft');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await record.click();
    expect(await socket.frames.next()).toMatch(/^\{"category":"audio","text":null,"blob":"/u);
    await callPage(page, 'parleyTools.send', 'action', preferencesChanged({ audio: false }));
    await record.waitFor({ state: 'detached' });
  });

  it('asks for a reload that would lose what is open; then it records, and sends nothing when it is turned off meanwhile', async () => {
    const { page, socket } = await scripted().signedIn();
    // It may have been loaded while voice was on.
    await page.reload();
    const record = page.getByRole('button', { name: 'Record' });
    await callPage(page, 'parleyTools.send', 'action', preferencesChanged({ audio: true }));
    await callPage(page, 'parleyTools.send', 'action', dialogRequested({ dialog: 'settings' }));
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await callPage(page, 'parleyTools.send', 'action', recordingToggleRequested());
    const words = 'Voice was turned on after this page was loaded. Reload the page, then record.';
    await page.getByRole('alertdialog', { name: words }).getByRole('button', { name: 'OK' }).click();
    await page.reload();
    const messagesOn = await listenToChannels(page);
    const microphones = await watchMicrophones(page);
    await record.click();
    await microphones.captured();
    await callPage(page, 'parleyTools.send', 'action', preferencesChanged({ audio: false }));
    await record.waitFor({ state: 'detached' });
    await expect.poll(() => microphones.live(), POLLING).toBe(0);
    await expect.poll(() => messagesOn('record'), POLLING).toEqual([[true], [false]]);
    // After a stop, the window sends through `encode`, so the frame would come before this answer.
    await page.evaluate(() => window.parley.invoke('encode', new ArrayBuffer(1)));
    await expectNothingSent(page, socket);
  });
});

describe('there is no microphone, and the browser blocks autoplay', () => {
  const scripted = setUpScripted({
    env: PARLEY_AUDIO,
    shell: ['--autoplay-policy=document-user-activation-required'],
    context: { permissions: ['microphone'] },
  });

  it('shows an alert, does not record and sends nothing, also at the second attempt', async () => {
    const words = 'There is no microphone. Connect one, then try again.';
    expect(await expectRecordingToFail(await scripted().signedIn(), words)).toEqual(TWO_ATTEMPTS);
  });

  it('shows a notice for a sound that arrives before the first interaction; its button plays it', async () => {
    const { page, socket } = await scripted().signedIn();
    // An interaction is remembered across a reload, but not across another page. An evaluation in the page counts as an
    // interaction too, so the test listens to what the page sends to main instead.
    const address = page.url();
    await page.goto('about:blank');
    const said = page.waitForEvent('websocket').then((line) => ({
      loaded: line.waitForEvent('framesent', ({ payload }) => payload.includes('loaded')),
      failed: line.waitForEvent('framesent', ({ payload }) => payload.includes('playback/failed')),
    }));
    await page.goto(address);
    const { loaded, failed } = await said;
    await loaded;
    socket.send(message('bell', [{ category: 'audio', text: null, blob: DING }]));
    await failed;
    await page.getByText('Press its Play button to hear it.').waitFor();
    const messagesOn = await listenToChannels(page);
    await page.locator('article[data-message-id="bell"]').getByRole('button', { name: 'Play' }).click();
    const lastTwo = async () => (await messagesOn('playback')).slice(-2);
    await expect.poll(lastTwo, POLLING).toEqual([
      ['bell', true],
      ['bell', false],
    ]);
  });
});
