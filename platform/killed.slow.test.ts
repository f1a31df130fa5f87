import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import type { Message } from '#shared/protocol/update.ts';
import { connect } from './testing/testPlatform.ts';
import { lostMessages } from './testing/lostMessages.ts';
import { runProgram } from './testing/program.ts';
import { postAuth } from './testing/testPlatform.ts';
import { ADA, temporaryFolder } from './testing/testPlatform.ts';

let program: Awaited<ReturnType<typeof buildProgram>>;
beforeAll(async () => {
  program = await buildProgram('platform/main.ts');
});
afterAll(() => program.remove());

const READY = 'The platform is ready at ';

async function start(folder: string) {
  const run = runProgram(program.path, ['--port', '0', '--data-dir', folder]);
  const apiUrl = (await run.firstLine).slice(READY.length);
  return { ...run, apiUrl };
}

test('keeps every message that its client received when it is killed 30 times during answers', async () => {
  const folder = await temporaryFolder();
  const { apiUrl, child, ended } = await start(folder);
  const { body: account } = await postAuth(apiUrl, ADA);
  child.kill('SIGKILL');
  await ended;
  let before: readonly Message[] = [];
  for (let round = 0; round < 30; round++) {
    const run = await start(folder);
    const client = await connect(run.apiUrl.replace('http:', 'ws:'), account);
    expect(lostMessages(client.conversation().messages, before)).toEqual([]);
    const updates = client.updates().length;
    for (const words of ['stream', 'many 20', `round ${round}`, 'several', 'image']) client.sendText(words);
    await client.until(() => client.updates().length >= updates + 1 + ((round * 7) % 40));
    run.child.kill('SIGKILL');
    await Promise.all([run.ended, client.closed]);
    before = client.conversation().messages;
  }
});

test('keeps an account when it is killed right after it answered the registration', async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < 10; round++) {
    const run = await start(folder);
    const email = `ada${round}@example.org`;
    const { status, body } = await postAuth(run.apiUrl, { ...ADA, email });
    run.child.kill('SIGKILL');
    await run.ended;
    const again = await start(folder);
    expect([status, await postAuth(again.apiUrl, { ...ADA, email, name: '' })]).toMatchObject([
      200,
      { body },
    ]);
    again.child.kill('SIGTERM');
    await again.ended;
  }
});
