import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { message, recv } from '#tests/builders/updateOf.ts';
import { show, terminal } from './testing/terminal.ts';

test('contract §1 bad usage, contract §7 exit status: refuses each wrong use in one line on stderr, with status 2 and without a file', async () => {
  const at = await terminal({ x: [recv(0, { person: 'Ada', messages: [message('a')] })] });
  const broken =
    '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}';
  await writeFile(at('broken.parley.jsonl'), `${broken}\n{"t":1}\n{}\n`);
  execFileSync('mkfifo', [at('pipe.parley.jsonl')]);
  const before = await readdir('.');
  const shown = await show(`
    run gone.parley.jsonl
    run x --wiht state

    compare x
    fold
    open x.parley.jsonl --no-open --at 1 --update 1
    open x.parley.jsonl --no-open --at -1
    open x.parley.jsonl --no-open y --base main
    open x.parley.jsonl --no-open y --step 1
    open broken.parley.jsonl --no-open
    open pipe.parley.jsonl --no-open
    minimize x.parley.jsonl --check true
    minimize x.parley.jsonl --check /gone/check
    minimize x.parley.jsonl --fails verify
    minimize x.parley.jsonl --fails compare
    minimize x.parley.jsonl --check false --app x.ts
    minimize x.parley.jsonl --fails verify --check false
    minimize - --check false
    diff - -
    verify --files-from - --known -
    verify -
    record --listen 0 --upstream ws://127.0.0.1:9 -o -
    import -
    why x.parley.jsonl messages[7].seen
    why x.parley.jsonl 'a b'
    why x.parley.jsonl person --at x
  `);
  await expect(shown).toMatchFileSnapshot('testing/refusals.txt');
  expect(await readdir('.')).toEqual(before);
});
