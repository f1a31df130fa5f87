import type crypto from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import pino, { type Logger } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DamagedFileError } from './platformFile.ts';
import { hashPassword, passwordHashSchema, passwordMatches } from './passwords.ts';
import { openStore } from './platformStore.ts';
import { OUTGOING_BYTES } from '#shared/limits.ts';
import { observedClock, recordingLogger } from '../testing/observers.ts';
import { readStoredPlatform } from '../testing/readStoredPlatform.ts';
import { fillDisk, temporaryFolder } from '../testing/testPlatform.ts';

const silent = pino({ level: 'silent' });

const account = (id: string) => ({
  id,
  email: `${id}@example.org`,
  password: { salt: 'c2FsdA', hash: 'aGFzaA', n: 1024, r: 8, p: 1 },
  hostUser: null,
  person: 'Ada Lovelace',
  messages: [{ id: '1', modifier: 'ai', content: [{ category: 'text', text: null }] }],
});

const message = (id: string, text = 'hello') =>
  JSON.stringify({ id, modifier: 'client', content: [{ category: 'text', text, html: null, blob: null }] });

async function testStore(logger: Logger = silent, at?: string) {
  const path = at ?? join(await temporaryFolder(), 'platform.sqlite');
  const clock = observedClock();
  let time = 1843;
  const store = openStore({ path, clock, logger, now: () => time++ });
  const find = (id: string) => {
    const found = store.account('id', id);
    if (found === undefined) throw new Error(`no account ${id}`);
    return found;
  };
  const append = (id: string, frame: string) =>
    new Promise<void>((resolve) => store.append(find(id), frame, resolve));
  return { path, clock, store, find, append };
}

const ids = (path: string) =>
  readStoredPlatform(path).map(({ id, messages }) => [id].concat(messages.map((kept) => kept.id ?? '')));

const FULL =
  /^\{"level":50,"reason":"[^"]+","msg":"the platform’s messages cannot be written: they stay in memory and the platform retries"\}\n$/;

const mode = (name: string) => (fs.statSync(name).mode & 0o777).toString(8);

test('returns accounts, one for each email, and conversations after it was opened again, and continues them', async () => {
  const before = await testStore();
  expect([await before.store.canWrite(), fs.existsSync(before.path)]).toEqual([true, false]);
  const added = [before.store.add(account('a')), before.store.add({ ...account('a'), id: 'b' })];
  expect(await Promise.all(added)).toEqual(['added', 'taken']);
  await before.store.add(account('0'));
  expect(before.store.accounts().map(({ email }) => email)).toEqual(['a@example.org', '0@example.org']);
  await before.append('a', message('2'));
  await before.append('a', JSON.stringify({ name: 'Ada\u0000 \uD800King' }));
  await before.store.close();
  const { store, find, append } = await testStore(silent, before.path);
  expect(store.account('email', 'a@example.org')).toEqual(find('a'));
  const { messages: _none, ...stored } = account('a');
  const person = 'Ada\u0000 \uD800King';
  expect(find('a')).toEqual({ ...stored, number: 1, person, createdAt: 1843, revokedAt: null });
  expect(store.conversation(find('a'))).toMatchObject({ person, messages: [{ id: '1' }, { id: '2' }] });
  expect(store.account('id', 'b')).toBeUndefined();
  await append('a', JSON.stringify({ text: 'changed' }));
  await store.close();
  expect(readStoredPlatform(before.path)[0]?.messages[1]).toMatchObject({ content: [{ text: 'changed' }] });
});

test('revokes an account once, restores it, and sets it aside with its messages, so that its email is free', async () => {
  const { store, find, append } = await testStore();
  const email = 'a@example.org';
  const listed = () => store.accounts().map((one) => [one.email, one.messages, one.revokedAt]);
  await store.add(account('a'));
  expect(await store.setRevoked('b@example.org', true)).toBe('unknown');
  for (const _time of [1, 2]) expect(await store.setRevoked(email, true)).toBe('done');
  expect(listed()).toEqual([[email, 1, 1845]]);
  expect(await store.setRevoked(email, false)).toBe('done');
  expect(listed()).toEqual([[email, 1, null]]);
  expect(await store.setAside(find('a'))).toBe(true);
  expect(await store.add({ ...account('a'), id: 'b' })).toBe('added');
  await append('b', message('2'));
  expect([store.count(), ...listed()]).toEqual([2, [`${email} #1`, 1, 1847], [email, 2, null]]);
  await store.setRevoked(email, true);
  expect(await store.setAside(find('b'))).toBe(true);
  expect(listed().at(-1)).toEqual([`${email} #2`, 2, 1849]);
  await store.close();
});

