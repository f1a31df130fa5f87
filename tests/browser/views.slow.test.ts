import { noticeRaised, windowOpened } from '#shared/actions/mainActions.ts';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { Update } from '#shared/protocol/update.ts';
import { temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { avatar, eveningPicture } from '#platform/assistant/pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE, VOICE_SAMPLE } from '#platform/assistant/samples.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { RICH_ANSWER } from '#ui/markdown/testing/richAnswer.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { type Emitted, emit, SETTINGS, typeKeys } from './harness/elements.ts';
import { overflowingElements, resize } from './harness/layout.ts';
import { type RendererWindow, setUpWindows } from './harness/renderer.ts';
import { skipFormPause, submitForm } from './harness/signUp.ts';
import { file, markdown, message, snapshot, text, uneven } from './harness/message.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const { open: openWindow, sharedWindow } = setUpWindows();
const openInspector = setUpInspector();

/** Reads the elements of a window, or of its picture in the inspector, without what a picture does not have: announcements, the focus, layers, rows out of view. */
const drawnWindow = async (page: Page, container: '#root' | '.window-picture') =>
  (await page.locator(container).evaluate(describeElements)).split('\n');

// The page receives only the source of this function, so nothing outside it exists there.
/* oxlint-disable unicorn/consistent-function-scoping */

/** Runs in the page. Returns the tag, the text, the value, the attributes and the computed style of each element, as text, because Playwright needs seconds for this many values. */
function describeElements(root: Element): string {
  for (const one of root.querySelectorAll<HTMLElement>('.visually-hidden[aria-live]')) one.hidden = true;
  for (const row of root.querySelectorAll('[data-changed]')) row.removeAttribute('data-changed');
  const plain = root.appendChild(document.createElement('div'));
  plain.style.all = 'initial';
  // Logical properties repeat physical ones.
  const left = /^(?:--|outline|app-region|window-drag)|block|inline|border-(?:end|start)-/;
  const names = Array.from(getComputedStyle(plain)).filter((name) => !left.test(name));
  const initial = names.map((name) => getComputedStyle(plain).getPropertyValue(name));
  plain.remove();
  const describeStyle = (element: Element, pseudo?: string) => {
    const style = getComputedStyle(element, pseudo);
    return names.flatMap((name, index) => {
      const value = style.getPropertyValue(name);
      const isLeft =
        value === initial[index] ||
        (element.matches('.text-box, .field-box') && /^border-.*-color$/.test(name)) ||
        (element.matches('dialog, .action-menu') && /^(?:position|overlay|z-index)$/.test(name));
      return isLeft ? [] : [`${name}: ${value}`];
    });
  };
  const describeValue = (element: Element) => {
    if (element instanceof HTMLInputElement)
      return element.autocomplete.endsWith('password') ? '' : `${element.value} ${element.checked}`;
    return element instanceof HTMLTextAreaElement ? element.value : '';
  };
  const isOfPage = (name: string, element: Element) =>
    /^(?:id|style|tabindex|aria-live|data-row)$/.test(name) ||
    (element.nodeName === 'MAIN' && /^(?:role|aria-label)$/.test(name));
  const describeAttributes = (element: Element, all: readonly Element[]) =>
    Array.from(element.attributes)
      .flatMap(({ name, value }) => {
        // In place of an id, the number of its element.
        const same = value.replace(/_r_\w+_/g, (id) => `${all.findIndex((one) => one.id === id)}`);
        return isOfPage(name, element) ? [] : `${name}=${same.replace(/^blob:.*/, 'blob:')}`;
      })
      .toSorted();
  const limitedText = (element: Element) =>
    Array.from(element.childNodes, (node) => (node instanceof Text ? node.data : '')).join('');
  const before = (element: Element) =>
    /^(?:none|normal)$/.test(getComputedStyle(element, '::before').content)
      ? []
      : ['::before', ...describeStyle(element, '::before')];
  const view = root.querySelector('.log-long')?.getBoundingClientRect();
  const isShown = (element: Element) => {
    if (view === undefined || element.parentElement?.closest('.log-long') === null) return true;
    const row = element.closest('[data-row]')?.getBoundingClientRect();
    return row !== undefined && row.bottom > view.top + 2 && row.top < view.bottom - 2;
  };
  return Array.from(root.querySelectorAll('*'))
    .filter(isShown)
    .filter((element) => element.closest('.visually-hidden[aria-live]') === null)
    .map((element, _, all) =>
      [
        element.nodeName,
        limitedText(element),
        describeValue(element),
        ...describeAttributes(element, all),
        ...describeStyle(element),
        ...before(element),
      ].join('; '),
    )
    .join('\n');
}

/* oxlint-enable unicorn/consistent-function-scoping */

/** Between two records, milliseconds: an update has its tick before the next record. */
const PAUSE_MS = 150;

const reportsSchema = z.array(
  z.tuple([z.number(), z.object({ type: z.string(), payload: z.unknown().optional() })]),
);

/** The session of a window with a fake main, as main records it. */
type RecordedSession = ReturnType<typeof recordSession>;

/** Records the session of a window that has just loaded. */
function recordSession(renderer: RendererWindow) {
  const records: CaptureRecord[] = [];
  let t = 0;
  let updates = 0;
  const add = (record: object) => records.push({ t: (t += PAUSE_MS), type: '', ...record });
  const addAction = (action: object, source = {}) => add({ type: 'action', action, ...source });
  const takeReports = async () => {
    const taken = await renderer.page.evaluate(() => window.reports.splice(0));
    for (const [, { type, payload }] of reportsSchema.parse(taken))
      addAction({ type, payload }, { window: 1 });
  };
  const { type, payload } = windowOpened(1);
  addAction({ type, payload });
  return {
    records,
    /** Returns the number of the inspector's last step so far. */
    async step() {
      await takeReports();
      return records.length + updates;
    },
    async signedIn() {
      await renderer.account('account-1');
      await takeReports();
      add({ type: 'launch' });
    },
    async apply(...applied: readonly Update[]) {
      for (const update of applied) {
        updates++;
        add({ type: 'recv', data: JSON.stringify(update.frame) });
      }
      await renderer.apply(...applied);
    },
    /** Dispatches actions of main. */
    async dispatch(...actions: readonly UnknownAction[]) {
      for (const action of actions) addAction(action);
      await renderer.dispatch(...actions);
    },
    async closed(reason: string) {
      add({ type: 'close', code: 1000, reason });
      await renderer.disconnected(reason);
    },
  };
}

/** Every element that a message's HTML may hold and that styles could reach. */
const HTML = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'center', 'pre', 'blockquote'].map(
    (tag) => `<${tag}>a <b>word</b>, <code>code</code>, <kbd>Enter</kbd>, <mark>mark</mark></${tag}>`,
  ),
  '<ul><li>one<ul><li>within</li></ul></li></ul><ol start="3"><li>three</li></ol>',
  '<dl><dt>term</dt><dd>meaning</dd></dl><hr><details open><summary>more</summary>it</details>',
  '<figure><img alt="evening" src="data:image/png;base64,',
  `${eveningPicture()}"><figcaption>evening</figcaption></figure>`,
  '<p><a href="https://example.org">link</a> <ins>ins</ins> <del>del</del> <samp>samp</samp> <small>small</small></p>',
].join('');

