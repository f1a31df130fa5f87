import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildPamModule, withPamWrapper } from '#tests/builders/withPamWrapper.ts';

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
    const path = join(dirname(module), `${source}.node`);
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
    expect(build('authenticate_pam.cc.orig')('two').report).toBe('AddressSanitizer: heap-buffer-overflow');
    const patched = build('authenticate_pam.cc');
    for (const [service, code] of Object.entries({ two: 19, again: 19, most: 0, many: 19, texts: 0 })) {
      const { stdout, report } = patched(service);
      expect([service, report]).toEqual([service, undefined]);
      expect(JSON.parse(stdout)).toMatchObject({ code });
    }
  });
});
