import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import type { EndpointStub } from './endpoint/testing/startEndpointStub.ts';
import { askByWord, endpointStub, shownAnswer } from './testing/answeringPlatform.ts';
import { connect } from './testing/testPlatform.ts';
import { runProgram } from './testing/program.ts';
import { postAuth } from './testing/testPlatform.ts';
import { ADA, temporaryFolder } from './testing/testPlatform.ts';

let program: Awaited<ReturnType<typeof buildProgram>>;
beforeAll(async () => {
  program = await buildProgram('platform/main.ts');
});
afterAll(() => program.remove());

const READY = 'The platform is ready at ';

/** Starts the program with this endpoint and connects Ada, who registers at the first start. */
async function start(folder: string, stub: EndpointStub, name: string = ADA.name) {
  const environment = { PARLEY_ASSISTANT_URL: stub.url };
  const run = runProgram(program.path, ['--port', '0', '--data-dir', folder], environment);
  const apiUrl = (await run.firstLine).slice(READY.length);
  const { body: account } = await postAuth(apiUrl, { ...ADA, name });
  return { ...run, client: await connect(apiUrl.replace('http:', 'ws:'), account) };
}

// A busy machine may exceed the limit, but not three times.
test.each(['SIGTERM', 'SIGKILL'] as const)(
  'an answer that %s ends is cut off within two seconds, stored, and continued after the restart',
  { retry: 2 },
  async (signal) => {
    const folder = await temporaryFolder();
    const stub = await endpointStub();
    stub.next({ steps: ['Once upon', { hold: true }] });
    const { child, ended, client } = await start(folder, stub);
    client.sendText('A private story');
    await client.until(({ newest }) => newest()?.context === 'stub-model is writing…');
    const signalledAt = performance.now();
    child.kill(signal);
    const { stderr } = await ended;
    expect(performance.now() - signalledAt).toBeLessThan(2000);
    expect(stderr).not.toMatch(/private|Once/);
    stub.next({ steps: ['a time.'] });
    const again = await start(folder, stub, '');
    expect(shownAnswer(again.client)).toEqual(['stub-model · cut off', 'Once upon']);
    expect(await askByWord(again.client, 'continue')).toEqual(['stub-model', 'a time.']);
    again.child.kill('SIGTERM');
    await again.ended;
  },
);

test('a question that SIGKILL leaves without words of an answer is said to be cut off, and asked again', async () => {
  const folder = await temporaryFolder();
  const stub = await endpointStub();
  stub.next({ steps: [{ hold: true }] });
  const { child, ended, client } = await start(folder, stub);
  client.sendText('A private story');
  await client.until(({ newest }) => newest()?.modifier === 'ai');
  await stub.request(0);
  child.kill('SIGKILL');
  await ended;
  stub.next({ steps: ['Once upon a time.'] });
  const restarted = await start(folder, stub, '');
  expect(shownAnswer(restarted.client)).toEqual([
    '',
    'The answer was cut off before it began. Send “again” to ask again.',
  ]);
  expect(await askByWord(restarted.client, 'again')).toEqual(['stub-model', 'Once upon a time.']);
  restarted.child.kill('SIGTERM');
  await restarted.ended;
});
