import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { standInTools } from '#tests/builders/standInTools.ts';
import { readConfig } from '../base/config.ts';
import { fakeClock } from '../testing/fakeHelper.ts';
import { createAccountProofs, parseEntry } from './accounts/localAccounts.ts';
import { createHostHelper } from './helper.ts';

/** Two more than the lookups that may run at once. */
const SESSIONS = 18;

/** A helper of which one kind of lookup does not end until `open`, and proofs of accounts of a directory. */
function host(blocked: 'getent' | 'id' | 'unix_chkpwd') {
  const tools = standInTools();
  const clock = fakeClock();
  const wait = 'touch "$D/running-$$"; while [ ! -e "$D/open" ]; do sleep 0.1; done';
  const chkpwd = join(tools.folder, 'unix_chkpwd');
  const script = blocked === 'unix_chkpwd' ? `D='${tools.folder}'; ${wait}` : 'exit 0';
  writeFileSync(chkpwd, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  if (blocked !== 'unix_chkpwd') tools.replace(blocked, `${wait}; exit 2`);
  tools.add('group', 'sudo:x:27:');
  const lines = Array.from({ length: SESSIONS }, (_, i) => `bea${i}:*:${5000 + i}:5000::/home/bea:/bin/sh`);
  for (const line of lines) tools.add('passwd', line);
  const key = randomBytes(32);
  const helper = createHostHelper({
    config: readConfig({}),
    key,
    log: () => undefined,
    tools,
    pam: { helper: chkpwd },
    clock,
  });
  const proofs = lines
    .flatMap((line) => parseEntry(line.split(':')) ?? [])
    .map((entry) => {
      return createAccountProofs(key).issue(entry, Math.floor(clock.wall() / 1000));
    });
  onTestFinished(() => helper.close());
  const running = () => readdirSync(tools.folder).filter((name) => name.startsWith('running-')).length;
  return { helper, proofs, clock, running, open: () => writeFileSync(join(tools.folder, 'open'), '') };
}

test.each(['getent', 'unix_chkpwd', 'id'] as const)(
  'runs 16 lookups by %s at once; a session whose lookup has to wait for 5 s is not checked',
  async (blocked) => {
    const { helper, proofs, clock, running, open } = host(blocked);
    const details: string[] = [];
    const checks = proofs.map(async (proof) => {
      const answer = await (blocked === 'id' ? helper.isAdministrator(proof) : helper.checkAccount(proof));
      if (answer.state === 'unknown') details.push(answer.detail);
    });
    // Then all lookups of other kinds have ended.
    await vi.waitFor(() => expect(running()).toBeGreaterThanOrEqual(SESSIONS - 2), POLLING);
    await vi.waitFor(() => {
      clock.advance(5000);
      expect(details).toEqual(['too many lookups wait', 'too many lookups wait']);
    }, POLLING);
    open();
    await Promise.all(checks);
    expect(details).toHaveLength(2);
  },
);
