import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { STEP_KINDS } from '../trace/stepKinds.ts';
import { type Trace, lastStep, recordReader, stepOf } from '../trace/trace.ts';
import { type StepFilter, entryOf, filterSteps } from './filterSteps.ts';
import { wireText } from '../trace/steps.ts';
import { runTask } from '../trace/task.ts';
import { type ExpectedStep, expectedSteps, longRecords } from '../testing/expectedSteps.ts';
import { acted, traceOf } from '../testing/modelOf.ts';
import { valueAt } from '../../../diff/valueDiff.ts';
import { type Target, findStep } from './findStep.ts';
import { unlikeStep, valueHistory } from './valueHistory.ts';

const anyFilter: fc.Arbitrary<StepFilter> = fc.record(
  {
    text: fc.constantFrom('a', 'TEXT', '"modifier"', 'x', ''),
    kinds: fc.subarray([...STEP_KINDS]),
    changedOnly: fc.boolean(),
    from: fc.nat(3000),
    to: fc.nat(3000),
  },
  { requiredKeys: [] },
);

test('finds the same steps as a check of each step, for any session and any filter', () => {
  checkAll(50, [anyRecords(), anyFilter, fc.nat(70)], (records, filter, probe) => {
    const trace = traceOf(records);
    const read = recordReader(trace);
    const wanted = expectedSteps(records).flatMap(({ kind, t, record }, step) => {
      if (step === 0 || !(filter.kinds ?? STEP_KINDS).includes(kind)) return [];
      if (t < (filter.from ?? 0) || t > (filter.to ?? Infinity)) return [];
      if (filter.changedOnly === true && !stepOf(trace, step).isChanged) return [];
      const text = wireText(trace, read(record), record).toLowerCase();
      return text.includes((filter.text ?? '').toLowerCase()) ? [step] : [];
    });
    const list = runTask(filterSteps(trace, filter));
    expect(list.lasts).toEqual(wanted);
    expect(entryOf(list, probe)).toBe(wanted.filter((step) => step <= probe).length - 1);
    expect(entryOf(list, lastStep(trace))).toBe(list.lasts.length - 1);
  });
});

test('pauses after at most two thousand steps, while it looks at them and while it lists them', () => {
  const trace = traceOf(Array.from({ length: 3000 }, (_, t) => recv(t, { context: `${t}` })));
  const task = filterSteps(trace, { openEdits: [] });
  let pauses = 0;
  while (!task.next().done) pauses++;
  expect(pauses).toBeGreaterThanOrEqual((2 * lastStep(trace)) / 1000 - 1);
});

const edited = (type: string, text?: string, window = 1) =>
  acted(1, { type, ...(text !== undefined && { payload: { text } }) }, window);

/** Ten steps: two other actions around edits of two fields, then the same field in another window. */
const EDITS = [
  edited('textBox/opened', 'h'),
  ...['he', 'hel', 'hell'].map((text) => edited('textBox/edited', text)),
  ...['a', 'ab'].map((text) => edited('find/edited', text)),
  edited('textBox/edited', 'hello'),
  edited('textBox/edited', 'x', 2),
  edited('textBox/sent'),
  edited('textBox/edited', 'y'),
];

const listed = (filter: StepFilter) => runTask(filterSteps(traceOf(EDITS), filter));

test('lists consecutive edits of one field as one entry, which is the last one, or each of them when they are open', () => {
  const closed = listed({ openEdits: [] });
  expect(closed).toMatchObject({ lasts: [1, 4, 6, 7, 8, 9, 10], firsts: { length: 7 }, steps: 10 });
  expect([1, 2, 3, 4, 5, 6].map((step) => entryOf(closed, step))).toEqual([0, 1, 1, 1, 2, 2]);
  expect(closed.edits.get(1)).toEqual({ first: 2, count: 3, isOpen: false });
  expect(closed.edits.get(3)).toBeUndefined();
  const open = listed({ openEdits: [2, 8] });
  expect(open.lasts).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10]);
  expect([2, 3, 4, 5].map((step) => entryOf(open, step))).toEqual([1, 2, 3, 4]);
  const first = { first: 2, count: 3, isOpen: true };
  const second = { first: 5, count: 2, isOpen: false };
  expect([1, 3, 4].map((entry) => open.edits.get(entry))).toEqual([first, first, second]);
  // Edits are folded only where the filter keeps neighbours.
  expect(listed({ openEdits: [], text: 'hel' }).lasts).toEqual([4, 7]);
});