const OWN = { modifier: 'client', context: 'Ada' };
const DIVIDER = { modifier: 'admin', context: '', divider: true };
const noticeWith = (action: string) => ({ modifier: 'admin', context: '', notice: true, action });

const PICTURE = { category: 'image', text: 'evening.png', blob: eveningPicture() };

const MESSAGES = snapshot(
  message('1', [text('Hello.'), HTML_SAMPLE, { category: 'html', html: HTML }, FILE_SAMPLE], {
    avatar: avatar(),
  }),
  message('2', [PICTURE, VOICE_SAMPLE], OWN),
  message('3', [text('Maintenance tonight.')], { modifier: 'admin' }),
);

interface Live {
  readonly renderer: RendererWindow;
  readonly session: RecordedSession;
}

const shown = ({ renderer: { page } }: Live, selector: string) => page.locator(selector).first().waitFor();

/** Waits until the window reports an action of this type. */
const reported = ({ renderer: { page } }: Live, type: string) =>
  page.waitForFunction((wanted) => JSON.stringify(window.reports).includes(`"${wanted}"`), type);

/** What a person does and sees, one after the other. */
const MOMENTS: Readonly<Record<string, (live: Live) => Promise<unknown>>> = {
  'a refused form': async (live) => {
    const { page, account } = live.renderer;
    await account(false);
    await page.getByLabel('Email').fill('ada@example.org');
    await page.getByRole('button', { name: 'Show characters' }).click();
    await page.getByLabel('Password').fill('short');
    await skipFormPause(page);
    await page.getByLabel('Password').press('Enter');
    await shown(live, '[data-error="true"]');
  },
  'an opening conversation': ({ session }) => session.signedIn(),
  'a conversation': async (live) => {
    await live.session.dispatch(connectionConfirmed());
    await live.session.apply(MESSAGES);
    await shown(live, 'article:nth-child(1)');
  },
  'an answer that streams': async (live) => {
    const reasoning = markdown('The *tides*', 'reasoning');
    // A message that comes in a snapshot has no time of arrival, which the live window's fake main would not know either.
    await live.session.apply(snapshot(message('1', [reasoning], { context: 'Model is thinking…' })));
    await live.session.apply({ kind: 'content', frame: markdown('') });
    await live.session.apply({ kind: 'context', frame: { context: 'Model is writing…' } });
    for (const length of [100, 700, RICH_ANSWER.indexOf('**13.9') + 5])
      await live.session.apply({ kind: 'text', frame: { text: RICH_ANSWER.slice(0, length) } });
    await shown(live, '.answer table');
  },
  'an answer that is complete': async (live) => {
    await live.session.apply({ kind: 'text', frame: { text: RICH_ANSWER } });
    await live.session.apply({ kind: 'context', frame: { context: 'Model' } });
    await shown(live, '.answer math');
    await shown(live, '.answer .code-keyword');
  },
  'a long conversation, scrolled to its middle': async (live) => {
    await live.session.apply(snapshot(...uneven(250)));
    await shown(live, '[data-row="249"]');
    await live.session.step();
    await live.renderer.page.getByRole('log').evaluate((log) => log.scrollTo({ top: log.scrollHeight / 2 }));
    await reported(live, 'scroll/rested');
  },
  'the buttons about an answer, a divider, a notice, and a text that is too long for a message': async (
    live,
  ) => {
    const { renderer, session } = live;
    const messages = [
      message('0', [text('New topic')], DIVIDER),
      message('1', [text('Hello.')], { context: 'Parley · stopped' }),
      message('2', [text('It needs a key.')], noticeWith('settings')),
    ];
    const frame = { person: 'Ada', messages, words: ['again', 'continue', 'new topic'] };
    await session.apply({ kind: 'snapshot', frame });
    await shown(live, '.answer-buttons button:nth-child(2)');
    await renderer.page.keyboard.type('t');
    await renderer.page.getByRole('textbox', { name: 'Message' }).fill('too long '.repeat(40));
    await shown(live, '.send-as-file');
  },
  'a note and a connection that was closed': async (live) => {
    await live.renderer.page.keyboard.press('Escape');
    // A picture has no pointer.
    await live.renderer.page.mouse.move(0, 0);
    await live.session.closed('maintenance');
    await live.renderer.dispatch(noticeRaised({ text: 'The disk is full.', until: 'dismissed' }));
  },
};

