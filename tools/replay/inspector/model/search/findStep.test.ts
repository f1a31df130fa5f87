import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { textBoxEdited } from '#shared/actions/windowActions.ts';
import { valueAt } from '../../../diff/valueDiff.ts';
import { type Target, findStep } from './findStep.ts';
import type { Trace } from '../trace/trace.ts';
import { runTask } from '../trace/task.ts';
import { captureText } from '../testing/captureText.ts';
import { recv } from '#tests/builders/recv.ts';
import { type ExpectedStep, expectedSteps } from '../testing/expectedSteps.ts';
import { traceOf } from '../testing/modelOf.ts';

type Direction = 'forward' | 'backward';

/** Converts the state of a step to plain objects. */
const plain = ({ conversation, rest, t }: ExpectedStep) => ({
  ...toSnapshot(conversation),
  ...rest,
  time: t,
});
type Plain = ReturnType<typeof plain>;

/** Expressions, each with the same condition in JavaScript. */
const EXPRESSIONS: readonly (readonly [string, (state: Plain) => unknown])[] = [
  ['messages.length >= 2', ({ messages }) => messages.length >= 2],
  ['connection == 0', ({ connection }) => connection.status === 'connected'],
  ['connection == "connected"', ({ connection }) => connection.status === 'connected'],
  ["'disconnected' != connection", ({ connection }) => connection.status === 'connected'],
  ['connection.contains("dis")', ({ connection }) => connection.status === 'disconnected'],
  ['connection.status === "connected"', ({ connection }) => connection.status === 'connected'],
  ['messages[0].content.length > 1', ({ messages }) => (messages[0]?.content?.length ?? 0) > 1],
  ['messages[messages.length - 1].modifier == "ai"', ({ messages }) => messages.at(-1)?.modifier === 'ai'],
  [
    'messages[0]["content"][0].text != null',
    ({ messages }) => (messages[0]?.content?.[0]?.text ?? null) !== null,
  ],
  [
    'queue.length * 2 - 1 > 3 && !(counts.sent == 1)',
    ({ queue, counts }) => queue.length > 2 && counts.sent !== 1,
  ],
  [
    'updates % 3 == 2 || person.length > 3',
    ({ counts, person }) => (counts.applied + counts.ignored) % 3 === 2 || (person ?? '').length > 3,
  ],
  ['-time < -0.5', ({ time }) => Math.round(time) > 500],
  [
    'time >= 0:01.500 && person != "0:01"',
    ({ time, person }) => Math.round(time) >= 1500 && person !== '0:01',
  ],
  ['person.contains("a")', ({ person }) => person?.includes('a') === true],
  ['person.matches("^[^a-z]|b+$", "i")', ({ person }) => /^[^a-z]|b+$/i.test(person ?? '')],
  ['messages.some(m => m.modifier == "ai")', ({ messages }) => messages.some((m) => m.modifier === 'ai')],
  [
    'messages.some(m => m.content.some(c => c.text.contains(" ") || c.text == m.context))',
    ({ messages }) =>
      messages.some((m) =>
        m.content?.some((c) => c.text?.includes(' ') === true || (c.text ?? null) === (m.context ?? null)),
      ),
  ],
  [
    'messages.some(a => messages.some(b => a.id != b.id && a.modifier == b.modifier))',
    ({ messages }) =>
      messages.some((a) =>
        messages.some(
          (b) => (a.id ?? null) !== (b.id ?? null) && (a.modifier ?? null) === (b.modifier ?? null),
        ),
      ),
  ],
  [
    '!messages.some(m => m.content.length > updates)',
    ({ messages, counts }) =>
      !messages.some((m) => (m.content?.length ?? 0) > counts.applied + counts.ignored),
  ],
  ['windows[1].own.view == "login"', ({ windows }) => windows[1]?.own.view === 'login'],
  ['audio.isOn || backlog.updates > 0', ({ audio, backlog }) => audio.isOn || backlog.updates > 0],
  ['attention.unread > 1', ({ attention }) => attention.unread > 1],
  ['attention.title == "(1) Parley"', ({ attention }) => attention.title === '(1) Parley'],
  ['words.contains("again")', ({ words }) => words.includes('again')],
  ['counts.rejected.notText > 0', ({ counts }) => (counts.rejected.notText ?? 0) > 0],
  ['messages[0].nothing.at.all', () => false],
];

const nearest = (hits: readonly number[], from: number, direction: Direction) =>
  direction === 'forward' ? hits.find((step) => step > from) : hits.findLast((step) => step < from);

const anyDirection = fc.constantFrom<Direction>('forward', 'backward');

/** All properties get the same sessions: each is loaded once. */
const sampled = new Map<string, { readonly trace: Trace; readonly states: readonly Plain[] }>();

function sample(records: readonly CaptureRecord[]) {
  const text = captureText(records);
  const known = sampled.get(text) ?? { trace: traceOf(text), states: expectedSteps(records).map(plain) };
  sampled.set(text, known);
  return known;
}

