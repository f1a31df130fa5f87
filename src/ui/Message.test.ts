import { type ContextType, type ReactNode, createElement } from 'react';
import type * as jsxRuntime from 'react/jsx-dev-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import type { Expansion, FoundHit } from '#shared/actions/windowSchemas.ts';
import { toMessage } from '#shared/conversation/conversation.ts';
import type { ContentItem, Message as MessageFrame } from '#shared/protocol/update.ts';
import {
  FoundContext,
  ItemCommandsContext,
  ItemOfMessageContext,
  MessageButtonsContext,
  useExpansion,
} from './base/itemCommands.ts';
import { ItemSource, itemSource, messageSource } from './base/ItemSource.tsx';
import { AudioControlsContext } from './ContentItem.tsx';
import { OpenImageContext } from './ImageItem.tsx';
import { Message } from './Message.tsx';
import { drawnStates } from './testing/drawnStates.ts';

/** The properties of the elements that are drawn. */
const drawnProps = vi.hoisted(() => new Array<Record<string, unknown>>());
vi.mock('react/jsx-dev-runtime', async (importOriginal) => {
  const runtime = await importOriginal<typeof jsxRuntime>();
  const jsxDEV: typeof runtime.jsxDEV = (...args) => {
    drawnProps.push(Object(args[1]));
    return runtime.jsxDEV(...args);
  };
  return { ...runtime, jsxDEV };
});

interface Around {
  readonly hit?: FoundHit | null;
  readonly expanded?: readonly Expansion[];
  readonly audio?: ContextType<typeof AudioControlsContext>;
  readonly label?: { readonly showsLabel?: boolean; readonly showsName: boolean };
}

const BUTTONS = {
  OfNotice: ({ action, index }: { readonly action: string; readonly index: number }) => `${action} ${index}`,
  InLabel: ({ index }: { readonly index: number }) => `label ${index}`,
};

/** What the person has done. */
const done: unknown[] = [];
const does = (what: unknown) => void done.push(what);

/** Draws a message with the index 3 and the id `m`. */
function draw(frame: MessageFrame, { hit = null, expanded = [], audio = null, label }: Around = {}): string {
  const message = toMessage({ id: 'm', modifier: 'ai', context: 'Ada', ...frame });
  const shown = { showsLabel: true, showsName: true, ...label };
  const props = { message, index: 3, arrivedAt: Date.UTC(2026, 10, 22), ...shown };
  const found = createElement(FoundContext, { value: hit }, createElement(Message, props));
  const labelled = createElement(MessageButtonsContext, { value: BUTTONS }, found);
  const audible = createElement(AudioControlsContext, { value: audio }, labelled);
  const opened = createElement(OpenImageContext, { value: does }, audible);
  const commands = { expanded, expand: does, saved: does };
  drawnProps.length = 0;
  return renderToStaticMarkup(createElement(ItemCommandsContext, { value: commands }, opened));
}

/** Presses each button and link that was drawn and can be pressed; returns what was done. */
function press(): readonly unknown[] {
  for (const { onClick, disabled } of drawnProps.splice(0))
    if (typeof onClick === 'function' && disabled !== true) onClick();
  return done.splice(0);
}

const text = (words: string): ContentItem => ({ category: 'text', text: words });
const markdown = (words: string): ContentItem => ({ ...text(words), format: 'markdown' });
const LONG = 'word '.repeat(1500).concat('\n\n').repeat(4);
const expansion = (fields: Partial<Expansion> = {}): readonly Expansion[] => [
  { message: 3, id: 'm', item: 1, part: 'text', steps: 1, ...fields },
];
const hit = (item: number, start: number, message = 3) => ({ message, item, start });

test.each<[string, Around, plain: string, inMarkdown: string]>([
  ['nothing', {}, 'cut cut', 'cut cut'],
  ['a hit in the shown beginning of one', { hit: hit(1, 19_999) }, 'cut cut', 'cut whole'],
  ['a hit in its hidden rest', { hit: hit(1, 20_000) }, 'cut whole', 'cut whole'],
  ['a hit in another message', { hit: hit(1, 20_000, 2) }, 'cut cut', 'cut cut'],
  ['one that was expanded', { expanded: expansion() }, 'cut whole', 'cut whole'],
  ['one of an earlier message with its index', { expanded: expansion({ id: 'n' }) }, 'cut cut', 'cut cut'],
  ['one of another message', { expanded: expansion({ message: 2 }) }, 'cut cut', 'cut cut'],
  ['another part of one', { expanded: expansion({ part: 'source' }) }, 'cut cut', 'cut cut'],
])('of two long items, %s shows all of: as text %s, as Markdown %s', (_, around, ...expected) => {
  const shown = [text(LONG), markdown(LONG)].map((item) => {
    const [, ...items] = draw({ content: [item, item] }, around).split('data-kind="text"');
    return items
      .map((one) => (!one.includes('word') ? '' : one.includes('>Show all<') ? 'cut' : 'whole'))
      .join(' ');
  });
  expect(shown).toEqual(expected);
});

