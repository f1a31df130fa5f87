import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOSTILE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpScripted } from './harness/setUpScripted.ts';
import { message, snapshot, text } from './harness/message.ts';

/** Checks that a hostile platform, page or person cannot do harm in the window of the complete product. */
const scripted = setUpScripted();

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const RUN = 'window.wasRun = true';
const LINKS = [
  `<a href="javascript:${RUN}">script link</a><a href=" java\nscript:${RUN}">broken link</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">data link</a>`,
  '<a href="file:///etc/passwd">file link</a><a href="ms-msdt:/id">custom link</a>',
  '<a href="http\u017F://evil.example/">folded link</a>',
  '<a href="https://good.example/" onmouseover="1" target="_self">good link</a>',
];
const MARKUP = [...HOSTILE_MARKUP, '<p class="kept" onclick="0">kept</p>', ...LINKS];

/** Every way to use a string as markup or code. */
const WAYS_TO_RUN = [
  "document.body.innerHTML = '<b>text</b>'",
  "document.body.outerHTML = '<b>text</b>'",
  "document.body.insertAdjacentHTML('beforeend', '<b>text</b>')",
  "document.write('<b>text</b>')",
  "document.createRange().createContextualFragment('<b>text</b>')",
  "new DOMParser().parseFromString('<b>text</b>', 'text/html')",
  "document.createElement('iframe').srcdoc = '<b>text</b>'",
  `document.createElement('script').text = '${RUN}'`,
  `document.createElement('script').src = 'data:text/javascript,${RUN}'`,
  `document.body.setAttribute('onclick', '${RUN}')`,
  "new Worker('worker.js')",
  `setTimeout('${RUN}')`,
  `eval('${RUN}')`,
  `new Function('${RUN}')()`,
  "trustedTypes.createPolicy('default', { createHTML: (html) => html })",
  "trustedTypes.createPolicy('inspector', { createHTML: (html) => html })",
];

/** Records the page’s requests to other hosts and its navigations from now on. */
function watch(page: Page): { readonly requests: string[]; readonly navigations: string[] } {
  const seen = { requests: [] as string[], navigations: [] as string[] };
  const ours = new URL(page.url()).origin;
  page.on('request', (request: Request) => {
    if (!request.url().startsWith(`${ours}/`) && !/^(?:data|blob):/u.test(request.url()))
      seen.requests.push(request.url());
  });
  page.on('framenavigated', (frame) => seen.navigations.push(frame.url()));
  return seen;
}

const ran = (page: Page) => page.evaluate(() => Reflect.has(window, 'wasRun'));

describe('the served page', () => {
  it('contract §2: has a policy that allows only shipped resources', async () => {
    const response = await scripted().page.reload();
    const headers = response?.headers() ?? {};
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      'media-src data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'trusted-types dompurify',
      "require-trusted-types-for 'script'",
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    for (const feature of ['microphone', 'camera', 'geolocation', 'usb']) {
      expect(headers['permissions-policy']).toContain(`${feature}=()`);
    }
  });

  it('contract §2 foreign requests: answers 403 for pages and for the bridge without the cookie or from a foreign origin', async () => {
    const { parley, browser } = scripted();
    const { origin } = new URL(parley.url);
    const unknownClient = await browser.newContext();
    const page = await unknownClient.newPage();
    for (const path of ['/', '/?token=guessed', '/-/preload.js', '/index.html']) {
      expect((await page.goto(origin + path))?.status()).toBe(403);
    }
    const cookie = (await scripted().page.context().cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    for (const foreign of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
      const headers = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', cookie, ...foreign };
      expect((await unknownClient.request.get(`${origin}/-/bridge`, { headers })).status()).toBe(403);
    }
    await unknownClient.close();
  });

  it('cannot load a script, a picture or a response from another origin', async () => {
    const { page } = scripted();
    const refused = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const directives: string[] = [];
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            if (directives.push(effectiveDirective) === 3) resolve(directives);
          });
          const link = { rel: 'preload', as: 'script', href: 'https://evil.example/a.js' };
          document.head.append(Object.assign(document.createElement('link'), link));
          document.body.append(Object.assign(new Image(), { src: 'https://evil.example/a.png' }));
          fetch('https://evil.example/').catch(() => undefined);
        }),
    );
    expect(refused.sort()).toEqual(['connect-src', 'img-src', 'script-src-elem']);
  });

  it('blocks every way to use a string as markup or code, also for its own scripts', async () => {
    const { page } = scripted();
    const session = await page.context().newCDPSession(page);
    for (const way of WAYS_TO_RUN) {
      const { result } = await session.send('Runtime.evaluate', {
        expression: `(() => { try { ${way}; return 'done' } catch (error) { return error.name } })()`,
        returnByValue: true,
        allowUnsafeEvalBlockedByCSP: false,
      });
      expect([way, result.value]).toEqual([way, expect.stringMatching(/^(?:Type|Eval)Error$/u)]);
    }
    await session.detach();
    expect(await ran(page)).toBe(false);
  });

  it('never violates its own policy while it shows markup, a file, a picture and a notice', async () => {
    const { open, signedIn } = scripted();
    const { page, socket } = await signedIn();
    await page.addInitScript(() => {
      const broken: string[] = [];
      Reflect.set(window, 'broken', broken);
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
        broken.push(`${effectiveDirective} ${sample}`);
      });
    });
    await open();
    const items = [
      { category: 'html', html: '<b>bold</b>' },
      { category: 'file', text: 'a.txt', blob: PNG },
      { category: 'image', text: '', blob: PNG },
    ];
    socket.send(message('a', items));
    socket.send({ ring: true });
    await page.locator('.markup b').waitFor();
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button').first().waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'broken'))).toEqual([]);
  });
});

