import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { createPamAuthenticator } from './pamAuthenticator.ts';
import { buildPamModule } from '../../testing/buildPamModule.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostauth-pam-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PERMIT = 'account required pam_permit.so\n';
/** Returns the code that an app for two factors shows (RFC 4226). */
function oneTimeCode(key: Buffer, counter: number): string {
  const mac = createHmac('sha1', key)
    .update(Buffer.from([0, 0, 0, 0, 0, 0, 0, counter]))
    .digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const OATH = ['/usr/lib', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64']
  .map((libraries) => join(libraries, 'security/pam_oath.so'))
  .find((path) => existsSync(path));

describe.runIf(OATH)('with Debian’s pam_oath', () => {
  const key = Buffer.from('00', 'hex');
  const code = oneTimeCode(key, 0);
  const users = join(folder, 'users.oath');
  const module = buildPamModule();
  const oath = `auth required ${OATH} usersfile=${users} window=5\n${PERMIT}`;
  const { environment } = withPamWrapper({
    alone: oath,
    second: `auth required ${module} password\n${oath}`,
  });

  function authenticate(service: string) {
    writeFileSync(users, `HOTP ada - ${key.toString('hex')}\n`);
    const childPath = hostauthProgram('pamChild');
    const pam = createPamAuthenticator({
      service,
      environment,
      childPath,
      timeoutMs: 60_000,
      refusalStepMs: 1,
    });
    onTestFinished(() => pam.close());
    return pam.authenticate({ username: 'ada', password: code });
  }

  test('does not answer its prompt with the password, even where that is the valid code, and reports the prompt', async () => {
    expect(await authenticate('alone')).toEqual({ kind: 'accepted' });
    expect(await authenticate('second')).toEqual({
      kind: 'refused',
      reason: 'prompt',
      detail: expect.stringMatching(
        /^PAM asks for more than one password: One-time password \(OATH\) for `ada/,
      ),
    });
  });
});
