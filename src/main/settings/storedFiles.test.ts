import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { signedIn, signedOut } from '#shared/actions/mainActions.ts';
import { sessionEnded, sessionLaunched, updateReceived } from '#shared/actions/sessionActions.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { virtualClock } from '#shared/clock.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { ARRIVALS_WRITE_MS, KEPT_ARRIVALS, KEPT_ID_LENGTH } from '#shared/limits.ts';
import { timeOfDayAt } from '#shared/store/sharedSlices.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { tellStories } from '#tests/builders/tellStories.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { message, updateOf } from '#tests/builders/updateOf.ts';
import { deleteData, deleteDataFiles } from './deleteData.ts';

/** A limit that a few messages reach. */
vi.mock('#shared/limits.ts', async (original) => ({ ...(await original<object>()), KEPT_ARRIVALS: 20 }));

/** Begins a story about the preferences in a folder: the state are these, the files and the log. */
function beginPreferences() {
  const folder = mainFolder();
  const path = join(folder, 'preferences.json');
  const start = async (audio: boolean | null) => {
    const { store, listeners, clock, kept } = await mainStore({ keepsModules: true });
    const { persistPreferences } = await import('./persistPreferences.ts');
    const parts = { store, listeners, dataDir: folder, settings: { audio }, clock, log: kept.log };
    return { ...persistPreferences(parts), clock, kept, store };
  };
  let main: Awaited<ReturnType<typeof start>> | undefined;
  return {
    happened: [],
    acts: {
      write: (text: string) => fs.writeFileSync(path, text, { mode: 0o600 }),
      block: () => fs.mkdirSync(path),
      start: async (audio: string) => void (main = await start(audio === '' ? null : JSON.parse(audio))),
      change: (change: string) => main?.store.dispatch(preferencesChanged(JSON.parse(change))),
      wait: (ms: string) => main?.clock.advance(Number(ms)),
      flush: () => main?.flush(),
      forget: () => main?.forget(),
    },
    state() {
      const names = fs.readdirSync(folder).filter((name) => fs.statSync(join(folder, name)).isFile());
      const files = names.map((name) => {
        const mode = (fs.statSync(join(folder, name)).mode & 0o777).toString(8);
        return `${name} ${mode} ${fs.readFileSync(join(folder, name), 'utf8').replaceAll(/\n */g, '⏎')}`;
      });
      const lines = main?.kept.lines().map((line) => JSON.stringify(line).replaceAll(folder, 'FOLDER'));
      return main === undefined
        ? files
        : [JSON.stringify(main.store.getState().preferences), ...files, ...(lines ?? [])];
    },
  };
}

const PREFERENCES = {
  'Begins with the defaults; applies a change at once and after a restart, also a limit of recordings that was removed, and stores it':
    'start; change {"audio":true}; change {"theme":"dark","captureDays":null}; flush; start',
  'Resets them on request, and writes no earlier value to the next file':
    'start; change {"audio":true}; change {"sendAllFiles":true}; forget; flush; change {"theme":"dark"}; flush',
  'Writes the file once per second at most, and the last change is in it a second later':
    'start; change {"captureDays":1}; change {"captureDays":2}; change {"captureDays":3}; wait 999; wait 1; wait 1000; change {"captureDays":6}',
  'Uses the known fields of a newer version’s file, and leaves the others in it':
    'write {"theme":"dark","font":{"size":14},"audio":true}; start; change {"theme":"light"}',
  'Keeps audio at the value of PARLEY_AUDIO, and uses the stored choice without it':
    'start; change {"audio":true}; start false; change {"audio":true,"theme":"light"}; start',
  'Has the defaults and keeps a copy of a file that is cut off':
    'write {; start; change {"audio":true}; start',
  'Has the defaults, and continues, when the file can neither be read nor written':
    'block; start; change {"audio":true}',
  'Has the defaults and keeps a copy of a file with a wrong value':
    'write {"other":1,"theme":"sepia"}; start; change {"audio":true}; start',
};

