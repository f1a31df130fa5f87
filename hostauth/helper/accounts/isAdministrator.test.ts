import { describe, expect, it } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { isRoot, withHostAccounts } from '#tests/builders/withHostAccounts.ts';
import { LookUpError, isAdministrator } from './lookUp.ts';
import { HOST_TOOLS } from './runTool.ts';

/** A host with a group `sudo`, number 27, and a user in the groups 1001 and 127. */
function host(groupsOfAda = '1001 127'): StandInTools {
  const tools = standInTools();
  tools.add('group', 'sudo:x:27:');
  tools.replace('id', `[ "$N" = ada ] && echo "${groupsOfAda}"`);
  return tools;
}

describe('isAdministrator', () => {
  it.each([
    ['1001 27', true],
    ['27', true],
    ['1001 127', false],
    ['1001 270', false],
    ['1001', false],
  ])('for a user with the groups %s returns %s', async (groups, expected) => {
    expect(await isAdministrator('ada', { tools: host(groups), group: 'sudo' })).toBe(expected);
  });

  it('returns false at the next call after the user has left the group', async () => {
    const tools = host('1001 27');
    expect(await isAdministrator('ada', { tools, group: 'sudo' })).toBe(true);
    tools.replace('id', 'echo 1001');
    expect(await isAdministrator('ada', { tools, group: 'sudo' })).toBe(false);
  });

  it('returns false for a user that does not exist', async () => {
    expect(await isAdministrator('bob', { tools: host('27'), group: 'sudo' })).toBe(false);
  });

  it('returns false for a group that does not exist', async () => {
    expect(await isAdministrator('ada', { tools: host('27'), group: 'wheel' })).toBe(false);
  });

  it('rejects when the name service fails', async () => {
    const tools = host('27');
    tools.replace('getent', 'exit 3');
    await expect(isAdministrator('ada', { tools, group: 'sudo' })).rejects.toThrow(LookUpError);
  });

  it('rejects when the directory does not answer in time', async () => {
    const tools = host('27');
    tools.replace('id', 'exec sleep 60');
    await expect(isAdministrator('ada', { tools, group: 'sudo', limitMs: 200 })).rejects.toThrow(LookUpError);
  });
});

const isOne = (username: string, group: string) => isAdministrator(username, { tools: HOST_TOOLS, group });

describe.runIf(isRoot)('isAdministrator on this host', () => {
  const accounts = withHostAccounts();

  it('contract §8 users: returns true for members and for the primary group, false for others', async () => {
    const group = accounts.createGroup();
    const member = accounts.create({ groups: [group] }).username;
    const other = accounts.create().username;
    expect(await isOne(member, group)).toBe(true);
    expect(await isOne(other, other)).toBe(true);
    expect(await isOne(other, group)).toBe(false);
  });
});
