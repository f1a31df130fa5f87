import { expect, test } from 'vitest';
import { standInTools } from '#tests/builders/standInTools.ts';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { LookUpError, createLookUpLimit, lookUpAccount } from './lookUp.ts';
import { HOST_TOOLS } from './runTool.ts';

test('finds an account of a directory by its name', async () => {
  const tools = standInTools();
  tools.add('passwd', 'bea:*:5000:5000:Bea:/home/bea:/bin/sh');
  expect(await lookUpAccount('bea', tools)).toEqual({
    username: 'bea',
    uid: 5000,
    identity: 'bea:5000:5000:/home/bea:/bin/sh',
    password: '',
    aging: '',
  });
  expect(await lookUpAccount('eve', tools)).toBeUndefined();
});

test.each(['0', '+0', '-0', ' 0', ' +0', '\t0', '007', '+', '+root', '-root', '--version', '+@admins'])(
  'finds no account of this host for %j, which getent reads as a uid or an option, or NIS as a line',
  async (name) => {
    expect(await lookUpAccount(name, HOST_TOOLS)).toBeUndefined();
    // Without asking.
    const tools = standInTools();
    tools.replace('getent', 'echo root:x:0:0:root:/root:/bin/sh');
    expect(await lookUpAccount(name, tools)).toBeUndefined();
  },
);

test('rejects when the name service fails', async () => {
  const tools = standInTools();
  tools.replace('getent', 'exit 3');
  await expect(lookUpAccount('bea', tools)).rejects.toThrow(LookUpError);
});

test('runs 16 of 300 lookups at once; the others fail after at most 5 s', async () => {
  const clock = fakeClock();
  const limit = createLookUpLimit(clock);
  const running: (() => void)[] = [];
  const lookUp = () => new Promise<string>((resolve) => running.push(() => resolve('entry')));
  const all = Promise.allSettled(Array.from({ length: 300 }, () => limit(lookUp)));
  await Promise.resolve();
  expect(running).toHaveLength(16);
  clock.advance(5000);
  for (const end of running) end();
  const results = await all;
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(reasons.every((reason) => reason instanceof LookUpError)).toBe(true);
  expect(await limit(async () => 'next')).toBe('next');
});
