import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { afterAll, describe, expect, test } from 'vitest';
import { withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { buildPamModule } from '../../testing/buildPamModule.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostauth-pam-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PERMIT = 'account required pam_permit.so\n';
const MODULES = join(import.meta.dirname, '../../../node_modules');
/** Node's headers, with which authenticate-pam is built. */
const HEADERS = join(dirname(dirname(process.execPath)), 'include/node');

describe.runIf(existsSync(HEADERS))('with AddressSanitizer', () => {
  const SANITIZE = ['-g', '-fsanitize=address', '-fno-omit-frame-pointer'];
  const module = buildPamModule(SANITIZE);
  const auth = (options: string) => `auth required ${module} ${options}\n${PERMIT}`;
  const { environment } = withPamWrapper({
    two: auth('password second'),
    texts: auth('info password error'),
    again: auth('password again'),
    most: auth(`password ${'info '.repeat(31)}`),
    many: auth(`password ${'info '.repeat(32)}`),
  });

  /** Compiles a source of authenticate-pam. @returns a function that signs in with it at a service. */
  function build(source: string) {
    const path = join(folder, `${source}.node`);
    const include = [`-I${HEADERS}`, `-I${join(MODULES, 'nan')}`];
    const options = [...SANITIZE, ...'-w -std=c++17 -shared -fPIC'.split(' '), ...include];
    const input = join(MODULES, 'authenticate-pam', source);
    const name = '-DNODE_GYP_MODULE_NAME=authenticate_pam';
    execFileSync('g++', [...options, name, '-o', path, '-xc++', input, '-lpam']);
    const script = `require(${JSON.stringify(path)}).authenticate('ada', 'sesame', (error, result) =>
      console.log(JSON.stringify({ error, ...result })), { serviceName: process.argv[1] })`;
    const runtime = execFileSync('gcc', ['-print-file-name=libasan.so'], { encoding: 'utf8' }).trim();
    const env = {
      ...environment,
      LD_PRELOAD: `${runtime} ${environment['LD_PRELOAD']}`,
      // The sanitizer does not support the flag with which the stand-in loads its copy of PAM.
      PAM_WRAPPER_DISABLE_DEEPBIND: '1',
      ASAN_OPTIONS: 'detect_leaks=0',
    };
    return (service: string) => {
      const args = ['-e', script, service];
      const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
      return { stdout, report: /AddressSanitizer: \S+/.exec(stderr)?.[0] };
    };
  }

  test('a module that reads two answers reads out of bounds with authenticate-pam as it was published, and not with the patch', () => {
    const published = build('authenticate_pam.cc.orig');
    expect(published('two').report).toBe('AddressSanitizer: heap-buffer-overflow');
    const patched = build('authenticate_pam.cc');
    const codes = { two: 19, again: 19, most: 0, many: 19, texts: 0 };
    for (const [service, code] of Object.entries(codes)) {
      const { stdout, report } = patched(service);
      expect([service, report]).toEqual([service, undefined]);
      expect(JSON.parse(stdout)).toMatchObject({ code });
    }
  });
});

/** Returns the code that an app for two factors shows (RFC 4226). */
function oneTimeCode(key: Buffer, counter: number): string {
  const counted = Buffer.from([0, 0, 0, 0, 0, 0, 0, counter]);
  const mac = createHmac('sha1', key).update(counted).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const [OATH] = globSync('/usr/lib{,64}/{,*/}security/pam_oath.so', { absolute: true });

describe.runIf(OATH)('with Debian’s pam_oath', () => {
  const key = Buffer.from('00', 'hex');
  const code = oneTimeCode(key, 0);
  const users = join(folder, 'users.oath');
  const module = buildPamModule();
  const oath = `auth required ${OATH} usersfile=${users} window=5\n${PERMIT}`;
  const second = `auth required ${module} password\n${oath}`;
  const { authenticator } = withPamWrapper({ alone: oath, second });

  function authenticate(service: string) {
    writeFileSync(users, `HOTP ada - ${key.toString('hex')}\n`);
    return authenticator({ service }).authenticate({ username: 'ada', password: code });
  }

  test('does not answer its prompt with the password, even where that is the valid code, and reports the prompt', async () => {
    expect(await authenticate('alone')).toEqual({ kind: 'accepted' });
    const prompt = /^PAM asks for more than one password: One-time password \(OATH\) for `ada/;
    const detail = expect.stringMatching(prompt);
    expect(await authenticate('second')).toEqual({ kind: 'refused', reason: 'prompt', detail });
  });
});
