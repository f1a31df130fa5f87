import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { createPamAuthenticator } from '#hostauth/helper/pam/pamAuthenticator.ts';
import { hostauthProgram } from '#hostauth/testing/processState.ts';

/** The password of all accounts; `stall` hangs in PAM, and `mustchange` must change its password. */
export const WRAPPED_PASSWORD = 'correct horse';
const PEOPLE = ['ada', 'mustchange', 'stall'];

/** The options of an authenticator for a busy machine. Its refusals have no delay. */
export const PAM_OPTIONS = { childPath: hostauthProgram('pamChild'), timeoutMs: 60_000, refusalStepMs: 1 };

/** Compiles `pamModule.c` for a test file. @returns the path of the module; its folder is removed afterwards. */
export function buildPamModule(flags: readonly string[] = []): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'hostauth-pam-module-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const path = join(folder, 'module.so');
  const source = join(import.meta.dirname, '../../hostauth/testing/pamModule.c');
  execFileSync('gcc', [...flags, '-shared', '-fPIC', '-o', path, source, '-lpam']);
  return path;
}

/** Sets up a stand-in for PAM (Debian's libpam-wrapper), which needs no root. @param stacks further services: the text of each. */
export function withPamWrapper(stacks: Readonly<Record<string, string>> = {}) {
  const folder = fs.mkdtempSync(join(tmpdir(), 'parley-pam-wrapper-'));
  const held: FileHandle[] = [];
  afterAll(async () => {
    await Promise.all(held.map((pipe) => pipe.close()));
    fs.rmSync(folder, { recursive: true, force: true });
    removeCopies();
  });
  const service = 'wrapped';
  const at = (name: string) => join(folder, name);
  const people = PEOPLE.map((name) => `${name}:${WRAPPED_PASSWORD}:${service}\n`).join('');
  fs.writeFileSync(at('people'), people);
  // Opening a pipe blocks until its other end is opened: so PAM hangs as long as the test needs.
  execFileSync('mkfifo', [at('pipe')]);
  // A separate folder, because the stand-in first copies everything in it.
  fs.mkdirSync(at('services'));
  fs.writeFileSync(
    at(join('services', service)),
    [
      'auth [success=1 default=ignore] pam_succeed_if.so user != stall quiet',
      `auth [default=done] ${matrixModule()} passdb=${at('pipe')}`,
      `auth required ${matrixModule()} passdb=${at('people')}`,
      'account [success=1 default=ignore] pam_succeed_if.so user != mustchange quiet',
      'account required pam_debug.so acct=new_authtok_reqd',
      'account required pam_permit.so',
      '',
    ].join('\n'),
  );
  for (const [name, text] of Object.entries(stacks)) fs.writeFileSync(at(join('services', name)), text);
  const environment = {
    LD_PRELOAD: 'libpam_wrapper.so',
    PAM_WRAPPER: '1',
    PAM_WRAPPER_SERVICE_DIR: at('services'),
  };
  return {
    /** The environment that loads it instead of PAM in a process. */
    environment,
    /** Creates an authenticator that asks it; closes it when the test ends. */
    authenticator(options: Partial<Parameters<typeof createPamAuthenticator>[0]> = {}) {
      const pam = createPamAuthenticator({ ...PAM_OPTIONS, service, environment, ...options });
      onTestFinished(() => pam.close());
      return pam;
    },
    /** Resolves when PAM hangs on the account `stall`; the returned function lets PAM continue. */
    async stalled() {
      const pipe = await open(at('pipe'), 'w');
      held.push(pipe);
      return async () => {
        await pipe.writeFile(people);
        await pipe.close();
      };
    },
  };
}

/** Removes the copies of PAM that killed processes of the stand-in have left. */
function removeCopies(): void {
  for (const copy of fs.readdirSync('/tmp').filter((name) => /^pam\.\w$/.test(name))) {
    try {
      const pid = fs.readFileSync(join('/tmp', copy, 'pid'), 'utf8').trim();
      if (!fs.existsSync(`/proc/${pid}`)) fs.rmSync(join('/tmp', copy), { recursive: true, force: true });
    } catch {
      // Its process, or another test, has just removed it.
    }
  }
}

/** Returns the path of pam_matrix.so in the library folder of this architecture. */
function matrixModule(): string {
  const libraries = fs.readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`);
  const files = ['/usr/lib', '/usr/lib64', ...libraries].map((one) => `${one}/pam_wrapper/pam_matrix.so`);
  const found = files.find((file) => fs.existsSync(file));
  if (found === undefined) throw new Error('pam_matrix.so is missing: install libpam-wrapper');
  return found;
}