test.each(EXPRESSIONS)('finds the steps at which the expression %s becomes true', (expression, holdsAt) => {
  checkProperty(
    fc.property(anyRecords(), fc.nat(70), anyDirection, (records, from, direction) => {
      const { trace, states } = sample(records);
      const truths = states.map((state) => Boolean(holdsAt(state)));
      const hits = truths.flatMap((now, step) =>
        step > 0 && now && truths[step - 1] === false ? [step] : [],
      );
      const target: Target = { kind: 'expression', expression };
      const found = runTask(findStep(trace, { from, direction, target }));
      expect(found).toBe(nearest(hits, from, direction));
    }),
    60,
  );
});

test.each([
  'person',
  'messages',
  'messages.length',
  'messages[0]',
  'messages[0].content',
  'messages[0].content[0].text',
  'connection',
  'connection.status',
  'audio.isRecording',
  'windows[1].own.textBox',
  'attention',
  'words',
  'queue.length',
  'counts.rejected',
])('finds the steps at which the field %s changes', (path) => {
  checkProperty(
    fc.property(anyRecords(), fc.nat(70), anyDirection, (records, from, direction) => {
      const { trace, states } = sample(records);
      const values = states.map((state) => JSON.stringify(valueAt(state, path)));
      const hits = values.flatMap((value, step) => (step > 0 && value !== values[step - 1] ? [step] : []));
      const target: Target = { kind: 'change', path };
      const found = runTask(findStep(trace, { from, direction, target }));
      expect(found).toBe(nearest(hits, from, direction));
    }),
    60,
  );
});

test.each([
  ['messages', 4],
  ['messages[0]', 4],
  ['messages[0].content', 4],
  ['messages[0].content[0]', 4],
])('finds in %s the change of a text of the first message', (path, step) => {
  const content = [{ category: 'text', text: 'a' }];
  const trace = traceOf(captureText([recv(0, { modifier: 'ai', content }), recv(0, { text: 'b' })]));
  expect(runTask(findStep(trace, { from: 3, direction: 'forward', target: { kind: 'change', path } }))).toBe(
    step,
  );
});

const fourFrames = traceOf(
  captureText([
    recv(0, { person: 'Ada', messages: [{ modifier: 'ai', id: 'a' }] }),
    recv(250, { modifier: 'ai', id: 'b' }),
    { t: 260, type: 'send', data: 'Hello' },
    recv(270, { name: 'B' }),
  ]),
);
const find = (target: Target, from: number, direction: Direction = 'forward') =>
  runTask(findStep(fourFrames, { from, direction, target }));

describe('findStep in a session of four frames', () => {
  test.each<[string, Target, readonly [number, Direction, number | undefined]]>([
    ['a text in a frame', { kind: 'frame', text: 'hELLo' }, [0, 'forward', 4]],
    ['a pattern', { kind: 'frame', text: '/^hell/i' }, [0, 'forward', 4]],
    ['no frame for a pattern in another case', { kind: 'frame', text: '/^hell/' }, [0, 'forward', undefined]],
    ['a pattern that looks back', { kind: 'frame', text: '/(l)\\1o$/' }, [0, 'forward', 4]],
    ['the same with a flag that has a place', { kind: 'frame', text: '/hello/gi' }, [0, 'forward', 4]],
    ['an earlier frame', { kind: 'frame', text: 'modifier' }, [3, 'backward', 1]],
    ['an update', { kind: 'update', number: 2 }, [0, 'forward', 6]],
    ['no update with a number that does not exist', { kind: 'update', number: 9 }, [0, 'forward', undefined]],
    ['no update in the other direction', { kind: 'update', number: 1 }, [3, 'forward', undefined]],
    ['a time', { kind: 'time', t: 251 }, [0, 'forward', 4]],
    ['an earlier time', { kind: 'time', t: 251 }, [6, 'backward', 3]],
    ['a message', { kind: 'message', id: 'b' }, [0, 'forward', 6]],
    [
      'a pair of messages',
      {
        kind: 'expression',
        expression: 'messages.some(m => messages.some(n => m.id == "b" && n.id == "a"))',
      },
      [0, 'forward', 6],
    ],
    ['a message in a snapshot', { kind: 'message', id: 'a' }, [0, 'forward', 2]],
    ['no message with an id that does not exist', { kind: 'message', id: 'z' }, [0, 'forward', undefined]],
  ])('finds %s', (_, target, [from, direction, step]) => {
    expect(find(target, from, direction)).toBe(step);
  });
});

const act = (t: number, action: { type: string; payload?: unknown }, window: number) => ({
  t,
  type: 'action' as const,
  action,
  window,
});

const stateIs = (text: string): Target => ({ kind: 'expression', expression: text });

