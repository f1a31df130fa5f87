import { describe, expect, test } from 'vitest';
import { CREDENTIAL_LENGTH, ENCODE_BYTES, FILE_NAME_LENGTH } from '../limits.ts';
import { INVOKED, SENT } from './channels.ts';
import { TOOLS_SENT } from './tools.ts';
import { invokedValidators, sentValidators, toolsValidators } from './validators.ts';

const spec = { ...sentValidators, ...invokedValidators };
const text = { category: 'text', text: 'hi', blob: null };
const credentials = { email: 'a@b.c', password: 'x', name: '' };

/** Parley's additional channels that take arguments. All others take none. */
const CHANGE = { url: 'http://a', model: null, prompt: null, key: 'sk-1', keepsKey: false };
const ASSISTANT = {
  taken: [CHANGE],
  refused: [
    [],
    ['http://a'],
    [{ ...CHANGE, key: 1 }],
    [{ ...CHANGE, other: 1 }],
    [{ ...CHANGE, prompt: 'p'.repeat(20_001) }],
    [{ url: 'http://a' }],
  ],
};

const WITH_ARGUMENTS: readonly (readonly [
  (typeof TOOLS_SENT)[number],
  { taken: unknown[]; refused: unknown[][] },
])[] = [
  [
    'setPreference',
    {
      taken: [{ audio: true, captureDays: null, captureMegabytes: 5 }],
      refused: [[], [{ audio: 1 }], [{ other: true }]],
    },
  ],
  [
    'deleteData',
    {
      taken: [{ platformFile: true }],
      refused: [[], [true], [{}], [{ platformFile: 'yes' }], [{ platformFile: true, other: 1 }]],
    },
  ],
  ['testAssistant', ASSISTANT],
  ['saveAssistant', ASSISTANT],
  ['recordingFailed', { taken: [1], refused: [[], ['1'], [-1], [1.5], [1, 2]] }],
  ['audioWritten', { taken: [7], refused: [[], [null], [Number.POSITIVE_INFINITY]] }],
  ['playbackFailed', { taken: [0], refused: [[], [-1]] }],
  [
    'report',
    {
      taken: [0, { type: 'view/changed' }],
      refused: [[], [-1, {}], [1.5, {}], ['0', {}], [0, {}, {}]],
    },
  ],
  [
    'play',
    {
      taken: [{ message: 0, item: 3 }],
      refused: [[], [{ message: 0 }], [{ message: -1, item: 0 }], [{ message: 0, item: 0.5 }], ['m1']],
    },
  ],
];

test('contract §4: every channel that a window may use has a validator, and no other', () => {
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
    ['nav', []],
    ['nav', [1]],
    ['nav', [null]],
    ['nav', [{ action: 'close' }]],
    ['encode', [new ArrayBuffer(3)]],
    ['auth', [credentials]],
  ])('spec §6.3: %s accepts %j', (channel, args) => {
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
    ['nav', ['close', 'close']],
    ['encode', []],
    ['encode', ['text']],
    ['encode', [[1, 2, 3]]],
    ['encode', [{ byteLength: 3 }]],
    ['auth', []],
    ['auth', [{ ...credentials, name: 1 }]],
    ['auth', [{ email: 'a@b.c', name: '' }]],
    ['auth', ['a@b.c', 'x', '']],
    ['auth', undefined],
  ])('contract §4: %s refuses %j', (channel, args) => {
    expect(spec[channel].safeParse(args).success).toBe(false);
  });

  test.each([[{ ...credentials, name: null }], [{ email: 'a@b.c', password: 'x' }]])(
    'spec §4.1, §6.3: auth treats a name that is null or missing as empty: %j',
    (given) => {
      expect(invokedValidators.auth.parse([given])).toEqual([credentials]);
    },
  );

  test('spec §2.1: auth removes fields that do not belong to the form', () => {
    const result = invokedValidators.auth.safeParse([{ ...credentials, admin: true }]);
    expect(result.data).toEqual([credentials]);
  });
});

test.each(TOOLS_SENT.filter((channel) => WITH_ARGUMENTS.every(([other]) => other !== channel)))(
  'contract §4: %s refuses an argument',
  (channel) => {
    expect(toolsValidators[channel].safeParse([]).success).toBe(true);
    expect(toolsValidators[channel].safeParse(['more']).success).toBe(false);
  },
);

test.each(WITH_ARGUMENTS)(
  'contract §4: %s accepts only arguments of its type',
  (channel, { taken, refused }) => {
    expect(toolsValidators[channel].safeParse(taken)).toMatchObject({ success: true, data: taken });
    for (const args of refused) expect(toolsValidators[channel].safeParse(args).success).toBe(false);
  },
);

test.each<[string, keyof typeof spec, unknown]>([
  ['a blob', 'message', { category: 'audio', text: null, blob: 'A'.repeat(ENCODE_BYTES * 2) }],
  ['a file name', 'message', { category: 'file', text: 'x'.repeat(FILE_NAME_LENGTH + 1), blob: 'AAEC' }],
  ['bytes', 'encode', new ArrayBuffer(ENCODE_BYTES + 1)],
  ['an email', 'auth', { ...credentials, email: 'x'.repeat(CREDENTIAL_LENGTH + 1) }],
  ['a password', 'auth', { ...credentials, password: 'x'.repeat(CREDENTIAL_LENGTH + 1) }],
])('refuses %s over its length', (_, channel, arg) => {
  expect(spec[channel].safeParse([arg]).success).toBe(false);
});
