/**
 * Records the captures of this example again: starts the server and the replay tool's recording proxy, and lets clients work on the board.
 *
 *   npm run build && node examples/task-board/record.mjs [folder]
 *
 * Then review and update their goldens.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startServer } from './server.mjs';

const CLI = join(import.meta.dirname, '../../out/replay/cli.js');
const PAUSE_MS = 120;

/** The commands of each session. `peer` is a client that is not recorded; the others are those of the recorded client. */
const SESSIONS = {
  'one-person': [
    { type: 'hello', name: 'Ada' },
    { type: 'add', column: 'todo', title: 'Order coffee' },
    {
      type: 'add',
      column: 'todo',
      title: 'Book the room on the second floor for the meeting of the whole team',
    },
    { type: 'move', id: 'card-1', column: 'doing' },
    { type: 'rename', id: 'card-2', title: 'Order coffee and tea' },
    { type: 'move', id: 'card-1', column: 'done' },
    { type: 'move', id: 'card-2', column: 'done' },
    { type: 'remove', id: 'card-3' },
  ],
  'two-people': [
    { type: 'hello', name: 'Ada' },
    { type: 'hello', name: 'Lin', peer: true },
    { type: 'add', column: 'doing', title: 'Review the draft', peer: true },
    { type: 'move', id: 'card-2', column: 'done' },
    { type: 'remove', id: 'card-2', peer: true },
    // The card is gone: the server tells everyone, and nothing changes.
    { type: 'move', id: 'card-2', column: 'doing' },
    { type: 'rename', id: 'card-1', title: 'Write and send the minutes', peer: true },
  ],
};

async function connected(url) {
  const socket = new WebSocket(`${url}/socket`);
  await once(socket, 'open');
  return socket;
}

/** Records one session; returns the path of its capture. */
async function recordSession(commands, folder) {
  const server = await startServer(0);
  const recorder = spawn(
    process.execPath,
    [CLI, 'record', '--listen', '0', '--upstream', server.socketUrl, '-o', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [ready] = await once(recorder.stdout, 'data');
  const [, proxy] = /PARLEY_PLATFORM_URL=(\S+)/.exec(String(ready));
  const person = await connected(proxy);
  const peer = await connected(server.socketUrl);
  for (const { peer: isPeer = false, ...command } of commands) {
    await setTimeout(PAUSE_MS);
    (isPeer ? peer : person).send(JSON.stringify(command));
  }
  await setTimeout(PAUSE_MS);
  person.close(1000, 'done');
  await once(person, 'close');
  recorder.kill('SIGTERM');
  await once(recorder, 'exit');
  await server.stop();
  return join(folder, readdirSync(folder)[0]);
}

const target = process.argv[2] ?? join(import.meta.dirname, 'captures');
for (const [name, commands] of Object.entries(SESSIONS)) {
  const folder = mkdtempSync(join(tmpdir(), 'task-board-'));
  const path = join(target, `${name}.parley.jsonl`);
  copyFileSync(await recordSession(commands, folder), path);
  rmSync(folder, { recursive: true });
  process.stdout.write(`${path}\n`);
}
