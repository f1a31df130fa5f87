import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchHeadlessShell } from './browser/harness/chromium.ts';
import { startParley } from './browser/harness/startParley.ts';
import { sendMessage, connected, conversationOf, signUp } from './browser/harness/signUp.ts';
import { NODE_LINES, installNode } from './installNode.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The project `unit` of vitest.config.ts, without `packaging`: it is not part of the program. */
const UNIT_TESTS = ['src/shared', 'tools', 'platform', 'hostauth', 'scripts'].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** Tests that use PAM's native binding, which is built for one version of Node. */
const NEEDS_PAM = ['hostauth/helper/pam/**'];

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

describe.each(NODE_LINES)('with Node %s', (line) => {
  let node = '';
  beforeAll(() => {
    node = installNode(line);
    expect(run(node, ['--version']).output).toMatch(new RegExp(`^v${line}\\.`));
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
});
