import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ElectronApplication, Page } from 'playwright-core';
import { globSync } from 'tinyglobby';
import { sendMessage, connected, conversationOf, signUp } from '../browser/harness/signUp.ts';

/** The folder of the repository. The same from this file and from the bundle in `out/electronCheck`. */
export const ROOT = join(import.meta.dirname, '../..');

/** A running messenger that is checked. */
export interface CheckedHost {
  readonly page: Page;
  /** Electron's main process; `null` in the web host. */
  readonly electron: ElectronApplication | null;
  close(): Promise<void>;
}

/** A check that cannot be made here, for a reason that is not an error. */
class NotRunError extends Error {
  override readonly name = 'NotRunError';
}

function notRun(why: string): never {
  throw new NotRunError(why);
}

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly result: 'ok' | 'failed' | 'not run';
  readonly detail: string;
}

/** How long one check may take, in milliseconds. */
const CHECK_MS = 20_000;

/** Runs the checks one after the other: each begins where the one before has left the window. */
export async function runChecks({ page, electron }: CheckedHost): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(PAGE_CHECKS))
    results.push(await runCheck(name, () => check(page)));
  for (const [name, check] of Object.entries(ELECTRON_CHECKS))
    results.push(
      await runCheck(name, async () =>
        check(electron ?? notRun('only Electron’s runtime can prove it'), page),
      ),
    );
  return results;
}

const isLate = async (): Promise<never> => {
  await pause(CHECK_MS, undefined, { ref: false });
  throw new Error(`took longer than ${CHECK_MS / 1000} s`);
};

async function runCheck(name: string, run: () => Promise<string>): Promise<CheckResult> {
  try {
    return { name, result: 'ok', detail: await Promise.race([run(), isLate()]) };
  } catch (error) {
    const [detail = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { name, result: error instanceof NotRunError ? 'not run' : 'failed', detail };
  }
}

/** Throws when a value is not as expected. */
function expectValue(what: string, value: unknown, expected: unknown): void {
  const [found, wanted] = [value, expected].map((one) => JSON.stringify(one));
  if (found !== wanted) throw new Error(`${what} is ${found}, not ${wanted}`);
}

/** Where `npm run dist -- --dir` puts the program, by system. */
const PACKED: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'dist/linux*-unpacked/parley',
  darwin: 'dist/mac*/Parley.app',
  win32: 'dist/win*-unpacked/Parley.exe',
};

/**
 * What a page does in both hosts, in a window that is signed out at first. Each resolves to a detail of the result.
 * @throws when it fails; the first line of the message is the detail.
 */
export const PAGE_CHECKS: Readonly<Record<string, (page: Page) => Promise<string>>> = {
  async 'window opened'(page) {
    const view = page.locator('main[data-view="login"]');
    await view.waitFor();
    const box = await view.boundingBox();
    return `${box?.width} × ${box?.height} pixels, with the sign-in form`;
  },

  /** The preload's objects are there, and refuse channels that are not on their lists. */
  async 'preload present'(page) {
    const found = await page.evaluate(() =>
      [window.parley, window.parleyTools].map(({ send }: { readonly send: unknown }) => {
        try {
          return typeof send === 'function' && Reflect.apply(send, undefined, ['no-such-channel']) === send;
        } catch {
          return 'refused';
        }
      }),
    );
    expectValue('parley and parleyTools', found, ['refused', 'refused']);
    return 'parley and parleyTools; an unknown channel throws';
  },

  /** Registers, and receives the answer to a message: an act reaches main, and main's state reaches the window. */
  async 'snapshot followed'(page) {
    await signUp(page, { email: `check-${Date.now()}@example.org` });
    await connected(page);
    await sendMessage(page, 'hello there');
    await conversationOf(page).locator('[data-modifier="ai"]').getByText('You said: hello there').waitFor();
    return `${await conversationOf(page).getByRole('article').count()} messages after registration and an echo`;
  },

  /** A connection to another host and a style in the markup are blocked, by our policy. */
  async 'content security policy'(page) {
    const blocked = await page.evaluate(async () => {
      const directives: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        directives.push(event.effectiveDirective);
      });
      document.createElement('p').setAttribute('style', 'color: red');
      await fetch('https://parley.invalid/').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return directives.toSorted();
    });
    expectValue('the list of blocked directives', blocked, ['connect-src', 'style-src-attr']);
    return `blocked: ${blocked.join(', ')}`;
  },

  /** The page gets no location, camera or microphone: voice is off. */
  async 'permissions denied'(page) {
    const states = await page.evaluate(() =>
      Promise.all(
        (['geolocation', 'camera', 'microphone', 'midi'] as const).map(async (name) => {
          const { state } = await navigator.permissions.query({ name });
          return `${name} ${state}`;
        }),
      ),
    );
    const others = states.filter((state) => !state.endsWith(' denied'));
    expectValue('the list of permissions that are not denied', others, []);
    return states.join(', ');
  },
};