/** Resolves when no list of the page scrolls: its rows take no pointer meanwhile. */
const rested = (page: Page): Promise<void> =>
  page.locator('.log-long [style*="pointer-events"]').first().waitFor({ state: 'detached' });

it('draws the steps of a session as the window drew them, element by element, in the light and the dark scheme', async () => {
  const at = await temporaryFolder();
  const { page } = await openInspector({ capture: captureNamed('streamed-text') });
  const size = await page.locator('.picture-host').boundingBox();
  const renderer = await openWindow();
  await renderer.page.setViewportSize({ width: size?.width ?? 0, height: size?.height ?? 0 });
  await renderer.page.waitForFunction(() =>
    JSON.stringify(window.reports).includes(`"width":${innerWidth},"height":${innerHeight},`),
  );
  const live = { renderer, session: recordSession(renderer) };
  const moments = [];
  for (const [what, act] of Object.entries(MOMENTS)) {
    await act(live);
    for (const scheme of what === 'a conversation' ? (['light', 'dark'] as const) : (['light'] as const)) {
      await renderer.page.emulateMedia({ colorScheme: scheme });
      await rested(renderer.page);
      const drawn = await drawnWindow(renderer.page, '#root');
      moments.push({ what, scheme, step: await live.session.step(), drawn });
    }
  }
  expect(renderer.problems).toEqual([]);

  const capture = await writeCapture(at('x.parley.jsonl'), live.session.records);
  const inspector = await openInspector({ capture });
  for (const { what, scheme, step, drawn } of moments) {
    await page.emulateMedia({ colorScheme: scheme });
    await inspector.go(step);
    // The list scrolls to its place in a later frame than the one in which the step is drawn.
    await vi.waitFor(
      async () => {
        await rested(page);
        expect(await drawnWindow(page, '.window-picture'), `${what}, ${scheme}`).toEqual(drawn);
      },
      { timeout: 30_000 },
    );
  }
  expect(inspector.problems).toEqual([]);
});

const CODE = '// comment\nimport { a } from "b";\nclass C extends D { e(): number { return 12; } }';
const code = {
  category: 'html',
  html: `<pre><code class="language-ts">${CODE}</code></pre><pre><code class="language-diff">-old\n+new</code></pre>`,
};
const cut = text(`The model got the first 14,000 characters of ${'report-'.repeat(20)}.txt.`);

