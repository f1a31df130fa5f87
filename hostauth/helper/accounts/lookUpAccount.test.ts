import { expect, test } from 'vitest';
import { standInTools } from '#tests/builders/standInTools.ts';
import { HOST_TOOLS } from './runTool.ts';
import { LookUpError, lookUpAccount } from './lookUp.ts';

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
