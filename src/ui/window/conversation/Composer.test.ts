import { expect, it } from 'vitest';
import { vectorOf } from '#shared/conversation/vector.ts';
import { assistantName } from './Composer.tsx';

const nameOf = (...messages: readonly (readonly [modifier: string, context: string])[]) =>
  assistantName({ messages: vectorOf(messages.map(([modifier, context]) => ({ modifier, context }))) });

it.each([
  ['the sender of the newest message by ai', nameOf(['ai', 'Old'], ['ai', 'New'], ['client', 'Ada']), 'New'],
  [
    'the sender before the current message, whose sender may change',
    nameOf(['ai', 'Ada'], ['ai', 'Ada is writing…']),
    'Ada',
  ],
  [
    'the sender of the current message when there is no other',
    nameOf(['client', 'Ada'], ['ai', 'New']),
    'New',
  ],
  [
    'the name without what an answer’s label adds',
    nameOf(['ai', 'Parley · stopped'], ['client', 'Ada']),
    'Parley',
  ],
  [
    'the name without the usage of an answer',
    nameOf(['ai', 'Parley · 312 tokens · first after 0.4 s'], ['ai', 'Parley is writing…']),
    'Parley',
  ],
  [
    'the name without the estimated usage of an answer',
    nameOf(['ai', 'Parley · about 12 tokens'], ['ai', 'Parley is writing…']),
    'Parley',
  ],
  ['the name of an answer that runs', nameOf(['ai', 'Parley is writing a table…']), 'Parley'],
  ['no name from a label that only says what happens', nameOf(['ai', 'Looking it up…']), 'the assistant'],
  ['a name from before a message that has none yet', nameOf(['ai', 'Parley'], ['ai', ' ']), 'Parley'],
  ['a name on one line', nameOf(['ai', ' Mr\n\tWatson ']), 'Mr Watson'],
  ['a long name clipped', nameOf(['ai', 'x'.repeat(200)]), `${'x'.repeat(40)}…`],
  [
    'the assistant before its first message',
    nameOf(['client', 'Ada'], ['admin', 'Operator']),
    'the assistant',
  ],
  ['the assistant without messages', nameOf(), 'the assistant'],
])('returns %s', (_, name, expected) => {
  expect(name).toBe(expected);
});

it('searches the newest 1000 messages only', () => {
  const others = Array.from({ length: 1000 }, () => ['client', 'Ada'] as const);
  expect(nameOf(['ai', 'Parley'], ...others.slice(1))).toBe('Parley');
  expect(nameOf(['ai', 'Parley'], ...others)).toBe('the assistant');
});
