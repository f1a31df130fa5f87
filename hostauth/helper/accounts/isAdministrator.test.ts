import { describe, expect, it } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { isRoot, withHostAccounts } from '#tests/builders/hostAccounts.ts';
import { isAdministrator } from './isAdministrator.ts';
import { HOST_TOOLS } from './hostTools.ts';
import { LookUpError } from './lookUp.ts';

/** A host with a group `sudo`, number 27, and a user in the groups 1001 and 127. */
function host(groupsOfAda = '1001 127'): StandInTools {
  const tools = standInTools();
  tools.add('group', 'sudo:x:27:');
  tools.replace('id', `[ "$N" = ada ] && echo "${groupsOfAda}"`);
  return tools;
}

describe('an administrator', () => {
  it.each([
    ['1001 27', true],
    ['27', true],
    ['1001 127', false],
    ['1001 270', false],
    ['1001', false],
  ])('with the groups %s, %s', async (groups, expected) => {
    expect(await isAdministrator('ada', { tools: host(groups), group: 'sudo' })).toBe(expected);
  });

  it('taken out of the group, none at the next question', async () => {
    const tools = host('1001 27');
    expect(await isAdministrator('ada', { tools, group: 'sudo' })).toBe(true);
    tools.replace('id', 'echo 1001');
    expect(await isAdministrator('ada', { tools, group: 'sudo' })).toBe(false);
  });

  it('removed from the host, none', async () => {
    expect(await isAdministrator('bob', { tools: host('27'), group: 'sudo' })).toBe(false);
  });

  it('of a group that is not there, nobody', async () => {
    expect(await isAdministrator('ada', { tools: host('27'), group: 'wheel' })).toBe(false);
  });

  it('or not, when nobody can tell, an error', async () => {
    const tools = host('27');
    tools.replace('getent', 'exit 3');
    await expect(isAdministrator('ada', { tools, group: 'sudo' })).rejects.toThrow(LookUpError);
  });

  it('or not, when the directory does not answer in time, an error', async () => {
    const tools = host('27');
    tools.replace('id', 'exec sleep 60');
    await expect(isAdministrator('ada', { tools, group: 'sudo', limitMs: 200 })).rejects.toThrow(LookUpError);
  });
});

const isOne = (username: string, group: string) => isAdministrator(username, { tools: HOST_TOOLS, group });

describe.runIf(isRoot)('an administrator of this host', () => {
  const accounts = withHostAccounts();

  it('contract §8 users: a member of the group, or by primary group, one; anybody else not', async () => {
    const group = accounts.createGroup();
    const member = accounts.create({ groups: [group] }).username;
    const other = accounts.create().username;
    expect(await isOne(member, group)).toBe(true);
    expect(await isOne(other, other)).toBe(true);
    expect(await isOne(other, group)).toBe(false);
  });
});
