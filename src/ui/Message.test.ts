import { type ContextType, type ReactElement, createElement, useRef } from 'react';
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
import { AudioControlsContext } from './ContentItem.tsx';
import { OpenImageContext } from './ImageItem.tsx';
import { Message } from './Message.tsx';

/** The properties of the elements that are drawn. */
const drawnProps = vi.hoisted(() => new Array<Record<string, unknown>>());
vi.mock('react/jsx-dev-runtime', async (importOriginal) => {
  const runtime = await importOriginal<typeof import('react/jsx-dev-runtime')>();
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
  /** Receives what a person does. */
  readonly did?: (what: unknown) => void;
}

const BUTTONS = {
  OfNotice: ({ action, index }: { readonly action: string; readonly index: number }) => `${action} ${index}`,
  InLabel: ({ index }: { readonly index: number }) => `label ${index}`,
};

/** Draws a message with the index 3 and the id `m`. */
function draw(
  frame: MessageFrame,
  { hit = null, expanded = [], audio = null, did = () => undefined }: Around = {},
): string {
  const message = toMessage({ id: 'm', modifier: 'ai', context: 'Ada', ...frame });
  const props = { message, index: 3, arrivedAt: Date.UTC(2026, 10, 22), showsLabel: true, showsName: true };
  let drawn: ReactElement = createElement(
    MessageButtonsContext,
    { value: BUTTONS },
    createElement(Message, props),
  );
  drawn = createElement(FoundContext, { value: hit }, drawn);
  drawn = createElement(AudioControlsContext, { value: audio }, drawn);
  drawn = createElement(OpenImageContext, { value: did }, drawn);
  drawnProps.length = 0;
  return renderToStaticMarkup(
    createElement(ItemCommandsContext, { value: { expanded, expand: did, saved: did } }, drawn),
  );
}

/** Presses each button and link that was drawn and can be pressed. */
function press(): void {
  for (const { onClick, disabled } of drawnProps.splice(0))
    if (typeof onClick === 'function' && disabled !== true) onClick();
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
])('of two long items, %s shows all of: as text %s, as Markdown %s', (_, around, plain, inMarkdown) => {
  for (const [item, expected] of [
    [text(LONG), plain],
    [markdown(LONG), inMarkdown],
  ] as const) {
    const [, ...items] = draw({ content: [item, item] }, around).split('data-kind="text"');
    const shown = items.map((one) => {
      expect(one).toContain('word');
      return one.includes('>Show all<') ? 'cut' : 'whole';
    });
    expect([item.format, shown.join(' ')]).toEqual([item.format, expected]);
  }
});

const ALL_ITEMS = expansion({ item: null, part: 'items' });

test.each<[string, Around, number]>([
  ['the first of 601 items', {}, 500],
  ['no more for a hit in these', { hit: hit(499, 0) }, 500],
  ['all with a hit', { hit: hit(500, 0) }, 601],
  ['all after Show more', { expanded: ALL_ITEMS }, 601],
])('shows %s', (_, around, count) => {
  const markup = draw({ content: Array.from({ length: 601 }, () => text('a')) }, around);
  expect([markup.split('class="item"').length - 1, markup.includes('>Show more<')]).toEqual([
    count,
    count < 601,
  ]);
});

test('a window keeps what is expanded; a picture of it can be closed there', () => {
  const set: unknown[] = [];
  const Pressed = () => {
    const [steps, press] = useExpansion('text');
    const isPressed = useRef(false);
    if (!isPressed.current) press(0);
    isPressed.current = true;
    return steps;
  };
  const pressed = (expand: ((expansion: Expansion) => void) | null) => {
    const commands = { expanded: expansion(), expand, saved: () => undefined };
    const item = createElement(
      ItemOfMessageContext,
      { value: { message: 3, id: 'm', item: 1 } },
      createElement(Pressed),
    );
    return renderToStaticMarkup(createElement(ItemCommandsContext, { value: commands }, item));
  };
  expect([pressed(null), pressed((one) => set.push(one))]).toEqual(['0', '1']);
  expect(set).toEqual(expansion({ steps: 0 }));
});

const sound = { category: 'audio', text: 'hum', blob: btoa('OggS') };
const picture = { category: 'image', text: 'a.png', blob: eveningPicture() };
const file = { category: 'file', text: 'a.bin', blob: 'AAAA' };
const controls = (item: number | null, at?: number, did: (what: unknown) => void = () => undefined) => ({
  playing: item === null ? null : { message: 3, item },
  progress: at === undefined ? null : { at, of: 65.2 },
  play: did,
  stop: () => did('stop'),
});

test.each<[string, readonly ContentItem[], Around, unknown]>([
  ['the rest of a text', [text('short'), text(LONG)], {}, expansion()[0]],
  ['the rest of an answer', [text('short'), markdown(LONG)], {}, expansion()[0]],
  ['more items', Array.from({ length: 501 }, () => text('a')), {}, ALL_ITEMS[0]],
  [
    'more items after a hit',
    Array.from({ length: 2601 }, () => text('a')),
    { hit: hit(600, 0) },
    { ...ALL_ITEMS[0], steps: 2 },
  ],
  ['an image', [picture], {}, { message: 3, item: 0 }],
  ['a file', [file], {}, { message: 3, item: 0, by: 'link', outcome: 'started' }],
])('a press of the button shows or saves %s', (_, content, around, expected) => {
  const did: unknown[] = [];
  draw({ content }, { ...around, did: (what) => did.push(what) });
  press();
  // A hit draws the items again.
  expect(did.at(-1)).toEqual(expected);
});

test('a press of the button of a sound plays it in place of another one, or stops it', () => {
  const did: unknown[] = [];
  for (const playing of [null, 1, 0]) {
    draw({ content: [sound] }, { audio: controls(playing, 1, (what) => did.push(what)) });
    press();
  }
  const place = { message: 3, item: 0 };
  expect(did).toEqual([place, place, 'stop']);
});

test.each<[string, ContextType<typeof AudioControlsContext>, RegExp]>([
  ['is off without controls', null, /aria-label="Play" title="Voice is off" disabled=""/u],
  ['can be played', controls(null), /aria-label="Play"><svg/u],
  ['shows that it plays', controls(0), /aria-label="Stop">.*<progress class="[^"]+" aria-label="Playing">/u],
  ['shows its time', controls(0, 59.6), /valuetext="1:00 of 1:05" value="59.6" max="65.2".*>1:00 \/ 1:05</u],
  ['ends at its end', controls(0, 70), /value="65.2" max="65.2"/u],
])('a sound %s', (_, audio, expected) => expect(draw({ content: [sound] }, { audio })).toMatch(expected));

test('a message has its buttons, and its time once; a notice has its own button, and an image its size before it is decoded', () => {
  const markup = draw({ content: [text('a'), text('b')] });
  expect(markup.match(/<time|label \d/gu)).toEqual(['<time', 'label 3']);
  const notice = Object.assign({ modifier: 'admin' }, { notice: true, action: 'again' });
  expect(draw({ ...notice, content: [text('a')] })).toContain('again 3');
  expect(draw({ content: [picture] })).toMatch(/data-loading="true" style="--width:\d+;--height:\d+"/u);
});
