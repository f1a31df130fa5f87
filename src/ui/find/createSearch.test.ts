import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Message, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { append, changeLast, vectorOf } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import type { FoundHit } from '#shared/actions/windowSchemas.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { createSearch, searchPattern } from './createSearch.ts';
import { isBefore } from './hitList.ts';
import { sourceText } from './readMarkup.ts';

const message = (...content: readonly ContentItem[]): Message => ({ content: vectorOf(content) });
const texts = (...list: readonly string[]) => message(...list.map((text) => ({ category: 'text', text })));

const formatted = (words: string, format: string) => ({ category: 'text', text: words, format });

const readMarkup = vi.fn<(html: string) => Generator<void, string>>(function* read(html) {
  yield;
  return html.replaceAll(/<[^>]*>/gu, '');
});

/** Starts a search whose every look at the clock takes a millisecond. */
function start() {
  const tasks: (() => void)[] = [];
  let now = 0;
  const after = (_: number, task: () => void) => {
    const one = () => task();
    tasks.push(one);
    return () => void (tasks.includes(one) && tasks.splice(tasks.indexOf(one), 1));
  };
  const search = createSearch({ clock: { now: () => now++, after }, readMarkup });
  const runSlice = () => tasks.shift()?.();
  /** Returns the number of slices. */
  const finish = () => {
    let slices = 0;
    for (; tasks.length > 0; slices++) runSlice();
    return slices;
  };
  return { search, runSlice, finish };
}

function found(messages: readonly Message[], wanted: string) {
  const { search, finish } = start();
  search.update(vectorOf(messages), wanted);
  finish();
  return search;
}

/** Returns all hits, the newest first, by stepping from one to the next. */
function allHits({ hits }: ReturnType<typeof createSearch>): readonly FoundHit[] {
  const all: FoundHit[] = [];
  let from: FoundHit = { message: Infinity, item: 0, start: 0 };
  for (let count = hits.count(); count > 0; count--) {
    const hit = hits.next(from, 'older');
    if (hit === undefined) break;
    all.push(hit);
    from = hit;
  }
  return all;
}

/** Returns the places of all hits in one message, the last one first. */
const placesOf = (content: readonly ContentItem[], wanted: string) =>
  allHits(found([message(...content)], wanted)).map(({ item, start: from }) => `${item} ${from}`);

const at = (row: number, item: number, begin: number): FoundHit => ({ message: row, item, start: begin });
const order = (hit: FoundHit) => (hit.message * 10 + hit.item) * 100 + hit.start;

test('finds the same hits as a plain search over all texts, also from a place that is no hit, and continues at the other end', () => {
  const word = fc.constantFrom('a', 'b', 'ab', ' ', 'x');
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
  const conversation = fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 80 });
  const place = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(9)).map((where) => at(...where));
  checkAll(60, [conversation, fc.constantFrom('a', 'ab', 'ba', 'bb'), place], (list, wanted, from) => {
    const messages = list.map((one) => texts(...one));
    const search = found(messages, wanted);
    const { hits } = search;
    const expected = list.flatMap((one, row) =>
      one.flatMap((inItem, item) =>
        Array.from(inItem.matchAll(new RegExp(wanted, 'gu')), ({ index }) => at(row, item, index)),
      ),
    );
    expect(allHits(search)).toEqual(expected.toReversed());
    expect(search.progress()).toEqual({ count: expected.length, isComplete: true });
    const numbers = expected.toReversed().map((hit) => search.hits.numberOf(hit));
    expect(numbers).toEqual(expected.map((_, index) => index + 1));
    const newer = expected.find((hit) => order(hit) > order(from)) ?? expected[0];
    const older = expected.findLast((hit) => order(hit) < order(from)) ?? expected.at(-1);
    expect([hits.next(from, 'newer'), hits.next(from, 'older')]).toEqual([newer, older]);
    for (const hit of expected) expect(isBefore(from, hit)).toBe(order(from) < order(hit));
    const here = expected.find((hit) => order(hit) === order(from));
    expect(hits.endOf(from)).toBe(here && here.start + wanted.length);
    expect(hits.numberOf(from)).toBe(here && expected.length - expected.indexOf(here));
    const { message: row, item, start: begin } = from;
    const part = { start: begin, end: begin + 4 };
    const inside = expected.filter((hit) => order(hit) >= order(from) && order(hit) < order(from) + 4);
    const spans = inside.map((hit) => ({ item, start: hit.start, end: hit.start + wanted.length }));
    expect(hits.in(row, item, part)).toEqual(spans);
  });
});

test('searches the visible text of markup, names of images, sounds and files, but no sender, and what is shown of Markdown and of reasoning, by the item in which a block begins', () => {
  const content = [
    { category: 'html', html: '<b title="note">no</b>te' },
    { category: 'image', text: 'note.png' },
    { category: 'audio', text: 'Note' },
    { category: 'other', text: 'my note.txt' },
    { category: 'text', text: null },
  ];
  expect(placesOf(content, 'note')).toEqual(['3 3', '2 0', '1 0', '0 0']);
  expect(allHits(found([{ ...texts('text'), context: 'Note' }], 'note'))).toEqual([]);
  // Markup is read once, also for another text.
  const { search, finish } = start();
  readMarkup.mockClear();
  for (const wanted of ['note', 'o']) {
    search.update(vectorOf([message(...content)]), wanted);
    finish();
  }
  expect([search.progress().count, readMarkup.mock.calls.length]).toEqual([4, 1]);
  const answer = [
    formatted('I *think* a', 'reasoning'),
    formatted('# He**ad**\n\nthe [name](https://example.org/name) of the na', 'markdown'),
    formatted('me\n\nna\n\nme\n', 'markdown'),
    formatted('| a | b |\n|--|--|\n| na | me |\n| the name | x |', 'markdown'),
  ];
  expect(placesOf(answer, 'name')).toEqual(['3 14', '1 21', '1 9']);
});

