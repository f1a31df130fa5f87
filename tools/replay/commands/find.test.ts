import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/recv.ts';
import { captureOf, runTool } from '../testing/files.ts';
import { CHAT_RECORDS } from '../store/testing/teamChat.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'launch' },
  { t: 1, type: 'open' },
  recv(5, { id: 'm1', modifier: 'ai', content: [{ text: 'hi' }] }),
  recv(110, { text: 'hello' }),
  { t: 120, type: 'action', action: { type: 'message/requested', payload: { category: 'text', length: 5 } } },
  { t: 130, type: 'send', data: '{"category":"text","text":"Hello back","blob":null}' },
];

const find = async (...args: readonly string[]) => {
  const path = await captureOf(RECORDS);
  return { path, ...(await runTool('find', path, ...args)) };
};

const LINES = {
  frame: '      3      0.005  received      ai: [file hi]\n',
  text: '      5      0.110  received      hello\n',
  message: '      4      0.100  applied       ai: [file hi]\n',
  act: '      6      0.120  action        message/requested category: "text", length: 5\n',
  sent: '      7      0.130  sent          Hello back\n',
  applied: '      8      0.200  applied       hello\n',
};

test.each([
  [['hello'], ['text', 'sent']],
  [
    ['--frame', '/^\\{"id|back/'],
    ['frame', 'sent'],
  ],
  [['--act', 'LENGTH'], ['act']],
  [['--expression', 'messages.length == 1'], ['message']],
  [
    ['--change', 'messages[0].content[0].text'],
    ['message', 'applied'],
  ],
  [['--message', 'm1'], ['message']],
  [['--update', '2'], ['applied']],
  [['--time', '0.105'], ['text']],
  [
    ['--act', 'message', '--update', '1', 'back'],
    ['message', 'act', 'sent'],
  ],
  [['hello', '--from', '6'], ['sent']],
  [
    ['hello', '--from', '0.110'],
    ['text', 'sent'],
  ],
  [['hello', '--from', '0.111'], ['sent']],
  [['hello', '--limit', '1'], ['text']],
] as const)('contract §7 find: %j prints the steps that match, in order', async (args, lines) => {
  const { status, out, err } = await find(...args);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toBe(lines.map((name) => LINES[name]).join(''));
});

test('contract §7 json: find prints one document with the steps, and whether --limit ended the search', async () => {
  const { path, status, out } = await find('--change', 'messages.length', '--limit', '1', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(out)).toEqual({
    capture: path,
    steps: [
      {
        step: 4,
        kind: 'applied',
        t: 100,
        delay: 95,
        update: 1,
        updateKind: 'message',
        record: 3,
        bytes: expect.any(Number),
        changed: true,
        summary: 'ai: [file hi]',
      },
    ],
    isCut: true,
    version: 1,
  });
  const none = await find('nothing of this', '--json');
  expect({ ...none, out: JSON.parse(none.out) }).toEqual({
    path: none.path,
    status: 1,
    out: { capture: none.path, steps: [], isCut: false, version: 1 },
    err: `${none.path}: no step matches\n`,
  });
});

test.each([
  [[], 'name what to find: a text, --expression, --change, --frame, --act, --message, --update or --time\n'],
  [['--expression', 'x ==='], expect.stringMatching(/^This expression cannot be read: .*\n$/)],
  [
    ['--change', 'mesages'],
    expect.stringMatching(
      /^“mesages” is not a path of the state; a path begins with person, messages, .*\n$/,
    ),
  ],
  [['--frame', '/(/'], expect.stringMatching(/not a valid regular expression/)],
  [['--time', 'soon'], '--time takes a time, such as 1.230, 2:03.400 or 1500ms\n'],
])('refuses %j in one line, with status 2', async (args, err) => {
  expect(await find(...args)).toMatchObject({ status: 2, out: '', err });
});

test('find and state read the sessions of an adapter and of a store', async () => {
  const board = 'examples/task-board/captures/one-person.parley.jsonl';
  const app = ['--app', 'examples/task-board/adapter.ts'];
  const moved = await runTool(
    'find',
    board,
    '--change',
    'state.columns[0].cards',
    '--limit',
    '1',
    '--json',
    ...app,
  );
  expect(JSON.parse(moved.out)).toMatchObject({ app: 'task-board', steps: [{ kind: 'applied' }] });
  const title = await runTool('state', board, 'state.columns[0].title', ...app);
  expect(title).toEqual({ status: 0, out: '"To do"\n', err: '' });

  const chat = await captureOf(CHAT_RECORDS);
  const store = ['--app', join(import.meta.dirname, '../store/testing/teamChatAdapter.ts')];
  const read = await runTool('find', chat, '--change', 'state.read', '--limit', '1', '--json', ...store);
  expect(JSON.parse(read.out)).toMatchObject({ app: 'team-chat', steps: [{ summary: 'readBatch 2' }] });
  expect(await runTool('state', chat, 'state.read', ...store)).toEqual({ status: 0, out: '3\n', err: '' });
  const err = '- (stdin) is read once; name a file for the adapter of a store\n';
  expect(await runTool('state', '-', ...store)).toEqual({ status: 2, out: '', err });
});
