import { expect, test } from 'vitest';
import { emptyConversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { formatChecks } from './formatChecks.ts';
import type { Subject } from './subject.ts';

/** Returns the result of a check of these frames. */
function resultOf(id: string, frames: readonly object[]) {
  const observed = frames.map((frame) => ({
    at: 0,
    update: decodeUpdate(JSON.stringify(frame)),
    isIgnored: false,
    conversation: emptyConversation,
  }));
  // The checks of frames use nothing else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const subject = { sockets: [{ frames: observed }] } as unknown as Subject;
  const outcome = formatChecks.find((check) => check.id === id)?.run(subject);
  return outcome !== undefined && 'result' in outcome ? outcome.result : undefined;
}

const line = (fields: object) => ({
  modifier: 'admin',
  content: [{ category: 'text', text: 'New topic' }],
  ...fields,
});

test.each([
  ['ok', { divider: true }],
  ['failed', { divider: true, modifier: 'ai' }],
  ['failed', { divider: true, content: [] }],
  ['notTested', {}],
])('contract §9 divider: the check of dividers is %s for %j', (result, fields) => {
  expect(resultOf('dividers', [line(fields)])).toBe(result);
});

test.each([
  ['ok', { notice: true }],
  ['ok', { notice: true, action: 'cancel', context: '' }],
  ['ok', { notice: true, action: 'connect', context: '' }],
  ['failed', { notice: true, action: 'buy' }],
  ['failed', { notice: true, context: 'Parley' }],
])('contract §9 notice: the check of notices is %s for %j', (result, fields) => {
  expect(resultOf('notices', [line(fields)])).toBe(result);
});

test('contract §9 cut: the check of texts that grow also compares across items', () => {
  const item = { category: 'text', text: 'One', format: 'markdown' };
  const growing = [{ modifier: 'ai', content: [item] }, { text: 'One two' }, item, { text: 'One more' }];
  expect(resultOf('growth', growing)).toBe('ok');
  expect(resultOf('growth', [...growing, { text: 'ne more' }])).toBe('failed');
  expect(resultOf('growth', [{ ...growing[0] }, { category: 'text', text: 'b' }, { text: 'a' }])).toBe(
    'notTested',
  );
});
