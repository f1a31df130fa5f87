import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { avatar, eveningPicture } from '#platform/assistant/pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE, VOICE_SAMPLE } from '#platform/assistant/samples.ts';
import { recv } from '#tests/builders/recv.ts';
import { setUpRenderer } from '../harness/renderer.ts';
import { message, snapshot, text } from '../harness/message.ts';
import { setUpInspector } from './harness/inspector.ts';

/** Checks that the inspector’s style sheets do not change the look of the conversation. */

const openWindow = setUpRenderer();
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

const MESSAGES = snapshot(
  message('1', [text('Hello.'), HTML_SAMPLE, { category: 'html', text: '', html: HTML }, FILE_SAMPLE], {
    avatar: avatar(),
  }),
  message('2', [{ category: 'image', text: 'evening.png', blob: eveningPicture() }, VOICE_SAMPLE], {
    modifier: 'client',
    context: 'Ada',
  }),
  message('3', [text('Maintenance tonight.')], { modifier: 'admin' }),
);

/** Properties that depend on the size of the pane and not on a style sheet. */
const BY_ROOM = /^(?:width|height|inline-size|block-size|(?:perspective|transform)-origin)$/;

/** Returns, as lines of text, the name and the computed style of each element of the messages. */
const looks = async (page: Page) => {
  // As text, because Playwright needs seconds for this many values.
  const lines = await page.evaluate((byRoom) => {
    const isByRoom = new RegExp(byRoom);
    const describeElement = (element: Element) => {
      const style = getComputedStyle(element);
      const names = Array.from(style).filter((name) => !isByRoom.test(name) && !name.startsWith('--'));
      return [element.nodeName, ...names.map((name) => `${name}: ${style.getPropertyValue(name)}`)].join(
        '; ',
      );
    };
    return Array.from(document.querySelectorAll('article, article *'), describeElement).join('\n');
  }, BY_ROOM.source);
  return lines.split('\n');
};

it.each(['light', 'dark'] as const)(
  'styles every element of a message as the messenger does in the %s scheme',
  async (colorScheme) => {
    const messenger = await openWindow();
    await messenger.page.emulateMedia({ colorScheme });
    await messenger.signedIn(MESSAGES);
    await messenger.page.getByRole('article').nth(2).waitFor();

    const at = await temporaryFolder();
    const capture = await writeCapture(at('x.parley.jsonl'), [recv(1, MESSAGES.frame)]);
    const { page, go } = await openInspector({ capture });
    await page.emulateMedia({ colorScheme });
    await go(2);
    await page.getByRole('article').nth(2).waitFor();

    const shown = await looks(page);
    expect(shown.length).toBeGreaterThan(60);
    expect(shown).toEqual(await looks(messenger.page));
  },
);
