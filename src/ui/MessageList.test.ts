import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import {
  type Conversation,
  MISSING_MESSAGE,
  emptyConversation,
  fromSnapshot,
  toMessage,
} from '#shared/conversation/conversation.ts';
import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';
import { newItems, partsToAnnounce } from './Announcer.tsx';
import { vectorOf } from '#shared/conversation/vector.ts';
import { Arrival, createTimeTexts, messageTimes } from './base/Arrival.tsx';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';
import { drawnStates } from './testing/drawnStates.ts';
import { MessageList, hasVisibleLabel, hasVisibleName, rowsAfterJump } from './MessageList.tsx';
import type { PlaceState } from '#shared/actions/windowSchemas.ts';
import { countNewMessages, dividerIndex } from './window/conversation/NewMessagesButton.tsx';
import { distanceTo } from './useListHandle.ts';

const text = (words: string): ContentItem => ({ category: 'text', text: words });
const message = (id: string, ...content: ContentItem[]) => ({ id, modifier: 'ai', content });
const markdown = (words: string): ContentItem => ({ ...text(words), format: 'markdown' });
const ada = fromSnapshot({ person: 'Ada', messages: [message('1', text('one'))] });
const bob = fromSnapshot({ person: 'Bob', messages: [message('x', text('hi'))] });
const snapshotOf = (...messages: Message[]) => fromSnapshot({ person: 'Ada', messages });
const unnamed = (words: string, category = 'text') =>
  snapshotOf({ content: [{ ...text(words), category }, text('b')] });
const itemsOf = (before: Conversation, now: Conversation) =>
  newItems(before, now)?.map(({ item }) => item) ?? null;
const conversationAfter = (before: Conversation, ...updates: Update[]) => updates.reduce(applyUpdate, before);

const added = (frame: Message): Update => ({ kind: 'message', frame });

test.each<[string, Conversation, Conversation, null | []]>([
  ['a text', ada, conversationAfter(ada, { kind: 'text', frame: { text: 'one and a half' } }), []],
  ['a context', ada, conversationAfter(ada, { kind: 'context', frame: { context: 'Somebody' } }), []],
  ['a name', ada, conversationAfter(ada, { kind: 'name', frame: { name: 'Ada King' } }), []],
  ['the first snapshot', emptyConversation, ada, null],
  ['another conversation', ada, bob, null],
  ['the end of a conversation', ada, emptyConversation, null],
  ['another one that has an id of the first', snapshotOf(message('1'), message('x')), bob, null],
  ['the first messages of a snapshot', snapshotOf(), snapshotOf(message('1'), message('2')), null],
  ['the same message without an id', unnamed('a'), unnamed('a'), []],
  ['more text without an id', snapshotOf({ content: [text('a')] }), snapshotOf({ content: [text('b')] }), []],
  ['another message without an id', unnamed('a'), unnamed('x'), null],
  ['one of another kind without an id', unnamed('a'), unnamed('a', 'file'), null],
])('newItems returns no items for %s', (...[, before, now, expected]) => {
  expect(itemsOf(before, now)).toEqual(expected);
});

test('newItems returns the items of appended messages, each with its message, only the new items of a snapshot that begins with a later message than before, and null without a known message; the last twenty of many, and the first item of each run of one format, because the others continue it', () => {
  const appended = added(message('2', text('two'), text('three')));
  const now = conversationAfter(ada, { kind: 'content', frame: text('more of one') }, appended);
  expect(newItems(ada, now)?.map(({ message: { id } }) => id)).toEqual(['1', '2', '2']);
  expect(itemsOf(ada, now)).toEqual([text('more of one'), text('two'), text('three')]);
  const before = snapshotOf(...['one', 'two', 'three'].map((one, at) => message(`${at + 1}`, text(one))));
  const shorter = snapshotOf(message('3', text('three'), text('more')), message('4', text('four')));
  expect(itemsOf(snapshotOf(), ada)).toEqual([text('one')]);
  expect(itemsOf(before, shorter)).toEqual([text('more'), text('four')]);
  expect(itemsOf(before, snapshotOf(message('3', text('three'))))).toEqual([]);
  expect(itemsOf(before, snapshotOf(message('1', text('one'))))).toBeNull();
  expect(itemsOf(before, snapshotOf(message('9', text('nine'))))).toBeNull();
  const numbered = (first: number, count: number) =>
    snapshotOf(...Array.from({ length: count }, (_, at) => message(`${first + at}`, text('a'))));
  for (const count of [1000, 1001])
    expect(itemsOf(numbered(0, 1501), numbered(1500, count))?.length).toBe(count > 1000 ? undefined : 20);
  const items = Array.from({ length: 100 }, (_, index) => text(`${index}`));
  const first: Update = { kind: 'content', frame: text('0') };
  const itemsAfter = (...content: ContentItem[]) =>
    itemsOf(ada, conversationAfter(ada, first, added(message('2', ...content))));
  expect(itemsAfter(...items)).toEqual(items.slice(-20));
  const thought = { ...text('why'), format: 'reasoning' };
  const runs = [text('0'), thought, markdown('# a'), text('c'), text('d')];
  expect(itemsAfter(thought, markdown('# a'), markdown('b'), text('c'), text('d'))).toEqual(runs);
  const run = snapshotOf(message('1', markdown('a')));
  expect(itemsOf(run, conversationAfter(run, { kind: 'content', frame: markdown('b') }))).toEqual([]);
});