test('writes each message in a transaction of its own, syncs it, and then calls back, in order; leaves one file, which only its owner can read', async () => {
  const { path, store, find } = await testStore();
  await store.add(account('a'));
  const synced = vi.spyOn(fs, 'fsyncSync');
  onTestFinished(() => synced.mockRestore());
  const seen: (readonly [number, number])[] = [];
  const frames = Array.from({ length: 20 }, (_, n) => message(`m${n}`));
  for (const [n, frame] of frames.entries())
    store.append(find('a'), frame, () => seen.push([n, synced.mock.calls.length]));
  const after = new Promise<void>((resolve) => store.afterCommit(resolve));
  expect(seen).toEqual([]);
  await after;
  expect(seen).toEqual(frames.map((_, n) => [n, n + 1]));
  expect(ids(path)[0]).toHaveLength(22);
  expect(['', '-wal', '.lock'].map((end) => mode(path + end))).toEqual(['600', '600', '700']);
  await store.close();
  expect([fs.readdirSync(dirname(path)), mode(path)]).toEqual([['platform.sqlite'], '600']);
});

test('writes everything on a synchronous exit, also during a commit', async () => {
  const { path, store, append } = await testStore();
  await store.add(account('a'));
  const appending = [append('a', message('2'))];
  await new Promise((resolve) => setImmediate(resolve));
  appending.push(append('a', message('3')));
  store.closeSync();
  expect(ids(path)).toEqual([['a', '1', '2', '3']]);
  void appending;
  const { logger, logged } = recordingLogger();
  const full = await testStore(logger, path);
  fillDisk();
  void full.append('a', message('4'));
  full.store.closeSync();
  expect(logged()).toMatch(FULL);
});

test('keeps messages that cannot be written, logs this once each time without content, commits them later, and then drops them from memory; refuses a registration', async () => {
  const { logger, logged } = recordingLogger();
  const { path, clock, store, find, append } = await testStore(logger);
  await store.add(account('a'));
  let makeRoom = fillDisk();
  expect(await store.add(account('b'))).toBe('notStored');
  const committed = vi.fn<() => void>();
  const appending = append('a', message('2', 'my secret')).then(committed);
  await clock.untilDue();
  clock.advance(1000);
  await clock.untilDue();
  expect(committed).not.toHaveBeenCalled();
  expect([store.forget(find('a')), await store.canWrite()]).toEqual([false, false]);
  expect(logged().trim().split('\n')).toHaveLength(1);
  expect(logged()).toMatch(FULL);
  for (const secret of ['example.org', 'secret']) expect(logged()).not.toContain(secret);
  makeRoom();
  clock.advance(1000);
  await appending;
  expect(ids(path)).toEqual([['a', '1', '2']]);
  expect(store.forget(find('a'))).toBe(true);
  makeRoom = fillDisk();
  void append('a', message('3'));
  await clock.untilDue();
  expect(logged().trim().split('\n')).toHaveLength(2);
  makeRoom();
  await store.close();
  expect([ids(path), clock.nextDue()]).toEqual([[['a', '1', '2', '3']], undefined]);
});

test('refuses more while too much waits for the disk, and has room again when it is written', async () => {
  const { store, append } = await testStore();
  await store.add(account('a'));
  const appending = append('a', message('2', 'x'.repeat(OUTGOING_BYTES)));
  expect(store.refusal()).toBe('full');
  await appending;
  expect(store.refusal()).toBe(null);
  await store.close();
});

test.each(['removed', 'replaced by a copy'])(
  'commits nothing more after its file was %s, and says so',
  async (what) => {
    const { logger, untilLogged } = recordingLogger();
    const { path, store, append } = await testStore(logger);
    await store.add(account('a'));
    await append('a', message('2'));
    const moved = `${dirname(path)}-removed`;
    fs.renameSync(dirname(path), moved);
    if (what === 'replaced by a copy') fs.cpSync(moved, dirname(path), { recursive: true });
    fs.rmSync(moved, { recursive: true });
    const committed = vi.fn<() => void>();
    void append('a', message('3')).then(committed);
    await untilLogged('file was removed');
    expect([store.refusal(), store.isFailing]).toEqual(['removed', true]);
    expect(await store.add(account('b'))).toBe('notStored');
    await store.close();
    store.closeSync();
    expect(committed).not.toHaveBeenCalled();
    expect(fs.existsSync(dirname(path))).toBe(what === 'replaced by a copy');
  },
);

