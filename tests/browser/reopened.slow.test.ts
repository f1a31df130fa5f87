import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { launchWithProfile } from './harness/chromium.ts';
import { setUpFixtureHost, windowOf } from './harness/setUpFixtureHost.ts';

/** Tests the browser that the web host opens by itself, with a persistent profile. */
const host = setUpFixtureHost();

it('contract §2 token: recognises the browser that it opened, also when it is reopened or uses a bookmark; no argument contains the token', async () => {
  const programs = join(host().folder, 'programs');
  mkdirSync(programs);
  const said = join(host().folder, 'arguments');
  writeFileSync(
    join(programs, 'gio'),
    `#!/bin/sh\n[ "$1" = open ] && printf '%s\\n' "$@" > '${said}.new' && mv '${said}.new' '${said}'\nexit 0\n`,
    { mode: 0o700 },
  );
  const desktop = { PARLEY_OPEN: '1', DISPLAY: ':9', XDG_CURRENT_DESKTOP: 'GNOME', BROWSER: '' };
  const address = await host().start({ env: { ...desktop, PATH: `${programs}:${process.env.PATH}` } });
  const opened = (await vi.waitFor(() => readFileSync(said, 'utf8'), 10_000)).trim();
  expect(opened).toMatch(/^open\n.*\/open-[\w-]{22}\.html$/);
  const file = opened.split('\n').at(-1)?.replace('file://', '') ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const { origin } = new URL(address);
  const profile = join(host().folder, 'profile');
  let reopened = await launchWithProfile(profile);
  let page = await reopened.newPage();
  await page.goto(`file://${file}`);
  await windowOf(page);
  expect(page.url()).toBe(`${origin}/`);
  expect(readdirSync(host().folder)).not.toContain(file.split('/').at(-1));
  await page.reload();
  await windowOf(page);
  await reopened.close();

  reopened = await launchWithProfile(profile);
  page = await reopened.newPage();
  await page.goto(origin);
  expect(await windowOf(page)).toMatch(/^window \d$/);
  await reopened.close();
});