const EVERYTHING = [
  message('1', [text('Hello.'), HTML_SAMPLE, FILE_SAMPLE, code], { avatar: avatar() }),
  message('2', [PICTURE, text('x'.repeat(300)), code], OWN),
  message('3', [text('Tonight.'), { category: 'audio', text: 'spoken' }, code], { modifier: 'admin' }),
  message('4', [text('long '.repeat(500)), file('bad.bin', '*')]),
  message('5', [text('New topic '.repeat(20))], DIVIDER),
  message('6', [markdown('Hm, `wait`.', 'reasoning'), markdown(RICH_ANSWER)], { context: 'llama · stopped' }),
  message('7', [cut], noticeWith('continue')),
];

const dialog = async (window: RendererWindow, name: string, ...args: Emitted) => {
  await emit(window.page, ...args);
  await window.page.getByRole('dialog', { name }).waitFor();
};
const showing = async ({ page, apply }: RendererWindow, messages: typeof EVERYTHING) => {
  const frame = { person: 'Ada Lovelace', messages, words: ['again', 'continue', 'new topic', 'edit'] };
  await apply({ kind: 'snapshot', frame });
  await page.locator(`[data-row="${messages.length - 1}"]`).waitFor();
};
const signedIn = (window: RendererWindow) =>
  showing(window, [message('1', [PICTURE], OWN), message('2', [text('The evening.')], { context: 'llama' })]);

/** Views with all kinds of elements, and the steps that open each in a window that is signed in. */
const VIEWS: Readonly<Record<string, (window: RendererWindow) => Promise<unknown>>> = {
  'the conversation with every kind of content': async (window) => {
    await showing(window, EVERYTHING);
    await window.page.locator('.footnote').first().waitFor({ state: 'attached' });
    await window.page.locator('.code-addition').nth(2).waitFor();
  },
  'the actions of a message and the find bar': async (window) => {
    await signedIn(window);
    await typeKeys(window.page, '{Control+f}the');
    await window.page.locator('[data-message-id="2"] .item').hover();
    await window.page.getByRole('button', { name: 'Message actions' }).click();
    await window.page.getByRole('menuitem', { name: 'Quote' }).waitFor();
  },
  'a long text in the text box, and a closed connection': async (window) => {
    await signedIn(window);
    await window.disconnected('maintenance');
    await window.page.getByRole('button', { name: 'Write a message' }).click();
    await window.page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(440));
    await window.page.getByRole('button', { name: 'Send as file' }).waitFor();
  },
  'the settings': (window) => dialog(window, 'Settings', 'settings', SETTINGS),
  'the assistant': async (window) => {
    const contents = { url: 'http://127.0.0.1:11434/v1', model: '', prompt: '', hasKey: true, variables: [] };
    await dialog(window, 'Assistant', 'assistant', contents);
    await window.page.getByRole('dialog').getByRole('button', { name: 'Test' }).click();
    const reason = `The server refuses the key ${'x'.repeat(200)}.`;
    await emit(window.page, 'assistantResult', { kind: 'failed', field: 'key', message: reason });
    await window.page.getByRole('status').getByText('refuses the key').waitFor();
  },
  'the form with an error': async ({ page, account }) => {
    await account(false);
    await submitForm(page, { email: 'ada', password: '', name: '' });
    await page.getByText('Not a valid email.').waitFor();
  },
};

/** Returns the events to which the window and the document listen, without that of axe. */
async function listened(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const events: string[] = [];
  for (const expression of ['window', 'document']) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    const objectId = String(result.objectId);
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId });
    events.push(...listeners.map(({ type }) => `${expression} ${type}`));
  }
  await session.detach();
  return events.filter((event) => event !== 'window message').toSorted();
}

it('has no violation of axe in its views, light and dark, each view fits into every width, and leaves no listener', async () => {
  const before = await listened((await sharedWindow()).page);
  for (const [view, show] of Object.entries(VIEWS)) {
    const window = await sharedWindow();
    const { page } = window;
    await show(window);
    expect([view, await axeViolations(page, ['moderate', 'serious', 'critical'])]).toEqual([view, []]);
    await page.emulateMedia({ colorScheme: 'light' });
    for (const width of [320, 760]) {
      await resize(page, width, 720);
      const beyond = await overflowingElements(page, 'main :not([role="group"] *, pre *), dialog');
      expect([view, width, await page.locator('main').count(), beyond]).toEqual([view, width, 1, []]);
    }
    expect([view, window.problems]).toEqual([view, []]);
    await page.keyboard.press('Escape');
  }
  expect(await listened((await sharedWindow()).page)).toEqual(before);
});