test('removes the file and its copies, no other file, and the messages that wait for the disk, and starts again', async () => {
  const { path, clock, store, find, append } = await testStore();
  await store.add(account('a'));
  const makeRoom = fillDisk();
  void append('a', message('2', 'x'.repeat(OUTGOING_BYTES)));
  await clock.untilDue();
  const waiting = store.add(account('b'));
  makeRoom();
  const folder = dirname(path);
  const copies = ['corrupt-9', 'corrupt-10', 'corrupt-10-wal'].map((end) => `platform.sqlite.${end}`);
  const others = ['platform.json', 'platform.sqlite2'];
  for (const name of [...copies, ...others]) fs.writeFileSync(join(folder, name), '');
  expect(store.quarantined()).toBe('platform.sqlite.corrupt-10');
  await store.remove();
  expect(fs.readdirSync(folder).toSorted()).toEqual(others);
  expect([store.account('id', 'a'), store.refusal(), clock.nextDue()]).toEqual([undefined, null, undefined]);
  expect(await waiting).toBe('added');
  expect(find('b')).toMatchObject({ number: 1 });
  // It continues the new conversation, not that of the account which had the number before.
  await append('b', JSON.stringify({ text: 'changed' }));
  await store.close();
  expect(readStoredPlatform(path)).toMatchObject([
    { messages: [{ id: '1', content: [{ text: 'changed' }] }] },
  ]);
});

test('reads a large file to its end in the background, notices a damaged page, and the next start keeps the file and says so', async () => {
  const { path, store, append } = await testStore();
  await store.add(account('a'));
  for (let number = 0; number < 18; number++) await append('a', message(`${number}`, 'x'.repeat(1_000_000)));
  await store.close();
  const { logger, logged } = recordingLogger();
  const whole = await testStore(logger, path);
  whole.clock.advance(1000);
  expect([whole.clock.nextDue(), logged()]).toEqual([undefined, '']);
  await whole.store.close();
  const bytes = fs.readFileSync(path);
  // The messages are in the middle.
  const page = Math.floor(bytes.length / 2 / 4096) * 4096;
  fs.writeFileSync(path, bytes.fill(0xff, page, page + 40 * 4096));
  const damaged = await testStore(logger, path);
  expect(damaged.find('a')).toMatchObject({ id: 'a' });
  expect(logged()).not.toContain('damaged');
  damaged.clock.advance(1000);
  expect(() => damaged.store.conversation(damaged.find('a'))).toThrow(DamagedFileError);
  expect(logged()).toMatch(/^\{"level":50,"msg":"the platform’s file is damaged: start again [^\n]+\n$/);
  expect(damaged.store.quarantined()).toBeNull();
  await damaged.store.close();
  const next = await testStore(logger, path);
  expect(next.store.account('id', 'a')).toBeUndefined();
  expect(next.store.quarantined()).toBe('platform.sqlite.corrupt-1');
  await next.store.remove();
  await next.store.close();
  fs.writeFileSync(path, bytes);
  const removed = await testStore(logger, path);
  removed.clock.advance(1000);
  await removed.store.remove();
  await removed.store.close();
  expect(fs.readdirSync(dirname(path))).toEqual([]);
});

test('accepts a password with its own hash only, which has its own salt, and computes it with the parameters that are stored in it', async () => {
  const kept = await hashPassword('engine1843!', 1024);
  expect(await passwordMatches('engine1843!', kept)).toBe(true);
  expect(await passwordMatches('engine1843?', kept)).toBe(false);
  expect((await hashPassword('engine1843!', 1024)).hash).not.toBe(kept.hash);
  expect(JSON.stringify(kept)).not.toContain('engine');
  // Computed with Python's hashlib.scrypt.
  const hash = 'jL4k9_PhfLnPBGF1D4sonoK2-W0Goi6MgWK0sxeKccE';
  const stored = passwordHashSchema.parse({ salt: 'c2FsdA', hash, n: 1024, r: 4, p: 2 });
  expect(await passwordMatches('engine1843!', stored)).toBe(true);
});

test('does the same work for a password without a stored hash as for a wrong password, and rejects it', async () => {
  const work = vi.fn<(...cost: unknown[]) => void>();
  // Other files of the process use the module without the mock.
  vi.resetModules();
  vi.doMock('node:crypto', async (original) => ({
    ...(await original<typeof crypto>()),
    scrypt(...[, , length, options, done]: Parameters<typeof crypto.scrypt>) {
      work(length, options);
      done(null, Buffer.alloc(length));
    },
  }));
  onTestFinished(() => {
    vi.doUnmock('node:crypto');
    vi.resetModules();
  });
  const mocked = await import('./passwords.ts');
  expect(await mocked.passwordMatches('', undefined)).toBe(false);
  expect(await mocked.passwordMatches('engine1844!', await mocked.hashPassword('engine1843!'))).toBe(true);
  const cost = { N: 16_384, r: 8, p: 1, maxmem: 2 ** 25 };
  expect(work.mock.calls).toEqual(Array.from({ length: 3 }, () => [32, cost]));
});
