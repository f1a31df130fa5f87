import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { tryParseJson } from '#shared/json.ts';
import { headerLine, recordLine, CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/captureFormat.ts';
import { type FrameRecord } from '#shared/capture/captureFormat.ts';
import type { Soak } from '../run/scenario.ts';
import { SOAK_OUT } from './startMessenger.ts';

const STATE_FILES = ['account.json', 'preferences.json', 'window.json', 'starting.json'];
/** Files that a process leaves when it is killed during a write. */
const LEFTOVER = /\.(?:new|tmp|stale)$|^instance\.json\./;

/** Asserts that the files of a data folder are whole after its process was killed. */
export function checkKilled(soak: Soak, folder: string): void {
  for (const name of STATE_FILES.filter((file) => existsSync(join(folder, file)))) {
    const text = readFileSync(join(folder, name), 'utf8');
    soak.check(
      `${name} is the old or the new file, whole`,
      tryParseJson(text) !== undefined,
      text.slice(0, 80),
    );
  }
  for (const name of capturesIn(folder)) {
    const lines = readFileSync(join(folder, 'captures', name), 'utf8').split('\n');
    const broken = lines.slice(0, -1).filter((line) => tryParseJson(line) === undefined);
    soak.check('a capture is readable except for its last line', broken.length === 0, broken[0] ?? '');
  }
}

/** Asserts that a start has removed the temporary files of the killed process. */
export function checkRestarted(soak: Soak, folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const left = names.filter((name) => LEFTOVER.test(name.split('/').at(-1) ?? ''));
  soak.check('nothing piles up: the next start removes temporary files', left.length === 0, left.join(' '));
  const corrupt = names.filter((name) => name.includes('.corrupt-'));
  soak.check('no file is found corrupt after a kill', corrupt.length === 0, corrupt.join(' '));
}

const capturesIn = (folder: string) => {
  const captures = join(folder, 'captures');
  return existsSync(captures) ? readdirSync(captures).filter((name) => name.endsWith('.parley.jsonl')) : [];
};

/** Returns the text of a capture with these frames, one each `everyMs` milliseconds. */
export function captureText(frames: readonly (string | Uint8Array)[], everyMs = 100): string {
  const header = headerLine({
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    startedAt: new Date(0).toISOString(),
    app: 'soak',
  });
  const records = frames.map((frame, index) => recordLine(frameRecord(frame, index * everyMs)));
  return header + records.join('');
}

const frameRecord = (frame: string | Uint8Array, t: number): FrameRecord =>
  typeof frame === 'string'
    ? { t, type: 'recv', data: frame }
    : { t, type: 'recv', data: Buffer.from(frame).toString('base64'), encoding: 'base64' };

/**
 * Writes frames that made a scenario fail to a capture in `soak/out/found`. Returns its path. docs/reliability.md says how
 * to keep it as a test.
 */
export function saveFailingCapture(name: string, frames: readonly (string | Uint8Array)[]): string {
  const folder = join(SOAK_OUT, 'found');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.parley.jsonl`);
  writeFileSync(path, captureText(frames));
  return path;
}

/** The person of scenarios with the built-in platform. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

declare global {
  interface Window {
    /** The ids of messages that the page has received since it was loaded. */
    soakReceived?: string[];
  }
}

/** Registers, or signs in when the account exists, through the page's bridge: without the form. Returns the error, if any. */
export const signInByBridge = (page: Page): Promise<string | undefined> =>
  page.evaluate(async (ada) => {
    const refused = await window.parley.invoke('auth', ada);
    return refused === undefined ? undefined : window.parley.invoke('auth', { ...ada, name: '' });
  }, ADA);

/**
 * Acts as a busy person until the host ends: sends messages, changes preferences, signs out and in. The page keeps the ids
 * of the messages that it receives.
 */
export const startActivity = (page: Page, seed: number): Promise<void> =>
  page.evaluate(
    ({ ada, first }) => {
      let state = first;
      const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
      const received: string[] = [];
      window.soakReceived = received;
      window.parley.on('message', (update: unknown) => {
        const id: unknown = Reflect.get(Object(update), 'id');
        if (typeof id === 'string') received.push(id);
      });
      const act = () => {
        const chance = random();
        if (chance < 0.75) {
          const text = `message ${Math.floor(random() * 1e6)}`;
          window.parley.send('message', { category: 'text', text, blob: null });
        } else if (chance < 0.95) {
          const theme = random() < 0.5 ? 'dark' : 'light';
          window.parleyTools.send('action', { type: 'preferences/changed', payload: { theme } });
        } else {
          window.parley.send('logout');
          void window.parley.invoke('auth', { ...ada, name: '' }).catch(() => {});
        }
      };
      setInterval(act, 15);
    },
    { ada: ADA, first: seed },
  );

/** Returns the ids of the messages that the page has received since `startActivity`. */
export const receivedIds = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => window.soakReceived ?? []);
