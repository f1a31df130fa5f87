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
import { createTimeTexts, messageTimes } from './base/Arrival.tsx';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';
import { drawnStates } from './testing/drawnStates.ts';
import { MessageList, hasVisibleLabel, hasVisibleName } from './MessageList.tsx';
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

const NOTHING = { parts: 0, lastText: '' };

test('partsToAnnounce holds the last part back until it is complete, and returns each part once, but what is added later to an announced one too', () => {
  const first = partsToAnnounce(['a', 'b', 'c'], NOTHING, false);
  expect(first.texts).toEqual(['a', 'b']);
  const grown = ['a', 'b', 'c and more', 'd'];
  const second = partsToAnnounce(grown, first.now, false);
  expect(second.texts).toEqual(['', 'c and more']);
  const third = partsToAnnounce(grown, second.now, true);
  expect(third.texts).toEqual(['', 'd']);
  expect(partsToAnnounce(grown, third.now, true).texts).toEqual(['']);
  const { now } = partsToAnnounce(['one'], NOTHING, true);
  const again = partsToAnnounce(['one and'], now, true);
  expect([again.texts, again.now.lastText]).toEqual([['and'], 'one and']);
  const growing = partsToAnnounce(['one and'], now, false);
  expect(growing.texts).toEqual(['']);
  expect(partsToAnnounce(['one and a half', 'two'], growing.now, false).texts).toEqual(['and a half']);
  expect(partsToAnnounce(['another'], now, true).texts).toEqual(['']);
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

test.each<[string, boolean, (number | undefined)[]]>([
  ['within 5 minutes', false, [0, 5]],
  ['after more than 5 minutes', true, [0, 6]],
  ['on the next day', true, [0, 24 * 60]],
  ['at an unknown time', false, [0, undefined]],
])('shows the label before a message of the same sender %s: %s', (_, expected, minutes) => {
  expect(hasVisibleLabel(vectorOf([ADA, ADA].map(toMessage)), 0, at(minutes))).toBe(expected);
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

test.each<[string, number | null, PlaceState]>([
  ['where the person left, while they are away', 2, { leftAt: 2, divider: 1 }],
  ['at the former place, when nothing has arrived since then', 1, { leftAt: 4, divider: 1 }],
  ['at the place of the last return', 3, { leftAt: null, divider: 3 }],
  ['nowhere at first', null, AT_NEWEST],
])('the divider is %s', (_, index, place) => {
  expect(dividerIndex(conversationBy('ai', 'ai', 'ai', 'ai'), place)).toBe(index);
});

const view = { top: 100, bottom: 300 };

test.each([
  ['start', { top: 250, bottom: 270 }, 150],
  ['center', { top: 250, bottom: 270 }, 60],
  ['end', { top: 250, bottom: 270 }, -30],
  ['nearest', { top: 250, bottom: 270 }, 0],
  ['nearest', { top: 290, bottom: 310 }, 10],
  ['nearest', { top: 90, bottom: 110 }, -10],
  ['center', { top: 50, bottom: 450 }, -50],
  ['end', { top: 150, bottom: 450 }, 50],
] as const)('scrolls to the %s of %j by %i pixels', (align, target, distance) => {
  expect(distanceTo(target, view, align)).toBe(distance);
});

test('draws the lines between messages, what is missing, and nothing of a message without content; of a long list, only a part', async () => {
  const messages = [MISSING_MESSAGE, ...[empty, own, { ...own, replaces: '2' }, ADA].map(toMessage)];
  const timeAt = at([0, 0, 0, 0, 24 * 60]);
  const props = { appliedUpdates: 0, timeAt, newFrom: 2, stays: false, ref: { current: null } };
  const picture = { onScrolled: () => undefined, shownAtBottom: undefined, copyLater: undefined };
  const long = Array.from({ length: MESSAGES_IN_DOCUMENT + 1 }, () => MISSING_MESSAGE);
  const { day } = createTimeTexts();
  const page = [messages, long, long.slice(1)].map((list) => {
    const conversation = { person: 'Ada', messages: vectorOf(list) };
    const drawn = createElement(MessageList, { ...props, ...picture, conversation });
    // Its words are those of a place.
    const markup = renderToStaticMarkup(drawn).replaceAll(day(NOON), 'day 1');
    return drawnStates([], markup.replaceAll(day(NEXT_NOON), 'day 2'));
  });
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
