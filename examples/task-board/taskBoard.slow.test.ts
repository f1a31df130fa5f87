import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Recorder, createRecorder } from '#replay/record.ts';
import { rowsOf, runTool, temporaryFolder, wholeCapture, writeCapture } from '#replay/testing/files.ts';
import { adapter } from './adapter.ts';
import { startServer } from './server.mjs';

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

/** A repository with a copy of the example. */
async function exampleRepository() {
  const at = await temporaryFolder();
  await cp(import.meta.dirname, at('examples/task-board'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), at('node_modules'));
  await symlink(join(ROOT, 'out'), at('out'));
  await shell(at(''), `git init -q . && git add examples && ${GIT} commit -qm example`);
  return at;
}

const APP = '--app examples/task-board/adapter.ts';
const CAPTURES = 'examples/task-board/captures';

test('the commands of the walkthrough work: compare, coverage and minimize after a change of the reducer', async () => {
  const at = await exampleRepository();
  const run = (commands: string) => shell(at(''), commands);
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
});

test('refuses a revision without the adapter in one line, and leaves no worktree', async () => {
  const at = await exampleRepository();
  await shell(at(''), `git mv examples/task-board examples/board && ${GIT} commit -qm moved`);
  const compare = `parley_replay compare examples/board/captures --app examples/board/adapter.ts --base HEAD~1`;
  const out = '--base HEAD~1: that revision has no examples/board/adapter.ts\n';
  expect(await shell(at(''), `${compare} 2>&1`)).toEqual({ status: 2, out });
  expect((await shell(at(''), 'git worktree list | wc -l')).out.trim()).toBe('1');
});

test('records its captures again with the recording proxy', async () => {
  const at = await temporaryFolder();
  const { status } = await shell(ROOT, `'${process.execPath}' examples/task-board/record.mjs '${at('')}'`);
  expect(status).toBe(0);
  expect((await readdir(at(''))).sort()).toEqual(['one-person.parley.jsonl', 'two-people.parley.jsonl']);
  const { out } = await shell(ROOT, `parley_replay run '${at('two-people.parley.jsonl')}' ${APP} --json`);
  expect(JSON.parse(out)).toMatchObject({ updates: { applied: 7, ignored: 1 } });
});

const ADAPTER = join(import.meta.dirname, 'adapter.ts');

/** What a person writes, and who is there. No line of a capture may contain it. */
const TEXTS = [
  'Ada Lovelace',
  'Order coffee',
  'Call 555-0100 about the invoice',
  'Write the minutes',
  'To do',
];

const COMMANDS: readonly object[] = [
  { type: 'hello', name: TEXTS[0] },
  { type: 'add', column: 'todo', title: TEXTS[1] },
  { type: 'add', column: 'todo', title: TEXTS[2] },
  { type: 'move', id: 'card-1', column: 'doing' },
  { type: 'rename', id: 'card-2', title: TEXTS[2] },
  { type: 'move', id: 'card-2', column: 'done' },
  { type: 'remove', id: 'card-3' },
];

/** Works on the board with a recorded socket; returns the frames that it received. */
async function work(recorder: Recorder): Promise<readonly string[]> {
  const server = await startServer(0);
  onTestFinished(() => server.stop());
  const socket = new (recorder.webSocket(WebSocket))(`${server.socketUrl}/socket`);
  const frames: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') frames.push(data);
  });
  const received = async (count: number): Promise<void> => {
    while (frames.length < count) await once(socket, 'message');
  };
  // The server begins with its version and the board.
  await received(2);
  for (const [index, command] of COMMANDS.entries()) {
    socket.send(JSON.stringify(command));
    await received(3 + index);
  }
  socket.close(1000, 'done');
  await once(socket, 'close');
  return frames;
}

/** Returns a value in which each text is the number of its first occurrence. */
function shapeOf(value: unknown): unknown {
  const numbers = new Map<string, number>();
  const shape = (_: string, one: unknown): unknown => {
    if (typeof one !== 'string') return one;
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return `text ${number}`;
  };
  return JSON.parse(JSON.stringify(value, shape));
}

test('a recorded session without the texts of people replays to a state of the same shape', async () => {
  const at = await temporaryFolder();
  const recorder = createRecorder({ app: 'task-board', clear: adapter.redact?.codes ?? [] });
  const frames = await work(recorder);
  const masked = at('masked.parley.jsonl');
  await writeFile(masked, recorder.save());
  const { header, records } = await wholeCapture(masked);
  expect(header.app).toBe('task-board');
  for (const text of TEXTS) expect(recorder.save()).not.toContain(text);

  let next = 0;
  const original = records.map((record) =>
    record.type === 'recv' ? Object.assign({}, record, { data: frames[next++] }) : record,
  );
  expect(next).toBe(frames.length);
  const raw = await writeCapture(at('raw.parley.jsonl'), original);
  const resultOf = async (capture: string): Promise<object> => {
    const { out } = await runTool('run', capture, '--app', ADAPTER, '--json', '--with', 'state');
    return Object(rowsOf(out)[0]);
  };
  const [before, after] = [await resultOf(raw), await resultOf(masked)];
  expect(JSON.stringify(before)).toContain('Call 555-0100');
  expect(after).toMatchObject({ frames: { received: 9, sent: 7, rejected: 1 }, updates: { applied: 8 } });
  expect(shapeOf(Reflect.get(after, 'state'))).toEqual(shapeOf(Reflect.get(before, 'state')));

  expect(await runTool('verify', masked, '--app', ADAPTER, '--update')).toMatchObject({ status: 0 });
  const verified = await runTool('verify', masked, '--app', ADAPTER);
  expect(verified).toMatchObject({ status: 0, out: expect.stringContaining('1 same') });
});