test('contract §2 newer version, contract §2 PARLEY_AUDIO: the preferences are stored and read as their stories say', async () => {
  const stories = await tellStories(PREFERENCES, beginPreferences);
  await expect(stories).toMatchFileSnapshot('testing/preferences.txt');
});

const START = Date.UTC(2026, 10, 22, 15, 0);
const HOUR = 3_600_000;

async function startArrivals(dataDir: string, { at = START, platformName = 'the platform' } = {}) {
  const clock = virtualClock();
  const { store, listeners, kept } = await mainStore({ clock, platformName, keepsModules: true });
  const { keepArrivals } = await import('../store/keepArrivals.ts');
  keepArrivals({ store, listeners, dataDir, platform: platformName, clock, log: kept.log });
  let launchedAt = 0;
  const launch = (timeOfDay: number, id: string) => {
    store.dispatch(signedIn({ id, platform: platformName }));
    launchedAt = clock.now();
    store.dispatch(sessionLaunched({ launchedAt, timeOfDay }));
  };
  launch(at, 'ada');
  return {
    clock,
    store,
    launch,
    receive(frame: object) {
      store.dispatch(updateReceived({ update: updateOf(frame), at: clock.now() - launchedAt, bytes: 1 }));
      clock.advance(100);
    },
    end: () => void store.dispatch(sessionEnded()),
    /** Returns the times of the messages, in milliseconds after the first start. */
    times() {
      const { arrivals, timesOfDay } = store.getState();
      return Array.from({ length: arrivals.length }, (_, index) => {
        const arrival = itemAt(arrivals, index) ?? null;
        return arrival === null ? null : (timeOfDayAt(timesOfDay, arrival) ?? Number.NaN) - START;
      });
    },
  };
}

const snapshot = (...messages: readonly object[]) => ({ person: 'Ada', messages });
const arrivalsIn = (folder: string) => join(folder, 'arrivals.json');
const contents = (folder: string): unknown => JSON.parse(fs.readFileSync(arrivalsIn(folder), 'utf8'));

test('contract §3 times: keeps the arrivals over two restarts by the ids of the messages, without text, and ignores those of another platform', async () => {
  const folder = mainFolder();
  const first = await startArrivals(folder);
  first.receive(message('a', { context: 'secret' }));
  first.receive(message('b'));
  const long = 'x'.repeat(KEPT_ID_LENGTH);
  for (const id of [`${long}x`, '', long]) first.receive(message(id));
  first.end();
  const arrivals = Object.entries({ a: START + 100, b: START + 200, [long]: START + 500 });
  expect(contents(folder)).toEqual({ platform: 'the platform', arrivals });
  expect(fs.statSync(arrivalsIn(folder)).mode & 0o777).toBe(0o600);
  const second = await startArrivals(folder, { at: START + HOUR });
  second.receive(snapshot(message('before'), message('a'), message('b')));
  expect(second.times()).toEqual([null, 100, 200]);
  second.receive(message('c'));
  second.end();
  const third = await startArrivals(folder, { at: START + 2 * HOUR });
  const all = snapshot(message('a'), message('b'), message('c'));
  third.receive(all);
  expect(third.times()).toEqual([100, 200, HOUR + 200]);
  third.end();
  const other = await startArrivals(folder, { platformName: 'another platform' });
  other.receive(all);
  expect(other.times()).toEqual([null, null, null]);
});

test('contract §3 times: writes no file for a platform that gives the times of its messages', async () => {
  const folder = mainFolder();
  const { receive, end } = await startArrivals(folder);
  receive({ ...message('a'), time: '2026-11-22T15:00:00.000Z' });
  end();
  expect(fs.existsSync(arrivalsIn(folder))).toBe(false);
  // A file of messages that are gone becomes empty.
  const { receive: receiveLater, launch, end: endLater } = await startArrivals(folder);
  receiveLater(message('b'));
  endLater();
  launch(START + HOUR, 'ada');
  receiveLater(snapshot(message('c')));
  endLater();
  expect(contents(folder)).toMatchObject({ arrivals: [] });
});

