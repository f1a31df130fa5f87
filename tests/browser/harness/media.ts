import { resolve } from 'node:path';
import { type Page } from 'playwright-core';

const VOICE = resolve(import.meta.dirname, '../assets/voice.wav');

/** Arguments for Chromium with a fake microphone that repeats a recorded voice (`scripts/voice.mjs`), which every page may use. */
export const FAKE_MICROPHONE = [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${VOICE}`,
  '--use-fake-ui-for-media-stream',
];

/** Runs in the page. */
const watch = () => {
  const tracks: MediaStreamTrack[] = [];
  Reflect.set(window, 'testTracks', tracks);
  Reflect.deleteProperty(window, 'testCaptured');
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async (constraints) => {
    const stream = await open(constraints);
    tracks.push(...stream.getAudioTracks());
    return stream;
  };
  const { start } = MediaRecorder.prototype;
  MediaRecorder.prototype.start = function startAndTell(...args) {
    this.addEventListener('dataavailable', ({ data }) => {
      if (data.size > 0) Reflect.set(window, 'testCaptured', true);
    });
    start.apply(this, args);
  };
};

/** Watches the microphones that a page opens: this document until it is reloaded, or each later one. */
export async function watchMicrophones(page: Page, documents: 'this' | 'later' = 'this') {
  await (documents === 'this' ? page.evaluate(watch) : page.addInitScript(watch));
  const states = () => page.evaluate<string[]>('window.testTracks.map(({ readyState }) => readyState)');
  return {
    /** Returns how often one was opened. */
    count: async () => (await states()).length,
    /** Returns the number of microphones that still capture. */
    live: async () => (await states()).filter((state) => state === 'live').length,
    /** Resolves when the recorder has captured data. */
    captured: () => page.waitForFunction(() => Reflect.has(window, 'testCaptured')),
    /** Ends the newest microphone's track, as when the device is unplugged. */
    unplug: () => page.evaluate("window.testTracks.at(-1).dispatchEvent(new Event('ended'))"),
  };
}

/** Decodes a sound in the browser; returns its length in seconds and its loudness (the root mean square; silence is 0). */
export const measureSound = (page: Page, base64: string): Promise<{ seconds: number; loudness: number }> =>
  page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes.buffer);
    const samples = sound.getChannelData(0);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    return { seconds: sound.duration, loudness: Math.sqrt(power) };
  }, base64);

/** Watches the sounds that a page plays, until it is reloaded. */
export async function watchSounds(page: Page) {
  await page.evaluate(() => {
    const played: HTMLMediaElement[] = [];
    Reflect.set(window, 'testPlayed', played);
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function playAndTell() {
      played.push(this);
      return play.call(this);
    };
  });
  const paused = () => page.evaluate<boolean[]>('window.testPlayed.map(({ paused }) => paused)');
  return {
    /** Returns the number of sounds that were started. */
    begun: async () => (await paused()).length,
    /** Returns the number of sounds that are playing. */
    sounding: async () => (await paused()).filter((isPaused) => !isPaused).length,
  };
}

/** Watches the object URLs that a page creates, until it is reloaded; returns a function that returns how many of them are not revoked. */
export async function watchObjectUrls(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const inUse = new Set<string>();
    Object.assign(window, { inUse });
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (object) => {
      const url = createObjectURL.call(URL, object);
      inUse.add(url);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      inUse.delete(url);
      revokeObjectURL.call(URL, url);
    };
  });
  return () => page.evaluate<number>('inUse.size');
}
