import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryParseJson } from '#shared/tryParseJson.ts';
import type { Soak } from '../run/scenario.ts';

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