const ALL_ITEMS = expansion({ item: null, part: 'items' });

const many = (count: number) => Array.from({ length: count }, () => text('a'));

test.each<[string, Around, number]>([
  ['the first of 601 items', {}, 500],
  ['no more for a hit in these', { hit: hit(499, 0) }, 500],
  ['all with a hit', { hit: hit(500, 0) }, 601],
  ['all after Show more', { expanded: ALL_ITEMS }, 601],
])('shows %s', (_, around, count) => {
  const markup = draw({ content: many(601) }, around);
  expect(markup.split('class="item"')).toHaveLength(count + 1);
  expect(markup.includes('>Show more<')).toBe(count < 601);
});

/** Closes the text in which it is. */
function Closed(): number {
  const [steps, set] = useExpansion('text');
  if (steps > 0) set(0);
  return steps;
}

/** Draws something in the item with the index 1. */
function drawInItem(inner: ReactNode, expanded: readonly Expansion[], expand: typeof does | null): string {
  const item = createElement(ItemOfMessageContext, { value: { message: 3, id: 'm', item: 1 } }, inner);
  drawnProps.length = 0;
  const value = { expanded, expand, saved: does };
  return renderToStaticMarkup(createElement(ItemCommandsContext, { value }, item));
}

test('what is expanded in a window can be closed in a picture of it', () => {
  expect(drawInItem(createElement(Closed), expansion(), null)).toBe('0');
});

const sound = { category: 'audio', text: 'hum', blob: btoa('OggS') };
const picture = { category: 'image', text: 'a.png', blob: eveningPicture() };
const file = { category: 'file', text: 'a.bin', blob: 'AAAA' };
const controls = (item: number | null, at?: number) => ({
  playing: item === null ? null : { message: 3, item },
  progress: at === undefined ? null : { at, of: 65.2 },
  play: does,
  stop: () => does('stop'),
});
const place = { message: 3, item: 0 };

test.each<[string, readonly ContentItem[], Around, unknown]>([
  ['shows the rest of a text', [text('short'), text(LONG)], {}, expansion()[0]],
  ['shows the rest of an answer', [text('short'), markdown(LONG)], {}, expansion()[0]],
  ['shows more items', many(501), {}, ALL_ITEMS[0]],
  ['shows more items after a hit', many(2601), { hit: hit(600, 0) }, { ...ALL_ITEMS[0], steps: 2 }],
  ['opens an image', [picture], {}, place],
  ['saves a file', [file], {}, { ...place, by: 'link', outcome: 'started' }],
  ['saves an empty file', [{ ...file, blob: '' }], {}, { ...place, by: 'link', outcome: 'started' }],
  ['plays a sound', [sound], { audio: controls(null) }, place],
  ['plays a sound in place of another one', [sound], { audio: controls(1, 2) }, place],
  ['stops a sound', [sound], { audio: controls(0, 2) }, 'stop'],
])('a press of the button %s', (...[, content, around, expected]) => {
  draw({ content }, around);
  // A hit draws the items again.
  expect(press().at(-1)).toEqual(expected);
});

const LINKS = 'https://a.org\n'.repeat(7);
const special = (fields: object): MessageFrame =>
  Object.assign({ modifier: 'admin', content: [text('')] }, fields);

