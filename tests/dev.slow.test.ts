import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { workerBrowser } from './browser/harness/chromium.ts';

/** Tests `npm run dev` with a copy of the sources, which the tests change. */
const ROOT = resolve(import.meta.dirname, '..');

/** A marker that the page loses when it reloads. */
const MARKER = 'marker';

function copySources(): string {
  // The copy is inside the project, so that Node finds the packages.
  const copy = mkdtempSync(join(ROOT, 'out/dev-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));
  const files = execFileSync(
    'git',
    ['ls-files', 'src', 'tools', 'platform', 'scripts', '*.json', '*.config.ts'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of files.trim().split('\n')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  for (const built of ['renderer', 'inspector'])
    cpSync(join(ROOT, 'out', built), join(copy, 'out', built), { recursive: true });
  return copy;
}

function replaceIn(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

/** Starts `npm run dev` with arguments; returns the copy's folder and a page at the printed address. */
async function develop(
  ...args: string[]
): Promise<{ copy: string; page: Page; exit: () => Promise<unknown> }> {
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
    return {
      copy,
      page,
      async exit() {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        return (await exited)[0];
      },
    };
  }
  throw new Error('npm run dev ended before it was ready');
}

const hasMarker = (page: Page) => page.locator(`html[${MARKER}]`).count();

test('contract §1 `npm run dev`: shows a change of the window without a reload, restarts main at a change of main', async () => {
  const { copy, page, exit } = await develop();
  await page.getByRole('textbox', { name: 'Email' }).waitFor();
  replaceIn(join(copy, 'src/ui/window/Login.tsx'), /Email/g, 'Electronic mail');
  await page.getByRole('textbox', { name: 'Electronic mail' }).waitFor();
  expect(await hasMarker(page)).toBe(1);

  replaceIn(join(copy, 'src/main/main.ts'), /$/, '\nexport const change = 1;\n');
  await page.locator(`html:not([${MARKER}])`).waitFor();
  await page.getByRole('textbox', { name: 'Electronic mail' }).waitFor();
  expect(await exit()).toBe(0);
});

test('contract §1 `npm run dev`: shows a change of the inspector without a reload, restarts the tool at a change of the tool', async () => {
  const capture = resolve(ROOT, 'tests/captures/discriminator-precedence.parley.jsonl');
  const { copy, page, exit } = await develop('inspector', capture);
  await page.getByRole('grid').waitFor();
  replaceIn(
    join(copy, 'tools/replay/inspector/page/shell/InspectorApp.tsx'),
    '<footer',
    '<footer data-changed="true"',
  );
  await page.locator('footer[data-changed]').waitFor();
  expect(await hasMarker(page)).toBe(1);

  replaceIn(join(copy, 'tools/replay/commands/open.ts'), /$/, '\nexport const change = 1;\n');
  await page.locator(`html:not([${MARKER}])`).waitFor();
  await page.getByRole('grid').waitFor();
  expect(await exit()).toBe(0);
});