type Direction = 'forward' | 'backward';
const stateIs = (expression: string): Target => ({ kind: 'expression', expression });

const plain = ({ conversation, rest, t: time }: ExpectedStep) =>
  Object.assign(toSnapshot(conversation), rest, { time });
type Plain = ReturnType<typeof plain>;

/** Expressions, each with the same condition in JavaScript. */
const EXPRESSIONS: readonly (readonly [string, (state: Plain) => unknown])[] = [
  ['messages.length >= 2', ({ messages }) => messages.length >= 2],
  ["'disconnected' != connection", ({ connection }) => connection.status === 'connected'],
  [
    'updates % 3 == 2 || person.length > 3',
    ({ counts, person }) => (counts.applied + counts.ignored) % 3 === 2 || (person ?? '').length > 3,
  ],
  ['-time < -0.5', ({ time }) => Math.round(time) > 500],
  ['person.matches("^[^a-z]|b+$|^null", "i")', ({ person }) => /^[^a-z]|b+$/i.test(person ?? '')],
  [
    'messages.some(m => m.content.some(c => c.text.contains(" ") || c.text == m.context))',
    ({ messages }) =>
      messages.some((m) =>
        m.content?.some((c) => c.text?.includes(' ') === true || (c.text ?? null) === (m.context ?? null)),
      ),
  ],
  ['messages[0].nothing.at.all', () => false],
  // Parts of the structure that holds the messages are none of the state.
  ...['messages.root.length', 'messages[0].content.tail', 'person["con" + "structor"]'].map(
    (path) => [`${path} != null`, () => false] as const,
  ),
];

function becomesTrue(states: readonly Plain[], holdsAt: (state: Plain) => unknown): number[] {
  const truths = states.map((state) => Boolean(holdsAt(state)));
  return truths.flatMap((now, step) => (step > 0 && now && truths[step - 1] === false ? [step] : []));
}

function changes(states: readonly Plain[], path: string): number[] {
  const values = states.map((state) => JSON.stringify(valueAt(state, path)));
  return values.flatMap((value, step) => (step > 0 && value !== values[step - 1] ? [step] : []));
}

const PATHS = ['messages[0].content[0].text', 'connection.status', 'windows[1].own.textBox'];

test('finds expressions and changes at exactly their steps of any session', () => {
  const anyPlace = fc.tuple(fc.nat(70), fc.boolean());
  checkAll(20, [anyRecords(), anyPlace], (records, [from, isForward]) => {
    const states = expectedSteps(records).map(plain);
    const trace = traceOf(records);
    const direction = isForward ? 'forward' : 'backward';
    const found = (target: Target) => [target, runTask(findStep(trace, { from, direction, target }))];
    const nearest = (hits: readonly number[]) =>
      isForward ? hits.find((step) => step > from) : hits.findLast((step) => step < from);
    for (const [expression, holdsAt] of EXPRESSIONS) {
      const target = stateIs(expression);
      expect(found(target)).toEqual([target, nearest(becomesTrue(states, holdsAt))]);
    }
    for (const path of PATHS) {
      const target: Target = { kind: 'change', path };
      expect(found(target)).toEqual([target, nearest(changes(states, path))]);
    }
  });
});

const fourFrames = traceOf([
  recv(0, { person: 'Ada', messages: [{ modifier: 'ai', id: 'a' }] }),
  recv(250, { modifier: 'ai', id: 'b' }),
  { t: 260, type: 'send', data: 'Hello' },
  recv(270, { name: 'B' }),
]);
const find = (target: Target, from = 0, direction: Direction = 'forward') =>
  runTask(findStep(fourFrames, { from, direction, target }));
const frame = (text: string): Target => ({ kind: 'frame', text });

test.each<[Target, number, Direction, number | undefined]>([
  [frame('hELLo'), 0, 'forward', 4],
  [frame('/(l)\\1o$/'), 0, 'forward', 4],
  [frame('modifier'), 3, 'backward', 1],
  [{ kind: 'update', number: 2 }, 0, 'forward', 6],
  [{ kind: 'update', number: 1 }, 3, 'forward', undefined],
  [{ kind: 'time', t: 251 }, 0, 'forward', 4],
  [{ kind: 'time', t: 251 }, 6, 'backward', 3],
  [{ kind: 'message', id: 'b' }, 0, 'forward', 6],
])('finds %j from step %j %s at step %j', (target, ...[from, direction, step]) => {
  expect(find(target, from, direction)).toBe(step);
});

