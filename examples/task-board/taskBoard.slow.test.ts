import { execFile } from 'node:child_process';
import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#replay/testing/files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = join(ROOT, 'out/replay/cli.js');

const GIT = 'git -c user.name=x -c user.email=x@example.org';

/** Runs the commands of a shell in a folder, with `parley-replay`; resolves to the status and what was printed. */
async function shell(folder: string, commands: string) {
  const lines = `parley_replay() { '${process.execPath}' '${CLI}' "$@"; }\n${commands}`;
  return promisify(execFile)('sh', ['-c', lines], { cwd: folder }).then(
    ({ stdout }) => ({ status: 0, out: stdout }),
    (error: unknown) => ({ status: Number(Object(error).code), out: String(Object(error).stdout) }),
  );
}

const APP = '--app examples/task-board/adapter.ts';
const CAPTURES = 'examples/task-board/captures';

test('the commands of the walkthrough work: compare, coverage and minimize after a change of the reducer; a revision without the adapter is refused in one line, and leaves no worktree', async () => {
  const at = await temporaryFolder();
  await cp(import.meta.dirname, at('examples/task-board'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), at('node_modules'));
  await symlink(join(ROOT, 'out'), at('out'));
  const run = (commands: string) => shell(at(''), commands);
  await run(`git init -q . && git add examples && ${GIT} commit -qm example`);
  expect(await run(`parley_replay compare ${CAPTURES} ${APP} --base HEAD`)).toMatchObject({ status: 0 });
  await run(`parley_replay redact ${CAPTURES}/two-people.parley.jsonl ${APP} -o shared.parley.jsonl`);
  const redacted = await run(`parley_replay run shared.parley.jsonl ${APP} --json`);
  expect(redacted.out).toContain('"updates":{"applied":7,"ignored":1}');
  expect(await readFile(at('shared.parley.jsonl'), 'utf8')).not.toMatch(/Ada|Lin|minutes|draft/);
  const reducer = at('examples/task-board/app/board.ts');
  const text = await readFile(reducer, 'utf8');
  await writeFile(reducer, text.replace('to.cards.push', 'to.cards.unshift'));
  for (const command of [`verify ${CAPTURES} ${APP}`, `compare ${CAPTURES} ${APP} --base HEAD`]) {
    const { status, out } = await run(`parley_replay ${command}`);
    expect(status).toBe(1);
    expect(out).toContain('first differs after update 8 (cardMoved, applied');
    expect(out).toContain('2 captures: 1 same (8 updates), 1 differs');
    expect(out).toMatch(/inspect +npm run replay -- open .*one-person\.parley\.jsonl --app .* --update 8/);
  }
  const coverage = await run(`parley_replay coverage ${CAPTURES} ${APP}`);
  expect(coverage.out).toMatch(/^examples\/task-board\/app\/board\.ts +30 +30 +100\.0$/m);
  expect(coverage.out).toMatch(/^examples\/task-board\/app\/decodeFrame\.ts:\d+:\d+ +catch/m);
  expect(coverage.out).not.toContain('node_modules');
  const check = `! '${process.execPath}' '${CLI}' run "$1" ${APP} --json --with display | grep -q '"done".*card-2.*card-1'\n`;
  await writeFile(at('check.sh'), check);
  // Fewer records need fewer checks.
  await run(`grep -v '"send"' ${CAPTURES}/one-person.parley.jsonl > short.parley.jsonl`);
  const minimize = `parley_replay minimize short.parley.jsonl -o min.parley.jsonl --check 'sh check.sh'`;
  expect(await run(minimize)).toMatchObject({ status: 0 });
  const records = (await readFile(at('min.parley.jsonl'), 'utf8')).trim().split('\n').slice(1);
  const types = records.map((line) => JSON.parse(JSON.parse(line).data).type);
  expect(types).toEqual(['board', 'cardAdded', 'cardMoved', 'cardMoved']);

  await run(`git mv examples/task-board examples/board && ${GIT} commit -qm moved`);
  const compare = `parley_replay compare examples/board/captures --app examples/board/adapter.ts --base HEAD~1`;
  const out = '--base HEAD~1: that revision has no examples/board/adapter.ts\n';
  expect(await run(`${compare} 2>&1`)).toEqual({ status: 2, out });
  expect((await run('git worktree list | wc -l')).out.trim()).toBe('1');
});

test('records its captures again with the recording proxy', async () => {
  const at = await temporaryFolder();
  const { status } = await shell(ROOT, `'${process.execPath}' examples/task-board/record.mjs '${at('')}'`);
  expect(status).toBe(0);
  expect((await readdir(at(''))).sort()).toEqual(['one-person.parley.jsonl', 'two-people.parley.jsonl']);
  const { out } = await shell(ROOT, `parley_replay run '${at('two-people.parley.jsonl')}' ${APP} --json`);
  expect(JSON.parse(out)).toMatchObject({ updates: { applied: 7, ignored: 1 } });
});