describe('findStep in a session with acts', () => {
  const acts = traceOf(
    captureText([
      act(0, textBoxEdited({ text: 'h' }), 1),
      act(1, textBoxEdited({ text: 'hi' }), 1),
      act(2, textBoxEdited({ text: 'hi' }), 2),
      recv(3, { name: 'textBox/edited' }),
      { t: 4, type: 'action', action: { type: 'logOut/requested', payload: {} } },
    ]),
  );
  test.each<[string, Target, readonly number[]]>([
    ['frames and acts by their text', { kind: 'frame', text: 'textbox/EDITED' }, [1, 2, 3, 4]],
    ['acts by their payload', { kind: 'frame', text: '"text":"hi"' }, [2, 3]],
    ['acts by a pattern', { kind: 'frame', text: '/"window":2/' }, [3]],
    ['each act of a type, also in a row', stateIs('act.type == "textBox/edited"'), [1, 2, 3]],
    ['acts by their payload and window', stateIs('act.payload.text == "hi" && act.window == 1'), [2]],
    ['acts of no window', stateIs('act.type != null && act.window == null'), [5]],
    ['steps that are no acts', stateIs('!act && updates == 0'), [4]],
  ])('finds %s', (_, target, expected) => {
    const steps = Array.from({ length: 6 }, (__, from) =>
      runTask(findStep(acts, { from, direction: 'forward', target })),
    );
    expect([...new Set(steps.filter((step) => step !== undefined))]).toEqual(expected);
  });
});

test.each<[string, Target, RegExp]>([
  [
    'an unknown name',
    { kind: 'expression', expression: 'window == 1' },
    /“window” is not known; there are person, messages,/,
  ],
  [
    'a call',
    { kind: 'expression', expression: 'messages.at(0)' },
    /cannot call at, only contains, matches and some/,
  ],
  ['a call of a name', { kind: 'expression', expression: 'person("x")' }, /can call only contains/],
  [
    'a call of a computed name',
    { kind: 'expression', expression: 'person["at"](0)' },
    /can call only contains/,
  ],
  ['contains without a value', { kind: 'expression', expression: 'person.contains()' }, /needs one value/],
  ['matches of a name', { kind: 'expression', expression: 'person.matches(person)' }, /needs a pattern/],
  [
    'an invalid pattern',
    { kind: 'expression', expression: 'person.matches("(")' },
    /not a valid regular expression/,
  ],
  [
    'some without a function',
    { kind: 'expression', expression: 'messages.some(person)' },
    /needs a condition: messages.some\(m =>/,
  ],
  ['a function outside of some', { kind: 'expression', expression: 'm => m' }, /“m” is not known/],
  [
    'an item outside of its condition',
    { kind: 'expression', expression: 'messages.some(m => m.id) && m' },
    /“m” is not known/,
  ],
  [
    'a state that the connection does not have',
    { kind: 'expression', expression: 'connection == "open"' },
    /is "connected" or "disconnected", not "open"/,
  ],
  ['a time that does not exist', { kind: 'expression', expression: 'time > 1:2' }, /1:2 is not a time/],
  ['the constructor', { kind: 'expression', expression: 'messages.constructor' }, /may not use constructor/],
  [
    'the constructor as a string',
    { kind: 'expression', expression: 'person["constructor"]' },
    /may not use constructor/,
  ],
  ['the prototype', { kind: 'expression', expression: 'counts.__proto__' }, /may not use __proto__/],
  ['this', { kind: 'expression', expression: 'this' }, /can contain only/],
  ['an assignment', { kind: 'expression', expression: 'person = 1' }, /cannot be read/],
  ['a function', { kind: 'expression', expression: '(() => 1)()' }, /cannot be read|can call|can contain/],
  ['a list', { kind: 'expression', expression: '[1].length' }, /can contain only/],
  ['two expressions', { kind: 'expression', expression: 'person; person' }, /can contain only/],
  ['an empty expression', { kind: 'expression', expression: '' }, /can contain only/],
  ['half an expression', { kind: 'expression', expression: 'time >' }, /cannot be read/],
  ['a bitwise operator', { kind: 'expression', expression: 'time | 1' }, /no operator \|/],
  ['an expression that is too long', { kind: 'expression', expression: '('.repeat(5000) }, /at most 1000/],
  [
    'deep parentheses',
    { kind: 'expression', expression: `${'('.repeat(480)}1${')'.repeat(480)} |1` },
    /no operator/,
  ],
  [
    'an invalid regular expression',
    { kind: 'frame', text: '/(/' },
    /not a valid regular expression: \/\(\/\./,
  ],
  [
    'an unknown flag',
    { kind: 'expression', expression: 'person.matches("a", "y")' },
    /flags of a pattern are i, m and s/,
  ],
  ['a path that does not end', { kind: 'change', path: 'messages[0' }, /“messages\[0” is not a path;/],
  ['a text that is not a path', { kind: 'change', path: 'messages 0' }, /“messages 0” is not a path;/],
  [
    'a path outside the state',
    { kind: 'change', path: 'window.name' },
    /“window.name” is not a path of the state/,
  ],
])('rejects %s with a reason', (_, target, message) => {
  expect(() => find(target, 0)).toThrow(message);
});

test.each([
  'messages.root.length',
  'messages[0].content.tail',
  'person[messages]',
  'person["con" + "structor"]',
])('evaluates %s to undefined', (expression) => {
  expect(find({ kind: 'expression', expression: `${expression} != null` }, 0)).toBeUndefined();
});