test('draws a message, with its name, its time and its buttons, and each kind of item', () => {
  const withSound = (audio: ContextType<typeof AudioControlsContext>) =>
    draw({ content: [sound] }, { audio });
  const withItem = (item: ContentItem) => draw({ content: [item] });
  const run = { ...markdown('a **b'), format: 'reasoning' };
  const a = { content: [text('a')] };
  const kept = (image: string | null, hash: string | null = 'f'.repeat(64)) =>
    withItem(Object.assign({}, picture, { blob: { head: 'iVBORw0KGgo', hash, image } }));
  const avatar = { head: 'iVBORw0KGgo', hash: 'f', image: 'image/png' };
  const fileOf = (lines: string) => ({ ...file, blob: btoa(lines) });
  const page = drawnStates([
    ['a message without items', draw({})],
    ['a long name has a tooltip', draw({ context: 'x'.repeat(21) })],
    ['no empty name', draw({ context: '' })],
    ['the buttons, and the time once', withItem(text('a'))],
    ['a notice has its own button', draw(special({ notice: true, action: 'again' }))],
    ['a divider has a name', draw(special({ divider: true }))],
    ['an image without a name, whose place is reserved', withItem({ ...picture, text: '' })],
    ['a file has a safe name', withItem({ ...file, text: '../a' })],
    ['no character of a long name is split', withItem({ ...file, text: `${'😀'.repeat(400)}x` })],
    [
      'only the last run is drawn as if it were complete',
      draw({ context: 'Ada is writing…', content: [run, markdown('c **d')] }),
    ],
    ['a sound without controls is off', withSound(null)],
    ['a sound that can be played', withSound(controls(null))],
    ['a sound that plays', withSound(controls(0))],
    ['the time of a sound', withSound(controls(0, 59.6))],
    ['a sound ends at its end', withSound(controls(0, 70))],
    ['a sound that cannot be played', withItem({ ...sound, blob: 'AAAA' })],
    ['only the words of a sound', withItem({ ...sound, text: 'https://a.org', blob: '' })],
    ['a message within a group', draw(a, { label: { showsLabel: false, showsName: false } })],
    ['a name that stands above', draw(a, { label: { showsName: false } })],
    ['the person’s own message, with a picture', draw({ ...a, modifier: 'client', avatar: 'iVBORw0KGgo=' })],
    ['a picture that main keeps', draw(special({ modifier: 'ai', avatar }))],
    ['no picture of another type', draw({ ...a, avatar: 'R0lGODlh' })],
    ['three items, with a link', draw({ content: [text('a'), text('www https://a.org.'), text('')] })],
    ['markup waits for the window', withItem({ category: 'html', html: '<b>a</b>' })],
    ['an item of an unknown category is a file', withItem({ ...file, category: 'hologram' })],
    ['an image of an unknown type is a file', withItem({ ...picture, blob: 'AAAA' })],
    ['an image that main keeps', kept('image/png')],
    ['an image that main keeps is a file', kept(null)],
    ['a file that cannot be read', withItem({ ...file, text: 'a  b\u202Ec', blob: '*' })],
    ['a file without a name that cannot be read', withItem({ ...file, text: '', blob: '*' })],
    ['a file that main cannot read', kept(null, null)],
    ['all of a short text file', withItem(fileOf('one\n\ntwo\n'))],
    ['six lines of a text file', withItem(fileOf('a\n'.repeat(6)))],
    ['six of seven lines', withItem(fileOf(LINKS))],
    ['the beginning of a long line', withItem(fileOf('x'.repeat(9000)))],
    ['the beginning of long lines', withItem(fileOf(`${'x'.repeat(300)}\n`.repeat(2)))],
    ['all of a file', draw({ content: [fileOf(LINKS)] }, { expanded: expansion({ item: 0 }) })],
  ]);
  const notice = draw(special({ notice: true, content: [file, ...many(20)] }));
  expect(notice.match(/position="\w+"/gu)?.join()).toMatch(/^position="first"(,position="middle"){19}$/u);
  expect(press()).toEqual([{ ...place, by: 'link', outcome: 'started' }]);
  const long = draw({ content: [fileOf('a'.repeat(2e6))] }, { expanded: expansion({ item: 0 }) });
  expect(long).toContain('<p class="item-text">The file is longer. Save it to read the rest.</p>');
  expect(draw({ context: 'x'.repeat(2001) })).toContain(` title="${'x'.repeat(2000)}…"`);
  // A square stops it.
  expect([null, 0].map((item) => withSound(controls(item)).includes('<rect'))).toEqual([false, true]);
  return expect(page).toMatchFileSnapshot('testing/message.txt');
});

test('the source of a message is all of it, that of an item its markup or all of it; a button shows and hides it', () => {
  const frame = { id: 'm', content: [text('a'), picture] };
  expect(JSON.parse(messageSource(toMessage(frame)))).toEqual(frame);
  const page = { category: 'html', html: '<b>a' };
  const all = JSON.stringify({ ...page, category: 'text' }, null, 2);
  expect([page, { ...page, html: null }, JSON.parse(all)].map(itemSource)).toEqual(['<b>a', '', all]);
  const button = createElement(ItemSource, { sourceOf: () => 'a' });
  expect(drawInItem(button, [], does)).toMatch(/aria-expanded="false">Show source</u);
  expect(press()).toEqual(expansion({ part: 'source' }));
  const shown = drawInItem(button, expansion({ part: 'source' }), does);
  expect(shown).toMatch(/aria-expanded="true" aria-controls="(.+)">Hide source<.* id="\1".*>a</u);
  expect(press()).toEqual(expansion({ part: 'source', steps: 0 }));
});