/** Returns what is announced of an item at each of its states, whose last part is complete where `!` follows. */
function announcedOf(...states: readonly string[]): readonly string[] {
  let announced: ReturnType<typeof partsToAnnounce> = { texts: [], now: { parts: 0, lastText: '' } };
  return states.map((one) => {
    announced = partsToAnnounce(one.replace('!', '').split('|'), announced.now, one.endsWith('!'));
    return announced.texts.join('|');
  });
}

test('partsToAnnounce holds the last part back until it is complete, and returns each part once, but what is added later to an announced one too', () => {
  const grown = 'a|b|c and more|d';
  expect(announcedOf('a|b|c', grown, `${grown}!`, `${grown}!`)).toEqual(['a|b', '|c and more', '|d', '']);
  expect(announcedOf('one!', 'one and!', 'one and more!')).toEqual(['one', 'and', 'more']);
  expect(announcedOf('one!', 'one and', 'one and a half|two')).toEqual(['one', '', 'and a half']);
  expect(announcedOf('one!', 'another!')).toEqual(['one', '']);
});

const ADA: Message = { id: '1', modifier: 'ai', context: 'Ada', content: [{ category: 'text', text: 'Hi' }] };
const empty: Message = { id: '3', modifier: 'client', context: 'Bob', content: [] };
const avatar = (hash: string) => Object.assign({}, ADA, { avatar: { head: 'iVBO', hash } });

test.each<[string, boolean, ...Message[]]>([
  ['the last message', true, ADA],
  ['a message before one of the same sender', false, ADA, { ...ADA, id: '2' }],
  ['a message before one of another modifier', true, ADA, { ...ADA, modifier: 'client' }],
  ['a message before one with another label', true, ADA, { ...ADA, context: 'Bob' }],
  ['a message before one with another avatar', true, ADA, { ...ADA, avatar: 'iVBO' }],
  ['a message before one with another long avatar', true, avatar('a'), avatar('b')],
  ['a message before empty ones and one of the same sender', false, ADA, empty, { id: '4' }, ADA],
  ['a message before 32 empty ones', false, ADA, ...Array.from({ length: 32 }, () => empty), ADA],
  ['a message before very many empty ones', true, ADA, ...Array.from({ length: 33 }, () => empty), ADA],
  ['a message with an empty list of content', false, { ...ADA, content: [] }],
])('the label of %s is visible: %s', (_, expected, ...messages) => {
  expect(hasVisibleLabel(vectorOf(messages.map(toMessage)), 0)).toBe(expected);
});

const MINUTE = 60_000;
/** Is on the same day everywhere as an hour later. */
const NOON = Date.UTC(2026, 5, 1, 11);
const NEXT_NOON = Date.UTC(2026, 5, 2, 11);
/** Returns the time of a message, from the minutes after noon of each. */
const at = (minutes: readonly (number | undefined)[]) => (index: number) => {
  const minutesAfter = minutes[index];
  return minutesAfter === undefined ? undefined : NOON + minutesAfter * MINUTE;
};
const own: Message = { ...ADA, modifier: 'client', context: 'Bob' };

test('shows the label before a message of the same sender after more than 5 minutes and on the next day, but not when the time is unknown', () => {
  const times = [5, 6, 24 * 60, undefined].map((minutes) => at([0, minutes]));
  const isVisible = times.map((timeAt) => hasVisibleLabel(vectorOf([ADA, ADA].map(toMessage)), 0, timeAt));
  expect(isVisible).toEqual([false, true, true, false]);
});

test.each<[string, boolean, { list: readonly Message[]; minutes: (number | undefined)[] }]>([
  ['for the first time', true, { list: [ADA, own], minutes: [0, 1] }],
  ['once more on the same day', false, { list: [own, ADA, own], minutes: [0, 1, 30] }],
  ['on the next day', true, { list: [own, ADA, own], minutes: [0, 1, 24 * 60] }],
  ['at the end of the first group', true, { list: [own, own], minutes: [0, 1] }],
  ['at the end of the second group', false, { list: [own, own], minutes: [0, 30] }],
  ['when no time is known', false, { list: [own, ADA, own], minutes: [] }],
  ['with another name', true, { list: [own, ADA, { ...own, context: 'Robert' }], minutes: [0, 1, 2] }],
  ['(of others: always)', true, { list: [ADA, own, ADA], minutes: [] }],
  ['after 31 others', false, { list: [own, ...Array.from({ length: 31 }, () => ADA), own], minutes: [] }],
  ['after very many', true, { list: [own, ...Array.from({ length: 32 }, () => ADA), own], minutes: [] }],
])('shows the person’s own name %s: %s', (_, expected, { list, minutes }) => {
  expect(hasVisibleName(vectorOf(list.map(toMessage)), list.length - 1, at(minutes))).toBe(expected);
});

