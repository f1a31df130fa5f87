import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { openStore } from '../storage/platformStore.ts';
import { REPLY_MS } from '../assistant/demonstration.ts';
import { temporaryFolder, testPlatform } from '../testing/testPlatform.ts';

const ACCOUNTS = 200;

/** Creates a file with many accounts, each with one message that names it. */
async function createFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'platform.sqlite');
  const store = openStore({ path, clock: virtualClock(), logger: pino({ level: 'silent' }) });
  const accounts = Array.from({ length: ACCOUNTS }, (_, at) => ({
    id: `account-${at}`,
    email: `person${at}@example.org`,
    password: { salt: 'c2FsdA', hash: 'aGFzaA', n: 1024, r: 8, p: 1 },
    hostUser: null,
    person: `Person ${at}`,
    messages: [{ id: `m${at}`, modifier: 'ai', content: [{ category: 'text', text: `Hello ${at}.` }] }],
  }));
  await Promise.all(accounts.map((account) => store.add(account)));
  await store.close();
  return path;
}

test('keeps 200 accounts apart, and the clients of one account in sync', async () => {
  const platform = await testPlatform(await createFile());
  for (let at = 0; at < ACCOUNTS; at++) {
    const client = await platform.connect(`account-${at}`);
    expect(client.conversation()).toMatchObject({ person: `Person ${at}`, messages: [{ id: `m${at}` }] });
    client.socket.terminate();
  }
  const accounts = Array.from({ length: 20 }, (_, at) => `account-${at * 10}`);
  const groups = await Promise.all(
    accounts.map((account) => Promise.all([1, 2, 3].map(() => platform.connect(account)))),
  );
  groups.flat().forEach((client, at) => client.sendText(`text ${at}`));
  const isComplete = ({ updates }: (typeof groups)[number][number]) =>
    updates().filter((update) => update.kind === 'message' && update.frame.modifier === 'client').length ===
    3;
  await Promise.all(groups.flat().map((client) => client.until(isComplete)));
  platform.clock.advance(REPLY_MS);
  for (const clients of groups) {
    const [first, ...others] = clients.map((client) => client.conversation());
    expect(first?.messages.filter(({ modifier }) => modifier === 'client')).toHaveLength(3);
    for (const other of others) expect(other.messages.slice(0, 4)).toEqual(first?.messages.slice(0, 4));
  }
});

test('drops an unused conversation from memory, and loads it again', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const before = await platform.connect(account);
  before.sendText('stream');
  await before.until(({ newest }) => newest()?.modifier === 'client');
  before.socket.close(1000, 'logout');
  await before.closed;
  platform.clock.advance(600_001);
  await platform.connect(await platform.register({ email: 'bob@example.org' }));
  const after = await platform.connect(account);
  expect(after.conversation().messages.at(-1)).toMatchObject({ modifier: 'ai', context: 'Parley' });
  after.sendText('more');
  await after.until(({ newest }) => newest()?.modifier === 'client');
});