const acts = traceOf([
  edited('textBox/edited', 'h'),
  edited('textBox/edited', 'hi'),
  edited('textBox/edited', 'hi', 2),
  recv(3, { name: 'textBox/edited' }),
  acted(4, { type: 'logOut/requested', payload: {} }),
]);

test.each<[Target, readonly number[]]>([
  [frame('textbox/EDITED'), [1, 2, 3, 4]],
  [frame('"text":"hi"'), [2, 3]],
  [frame('/"window":2/'), [3]],
  [stateIs('act.type == "textBox/edited"'), [1, 2, 3]],
  [stateIs('act.payload.text == "hi" && act.window == 1'), [2]],
  [stateIs('act.type != null && act.window == null'), [5]],
  [stateIs('!act && updates == 0'), [4]],
])('finds in a session with acts %j at the steps %j', (target, expected) => {
  const steps = Array.from({ length: 6 }, (_, from) =>
    runTask(findStep(acts, { from, direction: 'forward', target })),
  );
  expect([...new Set(steps.filter((step) => step !== undefined))]).toEqual(expected);
});

test.each<[Target, RegExp]>([
  [stateIs('window == 1'), /“window” is not known; there are person, messages,/],
  [stateIs('messages.at(0)'), /cannot call at, only contains, matches and some/],
  [stateIs('person("x")'), /can call only contains/],
  [stateIs('person.matches("(")'), /not a valid regular expression/],
  [stateIs('messages.some(person)'), /needs a condition: messages.some\(m =>/],
  [stateIs('connection == "open"'), /is "connected" or "disconnected", not "open"/],
  [stateIs('time > 1:2'), /1:2 is not a time/],
  [stateIs('messages.constructor'), /may not use constructor/],
  [stateIs('counts.__proto__'), /may not use __proto__/],
  [stateIs('person; person'), /can contain only/],
  [stateIs('time >'), /cannot be read/],
  [stateIs('('.repeat(5000)), /at most 1000/],
  [frame('/(/'), /not a valid regular expression: \/\(\/\./],
  [{ kind: 'change', path: 'messages[0' }, /“messages\[0” is not a path;/],
  [{ kind: 'change', path: 'window.name' }, /“window.name” is not a path of the state/],
])('rejects %.60j with a reason', (target, message) => {
  expect(() => find(target)).toThrow(message);
});

const IN_MESSAGES = ['messages', 'messages[1].context', 'messages[2]', 'messages[40].content'];
const VALUES = [...PATHS, ...IN_MESSAGES, 'person', 'attention.title', 'counts.applied', 'queue.length'];

/** Returns the steps of a history, the newest first, in parts of at least two entries. */
function stepsOf(trace: Trace, path: string): number[] {
  const partTo = (to: number): number[] => {
    const { entries, next } = runTask(valueHistory(trace, { path, to, most: 2 }));
    return [...entries.map(({ row }) => row.step), ...(next === undefined ? [] : partTo(next))];
  };
  return partTo(lastStep(trace));
}

test('finds exactly the steps that change a value, for any session and path', () => {
  checkAll(2, [longRecords(anyRecords(), 60)], (records) => {
    const trace = traceOf(records);
    const states = expectedSteps(records).map(plain);
    for (const path of VALUES)
      expect([path, stepsOf(trace, path)]).toEqual([path, changes(states, path).toReversed()]);
  });
});

const said = (text: string) => recv(1, { modifier: 'ai', content: [{ category: 'text', text }] });
const path = 'messages[0].content[0].text';

test('describes a change with what was appended, and finds the nearest earlier step of its kind that left the value alone', () => {
  const texts = ['It', 'It does', 'b'].map((text, i) => recv(200 + 100 * i, { text }));
  const trace = traceOf([said('It'), ...texts]);
  const appended = { end: 'It', added: ' does' };
  expect(runTask(valueHistory(trace, { path })).entries).toMatchObject([
    { row: { step: 8, kind: 'applied', updateKind: 'text' }, before: '"It does"', after: '"b"' },
    { row: { step: 6, updateKind: 'text' }, before: '"It"', after: '"It does"', appended },
    { row: { step: 2, updateKind: 'message' }, before: 'nothing', after: '"It"' },
  ]);
  const found = [8, 6, 2].map((step) => runTask(unlikeStep(trace, { path, step })));
  expect(found).toEqual([4, 4, undefined]);
});