test('deletes the file at the sign-out, writes nothing that waits after it, and has forgotten all at the next sign-in of the same start', async () => {
  const folder = mainFolder();
  const { receive, launch, clock, store, end, times } = await startArrivals(folder);
  receive(message('a'));
  clock.advance(ARRIVALS_WRITE_MS);
  receive(message('b'));
  store.dispatch(signedOut());
  end();
  clock.advance(2 * ARRIVALS_WRITE_MS);
  expect(fs.existsSync(arrivalsIn(folder))).toBe(false);
  launch(START + HOUR, 'grace');
  receive(snapshot(message('a')));
  expect(times()).toEqual([null]);
});

test('keeps the newest ones only, and writes them a minute after each change', async () => {
  const folder = mainFolder();
  const { receive, clock } = await startArrivals(folder);
  const messages = Array.from({ length: KEPT_ARRIVALS + 1 }, (_, at) => ({ id: String(at), modifier: 'ai' }));
  receive(snapshot());
  receive(message('0'));
  receive(snapshot(message('0'), ...messages.slice(1)));
  clock.advance(ARRIVALS_WRITE_MS);
  expect(contents(folder)).toMatchObject({ arrivals: { length: KEPT_ARRIVALS, 0: ['1', START + 300] } });
  receive(message('last'));
  clock.advance(ARRIVALS_WRITE_MS);
  expect(contents(folder)).toMatchObject({ arrivals: { [KEPT_ARRIVALS - 1]: ['last', expect.any(Number)] } });
});

type Options = Parameters<typeof deleteData>[0];

const fail = (): never => expect.fail('ada@example.org');
const fails = () => Promise.reject(new Error('ada@example.org'));

function setUp(options: Partial<Options> = {}) {
  const dataDir = mainFolder();
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const kept = mainLog();
  const all: Options = {
    dataDir,
    messenger: { signOut: step('signOut') },
    recorder: { idle: step('idle') },
    preferences: { forget: () => void steps.push('preferences') },
    windowBounds: { forget: () => void steps.push('windowBounds') },
    tail: { clear: () => void steps.push('tail') },
    builtInPlatform: { deleteAll: step('platform') },
    assistant: { forget: step('assistant') },
    closeInspector: () => void steps.push('inspector'),
    clearPages: step('pages'),
    log: kept.log,
    ...options,
  };
  return { dataDir, steps, kept, run: (platformFile: boolean) => deleteData(all, { platformFile }) };
}

test('signs out and stops every writer before it deletes, and the data of the built-in platform only if the person chose it', async () => {
  const { run, steps, dataDir } = setUp();
  fs.writeFileSync(join(dataDir, 'account.json'), 'x');
  fs.mkdirSync(join(dataDir, 'captures'));
  expect(await run(true)).toBe('Your data was deleted.');
  const writers = ['preferences', 'windowBounds', 'assistant'];
  const order = ['signOut', 'inspector', 'idle', ...writers, 'platform', 'pages', 'tail'];
  expect([steps.splice(0), fs.readdirSync(dataDir)]).toEqual([order, []]);
  await run(false);
  expect(steps).toEqual(order.filter((step) => step !== 'platform'));
});

const UNSTOPPED = 'A part of Parley could not be stopped: quit Parley, and delete your data again.';
const FILES =
  '1 file could not be deleted; the first is captures: a file is in the place of a folder. 2 files in the folders of captures and logs stay, because Parley did not write them.';
const LEFT = 'The built-in platform did not delete its file. What the pages store could not be deleted.';

