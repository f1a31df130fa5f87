import { type StdioOptions, execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { type Authenticator, createPamAuthenticator } from './pamAuthenticator.ts';
import { type PamResult, outcomeOf } from './pamBinding.ts';
import { buildPamModule } from '../../testing/buildPamModule.ts';

const MODULE = buildPamModule();
const READS = `${MODULE}.reads`;

const PERMIT = 'account required pam_permit.so\n';
const auth = (options: string) => `auth required ${MODULE} ${options} reads=${READS}\n${PERMIT}`;

const CODES = Array.from({ length: 31 }, (_, i) => i + 1);
const { environment } = withPamWrapper({
  texts: auth('info password error code=7'),
  two: auth('password second'),
  again: auth('password again'),
  shown: auth('shown'),
  most: auth('password info times=32 code=7'),
  many: auth('password info times=33 code=7'),
  crash: auth('password crash'),
  ...Object.fromEntries(
    CODES.flatMap((code) => [
      [`authenticate${code}`, `auth required ${MODULE} code=${code}\n${PERMIT}`],
      [`account${code}`, `auth required pam_permit.so\naccount required ${MODULE} code=${code}\n`],
    ]),
  ),
});

const open: Authenticator[] = [];
function authenticate(service: string) {
  const pam = createPamAuthenticator({
    service,
    environment,
    childPath: hostauthProgram('pamChild'),
    timeoutMs: 60_000,
    refusalStepMs: 1,
  });
  open.push(pam);
  return pam.authenticate({ username: 'ada', password: 'correct horse' });
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  rmSync(READS, { force: true });
});

const reads = () => readFileSync(READS, 'utf8').trimEnd().split('\n');

test('answers the prompt for the password among other messages, and reports their texts', async () => {
  expect(await authenticate('texts')).toEqual({
    kind: 'refused',
    reason: 'credentials',
    detail: 'Welcome; Careful; Authentication failure',
  });
  expect(reads()).toEqual(['0 -', '0 correct horse', '0 -']);
});

test.each([
  ['two', 'Second Factor: ', 'code 19, no answers'],
  ['again', 'First Factor: ', '0 correct horse\ncode 19, no answers'],
  ['shown', 'Code: ', 'code 19, no answers'],
])('answers no prompt but the first one without echo: %s', async (service, prompt, answers) => {
  expect(await authenticate(service)).toEqual({
    kind: 'refused',
    reason: 'prompt',
    detail: `PAM asks for more than one password: ${prompt}; Conversation error`,
  });
  expect(reads().join('\n')).toBe(answers);
});

test('answers 32 messages in one call, and refuses 33', async () => {
  expect(await authenticate('most')).toMatchObject({ kind: 'refused', reason: 'credentials' });
  expect(reads()).toEqual(['0 correct horse', ...Array.from({ length: 31 }, () => '0 -')]);
  expect(await authenticate('many')).toEqual({
    kind: 'refused',
    reason: 'prompt',
    detail: 'Conversation error',
  });
  expect(reads().slice(32)).toEqual(['code 19, no answers']);
});

test('reports a module that crashes as unavailable', async () => {
  expect(await authenticate('crash')).toEqual({ kind: 'unavailable', reason: 'died', detail: 'SIGABRT' });
});

/** Runs the binding in a process of its own, once for each service. */
function runServices(services: readonly string[]): Map<string, { error?: string; result: PamResult }> {
  const script = `
    const pam = require('authenticate-pam');
    const run = (serviceName) => new Promise((resolve) => {
      pam.authenticate('ada', 'p', (error, result) => resolve([serviceName, { error, result }]), { serviceName });
    });
    Promise.all(${JSON.stringify(services)}.map(run)).then((all) => console.log(JSON.stringify(all)));`;
  const env = { ...process.env, ...environment, UV_THREADPOOL_SIZE: '1' };
  const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
  return new Map(
    JSON.parse(execFileSync(process.execPath, ['-e', script], { env, stdio, encoding: 'utf8' })),
  );
}

/** The codes whose reasons do not follow from the step. libpam itself replaces IGNORE (25) by PERM_DENIED. */
const CODES_OF: Readonly<Record<string, readonly number[]>> = {
  denied: [6, 25],
  locked: [11],
  'must-change': [12],
  expired: [13, 16, 27],
  prompt: [19],
  unavailable: [1, 2, 3, 4, 5, 9, 15, 18, 22, 24, 26, 28, 29, 30, 31],
};

test('gives each code of PAM a reason, in both steps', () => {
  const results = runServices(CODES.flatMap((code) => [`authenticate${code}`, `account${code}`]));
  for (const code of CODES) {
    for (const step of ['authenticate', 'account'] as const) {
      const { error, result } = results.get(`${step}${code}`)!;
      expect(result).toMatchObject({ step, messages: [] });
      const [special] = Object.entries(CODES_OF).find(([, codes]) => codes.includes(code)) ?? [];
      const reason = special ?? (step === 'account' ? 'account' : 'credentials');
      expect([step, code, outcomeOf(result, { error, password: 'p' })]).toMatchObject([
        step,
        code,
        { kind: 'refused', reason },
      ]);
    }
  }
});

test('refuses texts with NUL, and values that are no text', () => {
  const script = `
    const pam = require('authenticate-pam');
    const never = () => process.exit(1);
    const calls = [['a\\0', 'p'], ['a', 'p\\0q'], ['a', 1], ['a', 'p', { serviceName: 'x\\0' }], ['a', 'p', { remoteHost: 1 }], ['a', 'p', 1]];
    for (const [name, password, options] of calls) {
      try { pam.authenticate(name, password, never, options); never(); } catch (error) { console.log(error.name); }
    }`;
  const printed = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(printed.trim().split('\n')).toEqual(Array.from({ length: 6 }, () => 'TypeError'));
});

const failed = { code: 7, step: 'authenticate', messages: [] } as const;

test('reads more than the code: a lock by pam_faillock, whose code is that of a wrong password, and a PAM that could not be started', () => {
  const messages = ['The account is locked due to 5 failed logins.', '(15 minutes left to unlock)'];
  expect(outcomeOf({ ...failed, messages }, { password: 'p:w' })).toMatchObject({ reason: 'locked' });
  // Nothing depended on the credentials.
  const unstarted = { code: 4, step: 'start', messages: [] } as const;
  const outcome = { kind: 'unavailable', reason: 'pam', detail: 'System error' };
  expect(outcomeOf(unstarted, { error: 'System error', password: 'p' })).toEqual(outcome);
});

test('leaves out a text that contains the password, and limits the detail, so that it fits into a message to the helper', () => {
  const result = { ...failed, messages: ['you typed sesame', 'Welcome'] };
  const outcome = outcomeOf(result, { error: 'Authentication failure', password: 'sesame' });
  expect(outcome).toMatchObject({ detail: 'Welcome; Authentication failure' });
  const messages = Array.from({ length: 16 }, () => '\u0001'.repeat(512));
  const long = outcomeOf({ ...failed, messages }, { password: 'p' });
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(4096);
});