const conversationBy = (...modifiers: readonly string[]) =>
  fromSnapshot({ person: 'Ada', messages: modifiers.map((modifier) => ({ modifier })) });
const AT_NEWEST: PlaceState = { leftAt: null, divider: null };

test('counts the messages of others since the person left, and the divider is before the first of them', () => {
  const place = { leftAt: 1, divider: null };
  const more = conversationBy('ai', 'client', 'client', 'admin', 'ai');
  expect([countNewMessages(more, place), dividerIndex(more, place)]).toEqual([2, 3]);
  expect(countNewMessages(more, AT_NEWEST)).toBe(0);
  const none = conversationBy('ai', 'client');
  expect([countNewMessages(none, place), dividerIndex(none, place)]).toEqual([0, null]);
});

test('the divider is where the person left, while they are away; at the former place, when nothing has arrived since then; at the place of the last return; nowhere at first', () => {
  const [left, four] = [[2, 4, null, null], conversationBy('ai', 'ai', 'ai', 'ai')];
  const places = [1, 1, 3, null].map((divider, i) => ({ leftAt: left[i] ?? null, divider }));
  expect(places.map((place) => dividerIndex(four, place))).toEqual([2, 1, 3, null]);
});

const VIEW = { top: 100, bottom: 300 };
const distancesTo = (top: number, bottom: number) =>
  (['start', 'center', 'end', 'nearest'] as const).map((align) => distanceTo({ top, bottom }, VIEW, align));

test('scrolls to a target by as many pixels as its alignment needs', () => {
  expect([distancesTo(250, 270), distancesTo(50, 450)]).toEqual([[150, 60, -30, 0], Array(4).fill(-50)]);
  expect([distancesTo(290, 310)[3], distancesTo(90, 110)[3], distancesTo(150, 450)[2]]).toEqual([
    10, -10, 50,
  ]);
});

test('a jump draws the rows that fill the view, if they are short', () => {
  const [findItemIndex, getItemOffset] = [(top: number) => Math.floor(top / 100), (row: number) => 100 * row];
  const list = { scrollSize: 60_000, viewportSize: 600, findItemIndex, getItemOffset };
  const rows = (scrollOffset: number, from: number, count = 1000) => {
    const drawn = rowsAfterJump(Object({ ...list, scrollOffset }), from, count);
    return `${drawn[0]}-${drawn.at(-1)}`;
  };
  const jumps = [rows(5050, 0), rows(5050, 50_000), rows(0, 9000), rows(99_700, 0), rows(5050, 0, 100)];
  expect(jumps).toEqual(['49-62', '50-63', '0-12', '995-999', '50-56']);
});

test('draws the lines between messages, what is missing, and nothing of a message without content; of a long list, only a part', async () => {
  const messages = [MISSING_MESSAGE, ...[empty, own, { ...own, replaces: '2' }, ADA].map(toMessage)];
  const timeAt = at([0, 0, 0, 0, 24 * 60]);
  const props = { appliedUpdates: 0, timeAt, newFrom: 2, stays: false, ref: { current: null } };
  const picture = { onScrolled: () => undefined, shownAtBottom: undefined, copyLater: undefined };
  const long = Array.from({ length: MESSAGES_IN_DOCUMENT + 1 }, () => MISSING_MESSAGE);
  const { day, time } = createTimeTexts();
  const page = [messages, long, long.slice(1)].map((list) => {
    const conversation = { person: 'Ada', messages: vectorOf(list) };
    const drawn = createElement(MessageList, { ...props, ...picture, conversation });
    // Its words are those of a place.
    const markup = renderToStaticMarkup(drawn).replaceAll(day(NOON), 'day 1');
    return drawnStates([], markup.replaceAll(day(NEXT_NOON), 'day 2'));
  });
  const arrival = renderToStaticMarkup(createElement(Arrival, { at: NOON }));
  expect(arrival).toContain(` title="${day(NOON)}, ${time(NOON)}" data-time="${time(NOON)}"`);
  expect(page.pop()?.match(/class="log"|Loading…/gu)).toHaveLength(1 + MESSAGES_IN_DOCUMENT);
  await expect(page.join('\n')).toMatchFileSnapshot('testing/list.txt');
});

test('the time of a message is that which the platform names, else that of its arrival', () => {
  const named = Object.assign({ time: '2026-06-01T11:00:00Z' }, ADA);
  const state = {
    conversation: fromSnapshot({ person: 'Ada', messages: [named, ADA, ADA, ADA] }),
    arrivals: vectorOf([1, null, 5, 12]),
    timesOfDay: [0, 10].map((sinceLaunch) => ({ sinceLaunch, timeOfDay: 100 + 40 * sinceLaunch })),
  };
  expect([0, 1, 2, 3, 4].map(messageTimes(state))).toEqual([NOON, undefined, 105, 502, undefined]);
  expect(messageTimes({ ...state, timesOfDay: [] })(2)).toBeUndefined();
});
