import { join } from 'node:path';
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reduceActs } from '#shared/capture/recordedActions.ts';
import { sessionEnded, sessionLaunched } from '#shared/actions/sessionActions.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { runTool, temporaryFolder } from '../testing/files.ts';
import { copyCaptures } from './corpus.ts';
import { verifyParley } from '../verify/testing/verifyParley.ts';
import { recordOf } from '../verify/resultRecord.ts';

const CORPUS = join(import.meta.dirname, '../../../tests/captures');

/** Copies two captures of one run of the program, with other names. `change` changes the text of the second one. */
async function twoSessions(change = (text: string) => text, names = ['a', 'b']) {
  const at = await temporaryFolder();
  const [first = '', second = ''] = names.map((name) => at(`${name}.parley.jsonl`));
  await copyFile(join(CORPUS, 'sign-out.parley.jsonl'), first);
  const text = change(await readFile(join(CORPUS, 'sign-out.then.parley.jsonl'), 'utf8'));
  await writeFile(second, text);
  expect(await runTool('verify', first, second, '--update', '-q')).toMatchObject({ err: '' });
  return { first, second };
}

const darker = (text: string) => text.replace('"theme":"light"', '"theme":"dark"');

const stateOf = (out: string): unknown => JSON.parse(out).state;

test.each(['fold', 'store'])(
  'run continues the state after the sign-out with the next capture, with the engine %s',
  async (engine) => {
    const { first, second } = await twoSessions();
    const run = async (...args: string[]) => {
      const { status, out, err } = await runTool('run', ...args, '--engine', engine, '--json', '--hash');
      expect({ status, err }).toEqual({ status: 0, err: '' });
      const { wallMs: _wallMs, ...document } = JSON.parse(out);
      return document;
    };
    const together = await run(first, '--then', second, '--with', 'conversation,state');
    expect(together).toEqual(await run(second, '--with', 'conversation,state'));
    expect(together).toMatchObject({ capture: second, conversation: { person: 'Grace Hopper' } });
  },
);

test('run shows the state after the end of a session at time 0 of the next one', async () => {
  const { first, second } = await twoSessions();
  const { out } = await runTool('run', first, '--then', second, '--at', '0', '--with', 'state', '--json');
  expect(stateOf(out)).toMatchObject({
    connection: { status: 'disconnected' },
    counts: { received: 0, sent: 0, dropped: 0, applied: 0 },
    words: [],
    title: 'Parley',
    windows: { 1: { own: { view: 'conversation', textBox: null, find: null } } },
  });
});

test('run names where the beginning of the next capture is not the state before, and ends with 1', async () => {
  const { first, second } = await twoSessions(darker);
  const { status, err } = await runTool('run', first, '--then', second);
  expect({ status, err }).toEqual({
    status: 1,
    err: `${second}: its beginning is not the state in which the capture before ends: preferences.theme\n`,
  });
});

test.each([
  [
    'connection',
    'sign-out.then',
    'connection.parley.jsonl: its session does not end, so no capture can follow it',
  ],
  [
    'sign-out',
    'strange-texts',
    'strange-texts.parley.jsonl: lacks the beginning of its session, so it can follow no other capture',
  ],
])('run and verify refuse that %s is followed by %s', async (a, b, problem) => {
  const [first, second] = [join(CORPUS, `${a}.parley.jsonl`), join(CORPUS, `${b}.parley.jsonl`)];
  const ran = await runTool('run', first, '--then', second);
  expect(ran).toMatchObject({ status: 2, out: '', err: `${join(CORPUS, problem)}\n` });
  const { status, out } = await runTool('verify', first, '--then', second, '--json');
  expect(status).toBe(2);
  expect(out).toContain(problem);
});

test('verify checks each capture after those before it', async () => {
  const { first, second } = await twoSessions();
  expect((await runTool('verify', first, '--then', second)).status).toBe(0);
  const others = await twoSessions(darker);
  // Alone, each of them is as expected.
  expect((await runTool('verify', others.first, others.second)).status).toBe(0);
  const { status, out } = await runTool('verify', others.first, '--then', others.second);
  expect(status).toBe(1);
  expect(out).toContain(
    `  after ${others.first}\n  the beginning is not the state before\n    preferences.theme\n`,
  );
  expect(out).toContain('differs: the beginning after another session: preferences.theme\n');
});

test('verify finds the captures of one run of the program by their names, and --update does not hide a difference', async () => {
  const { first, second } = await twoSessions(darker, ['x', 'x.then']);
  for (const options of [[], ['--update']]) {
    const { status, out } = await runTool('verify', first, second, ...options);
    expect(status).toBe(1);
    expect(out).toContain(`differs  ${second}\n  after ${first}\n`);
  }
  // By another name it follows none.
  expect((await runTool('verify', (await twoSessions(darker)).second)).status).toBe(0);
});

/** Code in which a session begins with the connection in which the one before ended. */
const remembering: ReplayCode = {
  ...appCode,
  reduceActs(state, action) {
    const next = reduceActs(state, action);
    const isReset = sessionEnded.match(action) || sessionLaunched.match(action);
    return isReset ? { ...next, wasConnected: state?.wasConnected ?? false } : next;
  },
};

test('a session that depends on the one before differs only after that one', async () => {
  const capture = join(CORPUS, 'unauthorized.then.parley.jsonl');
  const options = { engine: 'fold', code: remembering } as const;
  expect(await verifyParley(capture, { ...options, before: [] })).toMatchObject({ outcome: 'same' });
  const result = await verifyParley(capture, options);
  expect(result).toMatchObject({
    outcome: 'differs',
    difference: {
      after: join(CORPUS, 'unauthorized.parley.jsonl'),
      beginning: [{ path: 'wasConnected', expected: false, got: true }],
    },
  });
  expect(recordOf(result).signature).toBe('differs: the beginning after another session: wasConnected');
  expect(await verifyParley(capture, { base: remembering })).toMatchObject({
    outcome: 'differs',
    difference: { after: join(CORPUS, 'unauthorized.parley.jsonl') },
  });
});

test('refuses --then with several captures, and with the adapter of another app', async () => {
  const several = await runTool('verify', 'a.parley.jsonl', 'b.parley.jsonl', '--then', 'c.parley.jsonl');
  expect(several).toMatchObject({
    status: 2,
    err: '--then follows one capture: name one, and the next ones with --then\n',
  });
  const app = (await temporaryFolder())('counter.ts');
  const counter = join(import.meta.dirname, '../testing/counterAdapter.ts');
  await writeFile(app, `export { counterAdapter as adapter } from ${JSON.stringify(counter)};\n`);
  for (const command of ['run', 'verify'])
    expect(
      await runTool(command, join(CORPUS, 'sign-out.parley.jsonl'), '--then', 'b', '--app', app),
    ).toMatchObject({
      status: 2,
      err: '--then is for sessions of Parley; the session of another app (--app) has no end\n',
    });
});

test('a copied capture brings those before it', async () => {
  const at = await temporaryFolder();
  const name = 'sign-out.then.parley.jsonl';
  await copyCaptures(new Map([[join(CORPUS, name), name]]), at('copied'));
  expect((await readdir(at('copied'))).sort()).toEqual([
    'sign-out.golden.json',
    'sign-out.parley.jsonl',
    'sign-out.then.golden.json',
    'sign-out.then.parley.jsonl',
  ]);
});
