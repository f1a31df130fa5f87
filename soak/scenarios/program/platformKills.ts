import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { followChild } from '../../harness/followChild.ts';
import { checkKilled, checkRestarted } from '../../harness/checkDataFolder.ts';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };
const READY = /^The platform is ready at (?<url>\S+)$/m;
const BUSY_MS = 300;
/** The rest of a failed write at the end of the database's log, longer than what replaces it. */
const PARTIAL_WRITE = 'half of a write'.repeat(100_000);
/** After this number of messages the platform has written again. */
const AFTER_FAILURE = 50;

const messageSchema = z.object({ id: z.string() });
const snapshotSchema = z.object({ messages: z.array(z.object({ id: z.string().optional() })) });

/** A built-in platform that is killed while it receives messages. */
export const platformKills = scenario({
  name: 'platform-kills',
  sentence:
    'The built-in platform is killed while it receives messages; after a restart it has each message that it has sent.',
  short: { kills: 5 },
  long: { kills: 100 },
  async run(soak, { kills }) {
    const dataDir = createDataFolder(soak);
    let platform = await startPlatformProgram(soak, dataDir);
    const account = await authenticate(platform.url, ADA);
    let received = 0;
    let lost = 0;
    for (let kill = 0; kill < kills; kill++) {
      soak.showProgress(`kill ${kill + 1} of ${kills}`);
      const client = await connect(platform.url, account);
      const timer = setInterval(() => client.sendText(`message ${kill}`), 2);
      await soak.waitFor('messages come', 10, () => client.ids().length > 0);
      appendFileSync(join(dataDir, 'platform.sqlite-wal'), PARTIAL_WRITE);
      const since = client.ids().length;
      await soak.waitFor(
        'messages come after a failed write',
        10,
        () => client.ids().length >= since + AFTER_FAILURE,
      );
      await pause(soak.random() * BUSY_MS);
      await platform.kill();
      clearInterval(timer);
      checkKilled(soak, dataDir);

      platform = await startPlatformProgram(soak, dataDir);
      checkRestarted(soak, dataDir);
      const next = await connect(platform.url, account);
      const kept = new Set(await next.snapshot);
      // The platform sends the newest messages of a long conversation only.
      const expected = client.ids().slice(-50);
      received += client.ids().length;
      lost += expected.filter((id) => !kept.has(id)).length;
      next.close();
    }
    soak.addFigure('kills', kills, '');
    soak.addFigure('messages', received, '');
    soak.check('no message that was sent is lost', lost === 0, `${lost} lost`);
    soak.check(
      'a wrong password is still refused',
      (await authenticate(platform.url, { ...ADA, name: '', password: 'wrong1!' })) === '',
    );
  },
});

async function startPlatformProgram(soak: Soak, dataDir: string) {
  const program = join(soak.programs, 'platform', 'platform.js');
  const child = spawn(process.execPath, [program, '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // The scenario sends 500 messages a second.
    env: { ...process.env, PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '1000000' },
  });
  const ended = followChild(child);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  soak.defer(kill);
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const url = await soak.waitFor(
    'the platform starts within 20 s',
    20,
    () => READY.exec(printed)?.groups?.url,
  );
  return { url, kill };
}

/** Registers or signs in. Returns the account's identifier; empty when refused. */
async function authenticate(url: string, credentials: typeof ADA): Promise<string> {
  const answer = await fetch(`${url}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return answer.ok ? (await answer.text()).replaceAll('"', '') : '';
}

/** Connects a client that keeps the ids of the snapshot and of the messages after it. */
async function connect(url: string, account: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/${encodeURIComponent(account)}`);
  const ids: string[] = [];
  // A close event follows.
  socket.on('error', () => {});
  const snapshot = new Promise<readonly string[]>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString());
      const { success, data: whole } = snapshotSchema.safeParse(frame);
      const message = messageSchema.safeParse(frame).data;
      if (success) resolve(whole.messages.flatMap(({ id }) => id ?? []));
      else if (message !== undefined) ids.push(message.id);
    });
  });
  await snapshot;
  return {
    snapshot,
    ids: () => ids,
    sendText(text: string) {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ category: 'text', text, blob: null }));
    },
    close: () => socket.terminate(),
  };
}
