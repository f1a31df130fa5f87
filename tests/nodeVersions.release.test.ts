import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchHeadlessShell } from './browser/harness/chromium.ts';
import { startParley } from './browser/harness/startParley.ts';
import { sendMessage, connected, conversationOf, signUp } from './browser/harness/signUp.ts';
import { describePackage } from './package/describePackage.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The project `unit` of vitest.config.ts, without `packaging`: it is not part of the program. */
const UNIT_TESTS = ['src/shared', 'tools', 'platform', 'hostauth', 'scripts'].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** Tests that use PAM's native binding, which is built for one version of Node. */
const NEEDS_PAM = ['hostauth/helper/pam/**'];

/** Programs must also run on the newest releases of these lines; the other tests use the oldest version (`engines`). */
const NODE_LINES = ['22', '24'];

/** The folder of the installed versions. Later runs use it again; `npm ci` removes it. */
const CACHE = resolve(ROOT, 'node_modules/.cache/parley-node');

/** The timeout of a command, in milliseconds. */
const TIMEOUT_MS = 240_000;

function run(command: string, argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, argv, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, output: `${stdout}\n${stderr}`.trim() };
}

/** Installs the newest release of a line, or without a network uses an installed one. Returns its path. @throws when there is none. */
function installNode(line: string): string {
  const folder = join(CACHE, line);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  const flags = '--no-save --no-audit --no-fund --ignore-scripts --prefer-offline --fetch-retries=1';
  const install = ['install', '--prefix', folder, ...flags.split(' '), `${name}@${line}`];
  const { status, output } = run('npm', install);
  if (status !== 0) {
    const errors = output.split('\n').filter((one) => one.startsWith('npm error'));
    throw new Error(
      `Node ${line} could not be installed, so nothing was tested with it. Check that the npm registry can be reached. npm said:\n${errors.slice(0, 4).join('\n')}`,
    );
  }
  return join(folder, 'node_modules', name, 'bin', 'node');
}

describe.each(NODE_LINES)('with Node %s', (line) => {
  let node = '';
  beforeAll(() => {
    node = installNode(line);
  });

  it('contract §1 npm start: starts the messenger, serves a page that signs in and converses, and ends with 0 on SIGTERM', async () => {
    const [browser, parley] = await Promise.all([launchHeadlessShell(), startParley({ node })]);
    try {
      const page = await browser.newPage();
      await page.goto(parley.url);
      await signUp(page);
      await connected(page);
      await sendMessage(page, 'hello there');
      await conversationOf(page).getByText('You said: hello there').waitFor();
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('menuitem', { name: 'About Parley' }).click();
      await page.getByText(new RegExp(`^v?${line}\\.\\d+\\.\\d+$`)).waitFor();
      expect(await parley.stop()).toBe(0);
    } finally {
      await browser.close();
      await parley.stop();
    }
  });

  it('verifies the corpus of captures', () => {
    expect(run(node, ['--version']).output).toMatch(new RegExp(`^v${line}\\.`));
    const { status, output } = run(node, ['out/replay/cli.js', 'verify', 'tests/captures']);
    expect({ status, output }).toMatchObject({ status: 0 });
  });

  it('passes the unit tests, except those of PAM’s native binding', () => {
    const ignore = ['**/*.{slow,release}.test.ts', ...NEEDS_PAM];
    const files = globSync(UNIT_TESTS, { cwd: ROOT, ignore });
    expect(files.length).toBeGreaterThan(40);
    const vitest = 'node_modules/vitest/vitest.mjs run --project unit --reporter dot --testTimeout 60000';
    const { status, output } = run(node, [...vitest.split(' '), ...files]);
    expect({ status, output: status === 0 ? '' : output.slice(-8000) }).toEqual({ status: 0, output: '' });
  });

  describePackage(() => node);
});