describe('a hostile message', () => {
  it('spec §2.4 `html`: runs nothing, loads nothing, does not navigate and cannot imitate the window', async () => {
    const { page, socket } = await scripted().signedIn();
    const seen = watch(page);
    socket.send(
      snapshot(
        message(
          'a',
          MARKUP.map((html) => ({ category: 'html', html })),
        ),
      ).frame,
    );
    await page.getByText('kept', { exact: true }).click();
    await page.getByText('script link').click();
    await page.getByText('broken link').click();
    for (const link of ['data link', 'file link', 'custom link']) await page.getByText(link).click();
    socket.send(message('b', [text('after them')]));
    await page.getByText('after them', { exact: true }).first().waitFor();
    const markup = page.locator('.markup');
    expect(
      await markup
        .locator('script, style, iframe, form, input, svg, math, video, object, embed, link, base, meta')
        .count(),
    ).toBe(0);
    expect(
      await markup
        .locator(
          '[class]:not(.table, .code, [class^="code-"]), [id], [style], [role], [data-view], [onclick], [onerror], [srcset]',
        )
        .count(),
    ).toBe(0);
    expect(await ran(page)).toBe(false);
    expect(seen).toEqual({ requests: [], navigations: [] });
    expect(await page.locator('main').isVisible()).toBe(true);
  });

  it('keeps links to the web and to mail only, and opens them in another window without an opener', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(
      message(
        'a',
        LINKS.map((html) => ({ category: 'html', html })),
      ),
    );
    await page.getByRole('link', { name: 'good link' }).waitFor();
    const links = () =>
      page
        .locator('.markup a')
        .evaluateAll((all) =>
          all.map((link) => [
            link.textContent,
            ...['href', 'target', 'rel'].map((name) => link.getAttribute(name)),
          ]),
        );
    // Markup may be sanitized in a later task.
    await expect.poll(links, POLLING).toEqual([
      ['script link', null, null, null],
      ['broken link', null, null, null],
      ['data link', null, null, null],
      ['file link', null, null, null],
      ['custom link', null, null, null],
      ['folded link', null, null, null],
      ['good link', 'https://good.example/', '_blank', 'noopener noreferrer'],
    ]);
  });

  it('shows markup in every other field as text', async () => {
    const { page, socket } = await scripted().signedIn();
    const seen = watch(page);
    const evil = `<img src=x onerror="${RUN}">`;
    const fields = { modifier: evil, context: evil, avatar: `x" onerror="${RUN}` };
    const content = [
      ...['text', 'audio', 'image', 'file', evil].map((category) => ({ category, text: evil, blob: PNG })),
      { category: 'image', text: evil, blob: Buffer.from(`<svg onload="${RUN}"/>`).toString('base64') },
      { category: 'image', text: evil, blob: 'https://evil.example/a.png' },
    ];
    socket.send({ person: `${evil} ${evil}`, messages: [message(evil, content, fields)] });
    await expect.poll(() => page.locator('.item').count(), POLLING).toBe(content.length);
    socket.send({ ring: true });
    await page.getByRole('region', { name: 'Notifications' }).getByText(evil).first().waitFor();
    socket.close(4000, evil);
    await page.getByText(`Disconnected: ${evil}`, { exact: true }).waitFor();
    expect(await page.locator('img[src="x"], svg[onload]').count()).toBe(0);
    expect(await ran(page)).toBe(false);
    expect(seen).toEqual({ requests: [], navigations: [] });
  });
});

describe('a file dropped by the system', () => {
  it('is never opened in the window, wherever it is dropped', async () => {
    const { parley, openSignedIn, openSignedOut } = scripted();
    const file = join(parley.dataDir, 'dropped.html');
    writeFileSync(file, '<title>dropped</title>', { mode: 0o600 });
    const page = await openSignedOut();
    const seen = watch(page);
    for (const place of ['header', 'form', 'input']) await dropAt(page, place, file);
    const { socket } = await openSignedIn();
    seen.navigations.length = 0;
    await page.keyboard.type('text');
    for (const place of ['header', 'textarea']) await dropAt(page, place, file);
    await dropAt(page, '[role="log"]', file);
    expect(await socket.frames.next()).toContain('"text":"dropped.html"');
    expect(seen).toEqual({ requests: [], navigations: [] });
    expect(page.context().pages()).toHaveLength(1);
  });
});

/** Drops a file as the system does: a drop that the page does not handle opens the file. */
async function dropAt(page: Page, selector: string, file: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`No element matches ${selector}.`);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at });
  }
  await session.detach();
}