test.each<Partial<Options>>([
  { messenger: { signOut: fails } },
  { closeInspector: fail },
  { recorder: { idle: fails } },
  { preferences: { forget: fail } },
  { windowBounds: { forget: fail } },
  { assistant: { forget: fails } },
  { builtInPlatform: { deleteAll: fails }, clearPages: fails },
])('continues after error %#, deletes the files, and says what is left, and where', async (options) => {
  const text = options.clearPages === undefined ? UNSTOPPED : LEFT;
  const { run, dataDir, steps, kept } = setUp(options);
  for (const name of ['account.json', 'captures']) fs.writeFileSync(join(dataDir, name), 'x');
  for (const name of ['a', 'b']) fs.mkdirSync(join(dataDir, 'logs', name), { recursive: true });
  expect(await run(true)).toBe(`${text} ${FILES} The data folder is ${dataDir}`);
  expect(steps).toHaveLength(text === LEFT ? 7 : 8);
  expect(fs.existsSync(join(dataDir, 'account.json'))).toBe(false);
  const left = { isRunning: text === UNSTOPPED, isPlatformLeft: text === LEFT, arePagesLeft: text === LEFT };
  const msg = 'the person’s data was deleted';
  expect(kept.lines()).toEqual([{ level: 'info', deleted: 1, failed: 1, ...left, msg }]);
});

function folderWith(files: readonly string[]): string {
  const folder = mainFolder();
  for (const name of ['captures', 'logs']) fs.mkdirSync(join(folder, name));
  for (const name of files) fs.writeFileSync(join(folder, name), 'a secret of hers');
  return folder;
}

const filesIn = (folder: string) =>
  fs
    .readdirSync(folder, { encoding: 'utf8', recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

const STATE = ['account', 'arrivals', 'assistant', 'preferences', 'window', 'starting', 'web-host'].map(
  (name) => `${name}.json`,
);
const COPIES = ['account.json.corrupt-1', 'account.json.new', 'assistant.json.corrupt-1'];
const CAPTURES = ['2026-11-20T09-00-00.000Z.parley.jsonl', '2026-11-20T09-00-00.000Z-2.parley.jsonl.new'];
const STORED = [...CAPTURES, 'hello.parley.jsonl.gz', 'hello.golden.json'].map((name) => `captures/${name}`);
const OURS = [...STATE, ...COPIES, ...STORED, 'failed-start.parley.jsonl', 'logs/parley.1.log'];

test('removes the account, preferences, window bounds, captures and logs with their copies, empties the log that the logger appends to, and keeps what Parley did not write; deletes the captures of a linked folder, and leaves the link; continues after a file that cannot be deleted, or a folder that cannot be read, and names it', async () => {
  const others = ['platform.json', 'instance.json', 'captures/notes.txt', 'logs/other.log'];
  const folder = folderWith([...OURS, 'logs/parley.log', ...others]);
  expect(await deleteDataFiles(folder)).toEqual({ deleted: OURS.length + 1, failed: [], foreign: 2 });
  const left = ['instance.json', 'notes.txt', 'other.log', 'parley.log', 'platform.json'];
  expect([filesIn(folder), fs.readFileSync(join(folder, 'logs/parley.log'), 'utf8')]).toEqual([left, '']);
  const elsewhere = folderWith(['hello.parley.jsonl', 'thesis.txt']);
  const linked = mainFolder();
  fs.symlinkSync(elsewhere, join(linked, 'captures'));
  fs.mkdirSync(join(linked, 'account.json'));
  for (const name of ['preferences.json', 'logs']) fs.writeFileSync(join(linked, name), '{}');
  const { deleted, failed } = await deleteDataFiles(linked);
  expect([deleted, failed.map(({ path }) => path)]).toEqual([2, ['account.json', 'logs']]);
  expect(filesIn(elsewhere)).toEqual(['thesis.txt']);
  expect(fs.readdirSync(linked).sort()).toEqual(['account.json', 'captures', 'logs']);
});
