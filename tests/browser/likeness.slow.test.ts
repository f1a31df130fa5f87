import { noticeRaised } from '#shared/actions/mainActions.ts';
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { avatar, eveningPicture } from '#platform/assistant/pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE, VOICE_SAMPLE } from '#platform/assistant/samples.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { RICH_ANSWER } from '#ui/markdown/testing/richAnswer.ts';
import { type RendererWindow, setUpWindows } from './harness/renderer.ts';
import { skipFormPause } from './harness/signUp.ts';
import { message, snapshot, text, uneven } from './harness/message.ts';
import { drawnWindow, type RecordedSession, recordSession } from './harness/likeness.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const { open: openWindow } = setUpWindows();
const openInspector = setUpInspector();

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
const NOTICE = { modifier: 'admin', context: '', notice: true, action: 'settings' };

const MESSAGES = snapshot(
  message('1', [text('Hello.'), HTML_SAMPLE, { category: 'html', html: HTML }, FILE_SAMPLE], {
    avatar: avatar(),
  }),
  message('2', [{ category: 'image', text: 'evening.png', blob: eveningPicture() }, VOICE_SAMPLE], OWN),
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
    const reasoning = { ...text('The *tides*'), format: 'reasoning' };
    // A message that comes in a snapshot has no time of arrival, which the live window's fake main would not know either.
    await live.session.apply(snapshot(message('1', [reasoning], { context: 'Model is thinking…' })));
    await live.session.apply({ kind: 'content', frame: { ...text(''), format: 'markdown' } });
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
      message('2', [text('It needs a key.')], NOTICE),
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
