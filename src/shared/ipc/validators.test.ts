import { describe, expect, test } from 'vitest';
import { INVOKED, SENT } from './channels.ts';
import { TOOLS_SENT } from './tools.ts';
import { invokedValidators, sentValidators, toolsValidators } from './validators.ts';

const spec = { ...sentValidators, ...invokedValidators };
const text = { category: 'text', text: 'hi', blob: null };
const credentials = { email: 'a@b.c', password: 'x', name: '' };

test('contract §4: every channel that a window may use, and no other, has a validator', () => {
  expect(Object.keys(spec).sort()).toEqual([...SENT, ...INVOKED].sort());
  expect(Object.keys(toolsValidators).sort()).toEqual([...TOOLS_SENT].sort());
});

describe('spec §6.3: arguments of a window', () => {
  test.each<[keyof typeof spec, unknown[]]>([
    ['messenger', []],
    ['message', [text]],
    ['message', [{ category: 'audio', text: null, blob: 'AAEC' }]],
    ['logout', []],
    ['nav', ['close']],
    ['nav', ['minimise']],
    ['nav', ['']],
    ['encode', [new ArrayBuffer(3)]],
    ['auth', [credentials]],
  ])('spec §6.3 %s: %j, taken', (channel, args) => {
    expect(spec[channel].safeParse(args)).toMatchObject({ success: true, data: args });
  });

  test.each<[keyof typeof spec, unknown]>([
    ['messenger', ['more']],
    ['message', []],
    ['message', ['hi']],
    ['message', [text, text]],
    ['message', [{ ...text, category: 'html' }]],
    ['message', [{ ...text, blob: undefined }]],
    ['logout', [{ preventDefault: true }]],
    ['nav', []],
    ['nav', [1]],
    ['nav', ['close', 'close']],
    ['encode', []],
    ['encode', ['text']],
    ['encode', [[1, 2, 3]]],
    ['encode', [{ byteLength: 3 }]],
    ['auth', []],
    ['auth', [{ ...credentials, name: null }]],
    ['auth', [{ email: 'a@b.c', password: 'x' }]],
    ['auth', ['a@b.c', 'x', '']],
    ['auth', undefined],
  ])('contract §4: %s with %j, refused', (channel, args) => {
    expect(spec[channel].safeParse(args).success).toBe(false);
  });

  test('spec §2.1 auth: fields that are none of the form, left out', () => {
    const result = invokedValidators.auth.safeParse([{ ...credentials, admin: true }]);
    expect(result.data).toEqual([credentials]);
  });
});

test.each(TOOLS_SENT)('contract §4: %s with an argument, refused', (channel) => {
  expect(toolsValidators[channel].safeParse([]).success).toBe(true);
  expect(toolsValidators[channel].safeParse(['more']).success).toBe(false);
});
