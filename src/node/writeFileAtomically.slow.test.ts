import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { build } from 'vite';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { removeLeftovers } from './writeFileAtomically.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The program kills itself before its nth call of the file system. It replaces Node's functions before it loads the writer,
 * which imports them from `node:fs`.
 */
const WRITER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const [, , path, form, at] = process.argv;
let calls = 0;
for (const name of ['openSync', 'writeFileSync', 'writeFile', 'fsyncSync', 'fsync', 'closeSync', 'renameSync', 'linkSync', 'rmSync']) {
  const call = fs[name];
  fs[name] = (...args) => {
    calls += 1;
    if (calls === Number(at)) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };
}
syncBuiltinESMExports();
const { writeFileAtomically, writePiecesAtomically } = await import('./writeFileAtomically.js');
calls = 0;
const text = 'b'.repeat(1024 * 1024);
if (form === 'sync') writeFileAtomically(path, text);
else await writePiecesAtomically(path, [text, text], { isExclusive: form === 'exclusive' });
console.log(calls);
`;

let program: string;
beforeAll(async () => {
  const folder = join(ROOT, 'out', `test-atomic-${process.pid}`);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'silent',
    build: { ssr: join(import.meta.dirname, 'writeFileAtomically.ts'), outDir: folder },
  });
  program = join(folder, 'writer.js');
  writeFileSync(program, WRITER);
});

async function run(path: string, form: string, at: number) {
  const child = spawn(process.execPath, [program, path, form, String(at)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  await once(child, 'close');
  return { signal: child.signalCode, calls: Number(printed) };
}

const OLD = 'a'.repeat(1024);

test.each([
  ['sync', 1],
  ['async', 2],
  ['exclusive', 2],
])(
  'contract §1 output files: leaves the complete old or new file, and nothing else after a cleanup, when killed before any system call of the %s form',
  async (form, pieces) => {
    const { calls } = await run(join(mainFolder(), 'a.json'), form, 0);
    expect(calls).toBeGreaterThan(6);
    for (let at = 1; at <= calls; at++) {
      const folder = mainFolder();
      const path = join(folder, 'a.json');
      if (form !== 'exclusive') writeFileSync(path, OLD);
      expect(await run(path, form, at)).toMatchObject({ signal: 'SIGKILL' });
      // The next start does this. The file may be the stored account: its identifier must not stay in a leftover.
      removeLeftovers(folder);
      expect(readdirSync(folder).filter((name) => name !== 'a.json')).toEqual([]);
      if (form === 'exclusive' && !readdirSync(folder).includes('a.json')) continue;
      expect([OLD.length, pieces * 1024 * 1024]).toContain(readFileSync(path, 'utf8').length);
      expect(readFileSync(path, 'utf8')).toMatch(/^(?:a+|b+)$/u);
    }
  },
);