/** What only Electron's runtime can prove. */
export const ELECTRON_CHECKS: Readonly<
  Record<string, (electron: ElectronApplication, page: Page) => Promise<string>>
> = {
  /** Name and folder, which `safeStorage`, notifications and the second start depend on. */
  async program(electron) {
    const { name, versions, windows } = await electron.evaluate(({ app, BrowserWindow }) => ({
      name: app.getName(),
      versions: `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}, Node ${process.versions.node}`,
      windows: BrowserWindow.getAllWindows().map((window) => window.isVisible()),
    }));
    expectValue('the name', name, 'Parley');
    expectValue('the list of visible windows', windows, [true]);
    return versions;
  },

  /** The page has no Node, and its process a sandbox, as far as Electron reports it (not on Linux). */
  async sandbox(electron, page) {
    const globals = await page.evaluate(() =>
      ['require', 'process', 'module'].filter((name) => name in window),
    );
    expectValue('the list of Node’s globals in the page', globals, []);
    const isSandboxed = await electron.evaluate(({ app }) =>
      app.getAppMetrics().flatMap(({ type, sandboxed }) => (type === 'Tab' ? (sandboxed ?? []) : [])),
    );
    if (isSandboxed.includes(false)) throw new Error('the page’s process has no sandbox');
    return isSandboxed.length > 0
      ? 'sandboxed, without Node'
      : 'without Node; Electron reports no sandbox here';
  },

  /** Our scheme serves the page as a secure context, and no file outside its folder. */
  async protocol(_, page) {
    const found = await page.evaluate(async () => {
      const paths = [location.href, '/..%2f..%2f..%2fpackage.json'];
      const responses = await Promise.all(paths.map((path) => fetch(path)));
      return [window.origin, window.isSecureContext, ...responses.map(({ status }) => status)];
    });
    const what = 'origin, secure, status of the page and of a path outside';
    expectValue(what, found, ['parley://app', true, 200, 404]);
    return 'parley://app is a secure context; a path outside of its folder is not found';
  },

  /** A tray icon can be created. Electron does not say whether the desktop shows it. */
  async tray(electron) {
    const isDestroyed = await electron.evaluate(({ Tray, nativeImage }) => {
      const icon = new Tray(nativeImage.createEmpty());
      const result = icon.isDestroyed();
      icon.destroy();
      return result;
    });
    expectValue('the new icon’s isDestroyed()', isDestroyed, false);
    return 'created; look whether the desktop shows Parley’s icon';
  },

  /** The desktop shows a notification. */
  async notification(electron) {
    const result = await electron.evaluate(async ({ Notification }) => {
      if (!Notification.isSupported()) return 'not supported';
      const shown = new Notification({ title: 'Parley', body: 'This is a check.' });
      const event = await new Promise<string>((done) => {
        shown.once('show', () => done('shown'));
        shown.once('failed', (_, error) => done(error));
        setTimeout(() => done('not shown within 5 s'), 5000);
        shown.show();
      });
      shown.close();
      return event;
    });
    expectValue('the notification', result, 'shown');
    return 'shown, then closed';
  },

  /** What was encrypted can be decrypted with the key of the system's keyring. */
  async safeStorage(electron) {
    const { isAvailable, result, backend } = await electron.evaluate(async ({ safeStorage: storage }) => {
      const available = await storage.isAsyncEncryptionAvailable();
      return {
        isAvailable: available,
        result:
          available &&
          (await storage.decryptStringAsync(await storage.encryptStringAsync('a secret'))).result,
        backend: process.platform === 'linux' ? storage.getSelectedStorageBackend() : process.platform,
      };
    });
    if (!isAvailable)
      throw new Error(`not available (${backend}): the account is stored as plain text, with mode 0600`);
    expectValue('the decrypted text', result, 'a secret');
    return `encrypted and decrypted (${backend})`;
  },

  /** The packed program has our fuses: the runtime that `npm start` uses has Electron's own. */
  async fuses() {
    const found = globSync(PACKED[process.platform] ?? [], { cwd: ROOT, absolute: true, onlyFiles: false });
    const packed =
      found.toSorted().at(-1) ?? notRun('no packed program in dist/: run `npm run dist -- --dir`');
    const argv = [join(ROOT, 'packaging/checkFuses.mjs'), packed];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr.trim());
    return stdout.trim();
  },
};