test('searches the newest messages first, says that it continues, and stops between two slices', () => {
  const { search, runSlice, finish } = start();
  search.update(vectorOf(Array.from({ length: 200 }, () => texts('a'))), 'a');
  expect(search.progress()).toEqual({ count: 0, isComplete: false });
  runSlice();
  const { count, isComplete } = search.progress();
  expect([count > 0 && count < 50, isComplete]).toEqual([true, false]);
  expect(search.hits.has(199)).toBe(true);
  expect(finish()).toBeGreaterThan(3);
  expect(search.progress()).toEqual({ count: 200, isComplete: true });
  search.update(vectorOf(Array.from({ length: 200 }, () => texts('b'))), 'b');
  runSlice();
  search.stop();
  expect([finish(), search.progress().isComplete]).toEqual([0, false]);
});

test('follows an appended message, a changed last one, another text and another conversation', () => {
  const { search, finish } = start();
  let messages = vectorOf([texts('a'), texts('b a')]);
  const countIn = (next: typeof messages) => {
    messages = next;
    search.update(messages, 'a');
    finish();
    return search.progress().count;
  };
  expect(countIn(messages)).toBe(2);
  expect(countIn(append(messages, texts('aa')))).toBe(4);
  expect(countIn(changeLast(messages, () => texts('aaa b')))).toBe(5);
  search.update(messages, 'b');
  expect(search.progress()).toEqual({ count: 0, isComplete: false });
  expect(countIn(vectorOf([texts('a'), MISSING_MESSAGE]))).toBe(1);
  expect(search.progress().isComplete).toBe(false);
  expect(countIn(vectorOf([texts('b')]))).toBe(0);
  expect(search.progress().isComplete).toBe(true);
  // A message that is gone comes back.
  const [first, second] = [texts('a'), texts('b a')];
  const lists = [[first, second], [first], [first, second]];
  expect(lists.map((list) => countIn(vectorOf(list)))).toEqual([2, 1, 2]);
  let changes = 0;
  const unsubscribe = search.subscribe(() => changes++);
  search.subscribe(expect.unreachable)();
  expect([countIn(messages), changes]).toEqual([2, 2]);
  unsubscribe();
  search.update(messages, 'b');
  search.stop();
  expect([finish(), changes, search.progress()]).toEqual([0, 2, { count: 0, isComplete: false }]);
});

const startsIn = (text: string, wanted: string) =>
  allHits(found([texts(text)], wanted)).map((hit) => hit.start);

test('finds hits in and across the parts in which a long text is searched, but none that begins in another one', () => {
  const part = 64 * 1024;
  const text = `${'x'.repeat(part - 3)}needle${'x'.repeat(part)}needle${'🙂'.repeat(part)}needle`;
  const starts = [text.lastIndexOf('needle'), text.indexOf('needle', part + 3), part - 3];
  expect(startsIn(text, 'needle')).toEqual(starts);
  expect(startsIn(`${'x'.repeat(part - 1)}aaa`, 'aa')).toEqual([part - 1]);
});

const hitsIn = (wanted: string, text: string): readonly string[] => {
  const pattern = searchPattern(wanted);
  return pattern === null ? [] : Array.from(text.matchAll(pattern), ([hit]) => hit);
};

test.each([
  ['word', 'Word, WORD and sword', ['Word', 'WORD', 'word']],
  ['a.c*', 'abc a.c* a.c', ['a.c*']],
  ['aa', 'aaaaa', ['aa', 'aa']],
  ['ΣΟΦΟΣ', 'σοφος σοφός Σοφοσ', ['σοφος', 'Σοφοσ']],
  ['two words', 'two\n\t words, twowords', ['two\n\t words']],
  [' x ', 'a x  b', [' x ']],
  ['का', 'काम', ['का']],
  [' \n', 'a  b', []],
])('finds %j in %j', (wanted, text, expected) => expect(hitsIn(wanted, text)).toEqual(expected));

test.each(['ệ', '한', 'ñandú'])('finds %s in all its forms, and not without its mark', (word) => {
  const forms = [word.normalize('NFC'), word.normalize('NFD')];
  for (const wanted of forms) expect(hitsIn(wanted, forms.join(' '))).toEqual(forms);
  for (const other of ['e', '하']) expect(hitsIn(other, forms.join(''))).toEqual([]);
});

function textOf(html: string): string {
  const steps = sourceText(html);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

test('separates blocks, and leaves out tags, comments and elements that messages do not show', () => {
  const html = `<p title="a > b">one<BR>two</p><!-- no --><script>no</script><b class='c'>th</b>ree<td>four`;
  expect(textOf(html)).toBe('\none\ntwo\nthree\nfour');
});

// A pattern that backtracks takes longer than the test’s timeout.
test('searches a long row of spaces, and reads 10 MB of a tag, a comment and a script that do not end', () => {
  expect(hitsIn('x y', `x${' '.repeat(1_000_000)}`)).toEqual([]);
  const endless = { '<a ': 'x', '<!-- ': '<!-- ', '<script>': '</scrip', '<a title=': `"'` };
  for (const [begin, part] of Object.entries(endless))
    expect(textOf(`before${begin}${part.repeat(1e7 / part.length)}`)).toMatch(/^before/u);
});
