import type { Page } from 'playwright-core';
import { sendMessage, connected, conversationOf, signUp } from '../browser/harness/signUp.ts';
import { type Check, expectValue } from './check.ts';

/** The checks of what a page does in both hosts. The first ones need a window that is signed out. */
export const pageChecks: readonly Check[] = [
  { name: 'window opened', run: windowOpened },
  { name: 'preload present', run: preloadPresent },
  { name: 'snapshot followed', run: snapshotFollowed },
  { name: 'content security policy', run: contentSecurityPolicy },
  { name: 'permissions denied', run: permissionsDenied },
];

async function windowOpened(page: Page): Promise<string> {
  const view = page.locator('main[data-view="login"]');
  await view.waitFor();
  const box = await view.boundingBox();
  return `${box?.width} × ${box?.height} pixels, with the sign-in form`;
}

/** The preload's objects are there, and refuse channels that are not on their lists. */
async function preloadPresent(page: Page): Promise<string> {
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
}

/** Registers, and receives the answer to a message: an act reaches main, and main's state reaches the window. */
async function snapshotFollowed(page: Page): Promise<string> {
  await signUp(page, { email: `check-${Date.now()}@example.org` });
  await connected(page);
  await sendMessage(page, 'hello there');
  await conversationOf(page).locator('[data-modifier="ai"]').getByText('You said: hello there').waitFor();
  return `${await conversationOf(page).getByRole('article').count()} messages after registration and an echo`;
}

/** A connection to another host and a style in the markup are blocked, by our policy. */
async function contentSecurityPolicy(page: Page): Promise<string> {
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
}

/** The page gets no location, camera or microphone: voice is off. */
async function permissionsDenied(page: Page): Promise<string> {
  const states = await page.evaluate(() =>
    Promise.all(
      (['geolocation', 'camera', 'microphone', 'midi'] as const).map(async (name) => {
        const { state } = await navigator.permissions.query({ name });
        return `${name} ${state}`;
      }),
    ),
  );
  expectValue(
    'the list of permissions that are not denied',
    states.filter((state) => !state.endsWith(' denied')),
    [],
  );
  return states.join(', ');
}
