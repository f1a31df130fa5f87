import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Fault,
  type StartedProgram,
  startRightPlatform,
  testFault,
  runCommand,
  startBuiltIn,
} from './testing/startFaultyPlatform.ts';

let right: StartedProgram;
beforeAll(async () => (right = await startRightPlatform()));
afterAll(() => right.stop());

const isText = (data: string) => data.includes('"category":"text"');

/** Faults of each kind: of sign-ins, sockets, clients, echoes and updates. */
test.concurrent.each<[string, string, Fault]>([
  [
    'wrong-password',
    'accepts any password',
    {
      signIn: (body, answer) =>
        body.includes('wrong1!pass2!') ? { status: 200, body: 'an account' } : answer,
    },
  ],
  ['snapshot', 'sends no snapshot', { toClient: (frame) => (frame.includes('"person"') ? [] : [frame]) }],
  ['pong', 'answers no pings', { ignoresPings: true }],
  ['unauthorized', 'closes without a reason', { closeReason: () => '' }],
  [
    'logout',
    'signs out every client when one leaves',
    { onClientClose: (_, all) => all.forEach(({ close }) => close(4401, 'unauthorized')) },
  ],
  [
    'two-clients',
    'sends messages to one client only',
    { toClient: (frame, { number }) => (number === 1 && frame.includes('"modifier"') ? [] : [frame]) },
  ],
  ['echo-text', 'returns no texts', { toPlatform: (data) => (isText(data) ? [] : [data]) }],
  [
    'frames',
    'sends a label that is a number',
    { toClient: (frame) => (frame.includes('"client"') ? [frame, '{"context":5}'] : [frame]) },
  ],
])('the check %s fails on a platform that %s', async (id, _, fault) => {
  // The check of frames needs the traffic of another one.
  const only = id === 'frames' ? ['echo-text', id] : [id];
  const rows = await testFault(right, { fault, only, timeoutMs: 3000 });
  expect(rows.find((row) => row.id === id)?.outcome).toMatchObject({ result: 'failed' });
});

test('the example passes every check, also behind a server that changes nothing', async () => {
  const rows = await testFault(right, { fault: {}, only: null, timeoutMs: 10_000 });
  expect(rows.filter(({ outcome }) => outcome.result === 'failed')).toEqual([]);
  expect(rows.filter(({ outcome }) => outcome.result === 'notTested').map(({ id }) => id)).toEqual([
    'notices',
    'dividers',
    'kind-name',
    'kind-content',
    'kind-notification',
    'words',
    'revoked',
    'restart',
  ]);
});

const reportSchema = z.object({ checks: z.array(z.object({ id: z.string(), result: z.string() })) });

/** What only the answers of a model have, not those of the demonstration. */
const OF_A_MODEL = ['format', 'growth', 'dividers'];

test('the built-in platform passes, and only what needs a model and what no client can cause is not tested', async () => {
  const says = ['stream', 'rename Ada King', 'notify'].flatMap((text) => ['--say', text]);
  const argv = [await startBuiltIn(), ...says, '--quiet', '5', '--timeout', '30', '--json'];
  const { status, out } = await runCommand(argv);
  const { checks } = reportSchema.parse(JSON.parse(out));
  expect(checks.filter(({ result }) => result === 'failed')).toEqual([]);
  const untested = checks.flatMap(({ id, result }) => (result === 'notTested' ? [id] : []));
  expect(untested.filter((id) => id !== 'words')).toEqual([...OF_A_MODEL, 'revoked', 'restart']);
  expect(status).toBe(0);
});
