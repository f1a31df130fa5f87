import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { writeFileAtomically } from './writeFileAtomically.ts';

test('written, the file has the text, mode 0600 and no other file beside it', () => {
  const folder = mainFolder();
  const path = join(folder, 'a.json');
  writeFileAtomically(path, 'old');
  writeFileAtomically(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.json']);
});

test('a longer temporary file left behind, the file has the text alone', () => {
  const path = join(mainFolder(), 'a.json');
  writeFileSync(`${path}.new`, 'left behind by a stop in the middle');
  writeFileAtomically(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a folder that is not there, the error of the file system', () => {
  const path = join(mainFolder(), 'nowhere', 'a.json');
  expect(() => writeFileAtomically(path, 'new')).toThrow('ENOENT');
});

/** What the child writes: long, so that a write takes its time, and of one letter, so that a mixture shows. */
const LENGTH = 4 * 1024 * 1024;
const WRITER = `
import { writeFileAtomically } from './writeFileAtomically.js';
for (let round = 0; ; round++) writeFileAtomically(process.argv[2], 'ab'[round % 2].repeat(${LENGTH}));
`;

/** A program that writes the file for as long as it lives. */
async function writerProgram(folder: string): Promise<string> {
  const program = join(folder, 'writer.js');
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: join(import.meta.dirname, 'writeFileAtomically.ts'), outDir: folder, emptyOutDir: false },
  });
  writeFileSync(program, WRITER);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return program;
}

/** Kills the child when the folder has changed so many times. */
async function killAfter(child: ChildProcess, folder: string, changes: number): Promise<void> {
  const watcher = watch(folder);
  for (let seen = 0; seen < changes; seen++) await once(watcher, 'change');
  child.kill('SIGKILL');
  watcher.close();
  await once(child, 'exit');
}

test('killed while it writes, the file is the old or the new, whole', { timeout: 30_000 }, async () => {
  const program = await writerProgram(mainFolder());
  const folder = mainFolder();
  const path = join(folder, 'a.json');
  for (let round = 0; round < 8; round++) {
    const child = fork(program, [path]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await killAfter(child, folder, 20 + 7 * round);
    const text = readFileSync(path, 'utf8');
    expect(text.length).toBe(LENGTH);
    expect(['a', 'b'].map((letter) => text === letter.repeat(LENGTH))).toContain(true);
  }
});
