import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { standInTools } from '#tests/builders/standInTools.ts';
import { buildPamModule, withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { type PamResult, outcomeOf, checkPam, keepModulesLoaded, loadPamBinding } from './pamBinding.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { accountUse, isPlainlyUsable } from './accountPhase.ts';
import { mayReachPam } from './pamMessages.ts';

const MODULE = buildPamModule();
const READS = `${MODULE}.reads`;

const PERMIT = 'account required pam_permit.so\n';
const auth = (options: string) => `auth required ${MODULE} ${options} reads=${READS}\n${PERMIT}`;

const RIGHT = { username: 'ada', password: 'correct horse' };
const CODES = Array.from({ length: 31 }, (_, i) => i + 1);
const { authenticator, environment } = withPamWrapper({
  texts: auth('info password error code=7'),
  two: auth('password second'),
  again: auth('password again'),
  shown: auth('shown'),
  most: auth(`password ${'info '.repeat(31)} code=7`),
  many: auth(`password ${'info '.repeat(32)} code=7`),
  ...Object.fromEntries(
    CODES.flatMap((code) => [
      [`authenticate${code}`, `auth required ${MODULE} code=${code}\n${PERMIT}`],
      [`account${code}`, `auth required pam_permit.so\naccount required ${MODULE} code=${code}\n`],
    ]),
  ),
});

function authenticate(service: string) {
  onTestFinished(() => rmSync(READS, { force: true }));
  return authenticator({ service }).authenticate(RIGHT);
}

const reads = () => readFileSync(READS, 'utf8').trimEnd().split('\n');

test('answers the prompt for the password among other messages, and reports their texts', async () => {
  const detail = 'Welcome; Careful; Authentication failure';
  expect(await authenticate('texts')).toEqual({ kind: 'refused', reason: 'credentials', detail });
  expect(reads()).toEqual(['0 -', '0 correct horse', '0 -']);
});

test.each([
  ['two', 'Second Factor: ', 'code 19, no answers'],
  ['again', 'First Factor: ', '0 correct horse\ncode 19, no answers'],
  ['shown', 'Code: ', 'code 19, no answers'],
])('answers no prompt but the first one without echo: %s', async (service, prompt, answers) => {
  const detail = `PAM asks for more than one password: ${prompt}; Conversation error`;
  expect(await authenticate(service)).toEqual({ kind: 'refused', reason: 'prompt', detail });
  expect(reads().join('\n')).toBe(answers);
});

test('answers 32 messages in one call, and refuses 33', async () => {
  expect(await authenticate('most')).toMatchObject({ kind: 'refused', reason: 'credentials' });
  expect(reads()).toEqual(['0 correct horse', ...Array.from({ length: 31 }, () => '0 -')]);
  const refused = { kind: 'refused', reason: 'prompt', detail: 'Conversation error' };
  expect(await authenticate('many')).toEqual(refused);
  expect(reads().slice(32)).toEqual(['code 19, no answers']);
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
  const printed = execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8', stdio: 'pipe' });
  return new Map(JSON.parse(printed));
}

test('gives each code of PAM a reason, in both steps', async () => {
  // libpam itself replaces IGNORE (25) by PERM_DENIED.
  const results = runServices(CODES.flatMap((code) => [`authenticate${code}`, `account${code}`]));
  const lines = Array.from(results, ([service, { error, result }]) => {
    const outcome = { ...outcomeOf(result, { error, password: 'p' }), detail: undefined };
    return `${service}: ${result.step} [${result.messages.join()}] ${JSON.stringify(outcome)}\n`;
  });
  await expect(lines.join('')).toMatchFileSnapshot('testing/codes.txt');
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

test('reads more than the code: a lock by pam_faillock, whose code is that of a wrong password, a prompt that was refused, whatever the code, and a PAM that could not be started; leaves out a text that contains the password, and limits the detail, so that it fits into a message to the helper', () => {
  const messages = ['Hello.', 'The account is locked due to 5 failed logins.', '(15 minutes left)'];
  expect(outcomeOf({ ...failed, messages }, { password: 'p:w' })).toMatchObject({ reason: 'locked' });
  const prompted = outcomeOf({ ...failed, prompt: 'Code: ', messages: ['Hi'] }, { password: 'sesame' });
  const asked = 'PAM asks for more than one password: Code: ; Hi; ';
  expect(prompted).toEqual({ kind: 'refused', reason: 'prompt', detail: asked });
  // Nothing depended on the credentials.
  const unstarted = outcomeOf({ code: 4, step: 'start', messages: [] }, { error: 'Error', password: 'p' });
  expect(unstarted).toEqual({ kind: 'unavailable', reason: 'pam', detail: 'Error' });
  const result = { ...failed, messages: ['you typed sesame', 'Welcome'] };
  const outcome = outcomeOf(result, { error: 'Authentication failure', password: 'sesame' });
  expect(outcome).toMatchObject({ detail: 'Welcome; Authentication failure' });
  const repeated = { ...failed, prompt: 'not sesame: ' };
  expect(outcomeOf(repeated, { password: 'sesame' })).toMatchObject({ reason: 'prompt', detail: '' });
  const texts = Array.from({ length: 16 }, () => '\u0001'.repeat(512));
  const long = outcomeOf({ ...failed, messages: texts }, { password: 'p' });
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(4096);
});

const unknown = (end: string) => ({ kind: 'unknown', detail: expect.stringContaining(`: ${end}`) });

test.each<[string, object, number?]>([
  ['exit 0', { kind: 'usable' }],
  ['exit 12', { kind: 'must-change' }],
  ['exit 13', { kind: 'expired' }],
  ['exit 27', { kind: 'expired' }],
  ['exit 9', unknown('9')],
  // It is killed at its limit.
  ['exec sleep 60', unknown('SIGKILL'), 50],
])('understands a unix_chkpwd that runs "%s"', async (script, use, limitMs) => {
  // Any of the tools can be in its place.
  const tools = standInTools();
  tools.replace('id', `[ "$*" = 'ada chkexpiry' ] || exit 99; ${script}`);
  expect(await accountUse('ada', tools.id, limitMs)).toEqual(use);
});

const TODAY = 20_000;
const shadowOf = (fields: string) => `root:*:19000:0:99999:7:::\nada:${fields}\nbob:*:19000:0:99999:7:::\n`;

test.each([
  ['made by useradd, whose passwords last 99999 days', '$y$x:20000:0:99999:7:::', true],
  ['whose password ends today', '$y$x:19910:0:90:7:::', true],
  ['whose password ended yesterday', '$y$x:19909:0:90:7:::', false],
  ['whose password was changed tomorrow', '$y$x:20001:0:99999:7:::', false],
  ['whose password must be changed', '$y$x:0:0:99999:7:::', false],
  ['that has expired', '$y$x:20000:0:99999:7::1:', false],
  ['that will expire', '$y$x:20000:0:99999:7::30000:', false],
  ['without a day of change', '$y$x::0:99999:7:::', false],
  ['whose password lasts for ever', '$y$x:20000::::::', false],
  ['of two entries', '$y$x:20000:0:99999:7:::\nada:$y$x:20000:0:99999:7:::', false],
])('an account %s is plainly usable: %s', (_, fields, expected) => {
  expect(isPlainlyUsable(shadowOf(fields), 'ada', TODAY)).toBe(expected);
  // Of another source.
  expect(isPlainlyUsable(shadowOf(fields), 'ad', TODAY)).toBe(false);
});

test.each<[boolean, readonly object[]]>([
  // The passwords have 511 bytes, and an emoji, whose surrogates are a pair.
  [true, [{}, { username: 'a'.repeat(32) }, { password: `x${'€'.repeat(170)}` }, { password: '\u{1F511}' }]],
  // PAM would ask for an empty name.
  [false, [{ username: '' }, { username: 'a'.repeat(33) }, { password: 'p'.repeat(512) }]],
  [false, [{ password: 'a\uD83D' }, { username: '\uDD11' }]],
  [false, ['a\0', 'a\r', '\nroot:a'].flatMap((text) => [{ username: text }, { password: text }])],
])('says whether credentials may reach PAM: %s for %j', (expected, all) => {
  for (const fields of all)
    expect([fields, mayReachPam({ ...RIGHT, ...fields })]).toEqual([fields, expected]);
});

const notInstalled = () => {
  throw new Error("Cannot find module 'authenticate-pam'\nRequire stack:\n- /somewhere");
};

test('contract §8 PAM service: reports nothing when all is in place; else names what is missing and the command that installs it, in one line', async () => {
  const folder = mainFolder();
  writeFileSync(join(folder, 'hostauth'), '');
  expect(checkPam('hostauth', { folder })).toBeUndefined();
  const lines = [
    // The name is checked before it looks for a file.
    ...['', '../passwd', 'Hostauth', '-x', 'a'.repeat(65)].map((service) => checkPam(service, { folder })),
    checkPam('hostauth', { folder, load: notInstalled }),
    checkPam('hostauth', { folder, load: () => loadPamBinding(() => ({ authenticate: () => undefined })) }),
    checkPam('a'.repeat(64), { folder }),
    checkPam('hostauth', { folder, helper: join(folder, 'unix_chkpwd') }),
  ];
  const text = lines.map((line) => `${line}\n`.replaceAll(folder, '')).join('');
  await expect(text).toMatchFileSnapshot('testing/missing.txt');
});

test('keeps PAM’s modules and their libraries in the process', () => {
  loadPamBinding();
  keepModulesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const name of ['pam_unix', 'pam_faillock', 'pam_permit', 'libcrypt'])
    expect(maps).toContain(`/${name}.so`);
});
