import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { replaceIn } from '#replay/compare/testing/repository.ts';
import { workerBrowser } from './browser/harness/chromium.ts';

/** Tests `npm run dev` with a copy of the sources, which the tests change. */
const ROOT = resolve(import.meta.dirname, '..');

/** A marker that the page loses when it reloads. */
const MARKER = 'marker';

function copySources(): string {
  // The copy is inside the project, so that Node finds the packages.
  const copy = mkdtempSync(join(ROOT, 'out/dev-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));
  const paths = ['src', 'tools', 'platform', 'sim', 'scripts', '*.json', '*.config.ts'];
  const files = execFileSync('git', ['ls-files', ...paths], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.trim().split('\n')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  for (const built of ['renderer', 'inspector'])
    cpSync(join(ROOT, 'out', built), join(copy, 'out', built), { recursive: true });
  return copy;
}

/** Starts `npm run dev` with arguments; returns the copy's folder and a page at the printed address. */
async function develop(...args: readonly string[]) {
  const copy = copySources();
  const env = { ...process.env, PARLEY_OPEN: '0', PARLEY_DATA_DIR: join(copy, 'data') };
  const child = spawn(process.execPath, [join(copy, 'scripts/dev.mjs'), ...args], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = / is ready at (\S+)$/.exec(line) ?? [];
    if (address === undefined) continue;
    const context = await (await workerBrowser()).newContext();
    // An open page would follow to the next test's program, which has the same port, and use up its invitation.
    onTestFinished(() => context.close());
    const page = await context.newPage();
    // Vite serves each source alone, which takes long on a busy machine. The test has a limit of its own.
    page.setDefaultTimeout(0);
    await page.goto(address);
    await page.evaluate((name) => document.documentElement.setAttribute(name, ''), MARKER);
    return { copy, page, child };
  }
  throw new Error('npm run dev ended before it was ready');
}

const CAPTURE = resolve(ROOT, 'tests/captures/discriminator-precedence.parley.jsonl');

test.each([
  {
    args: [],
    drawn: 'role=textbox[name="Email"]',
    pageSource: 'src/ui/window/Login.tsx',
    from: /Email/g,
    to: 'Electronic mail',
    changed: 'role=textbox[name="Electronic mail"]',
    programSource: 'src/main/main.ts',
  },
  {
    args: ['inspector', CAPTURE],
    drawn: '[role="grid"]',
    pageSource: 'tools/replay/inspector/page/shell/InspectorApp.tsx',
    from: '<footer',
    to: '<footer data-changed="true"',
    changed: 'footer[data-changed]',
    programSource: 'tools/replay/commands/open.ts',
  },
])(
  'contract §1 `npm run dev`: shows a change of $pageSource without a reload, and restarts the program at a change of $programSource',
  async ({ args, drawn, pageSource, from, to, changed, programSource }) => {
    const { copy, page, child } = await develop(...args);
    await page.locator(drawn).waitFor();
    await replaceIn(join(copy, pageSource), from, to);
    await page.locator(changed).waitFor();
    expect(await page.locator(`html[${MARKER}]`).count()).toBe(1);
    await replaceIn(join(copy, programSource), /$/, '\nexport const change = 1;\n');
    await page.locator(`html:not([${MARKER}])`).waitFor();
    await page.locator(changed).waitFor();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
  },
);
