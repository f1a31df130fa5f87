import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const OPENING = [recv(0, { person: 'Ada', messages: [message('a')] }), recv(1, item('hi'))];

async function captures(...all: readonly Parameters<typeof writeCapture>[1][]) {
  const at = await temporaryFolder();
  return Promise.all(all.map((records, i) => writeCapture(at(`${'ab'[i]}.parley.jsonl`), records)));
}

test('reports captures with the same frames at other times as the same, with status 0', async () => {
  const [a = '', b = ''] = await captures(
    OPENING,
    OPENING.map((record) => ({ ...record, t: record.t + 40 })),
  );
  expect(await runTool('diff', a, b)).toEqual({
    status: 0,
    out: 'the same frames and the same final state\n',
    err: '',
  });
});

test('contract §7 diff, exit status: reports the frame and the path in the state that differ, with status 1', async () => {
  const [a = '', b = ''] = await captures(
    [...OPENING, recv(2, { text: 'Hi' }), recv(3, { context: 'x' })],
    [...OPENING, recv(2, { text: 'Ho' }), recv(3, { context: 'x' })],
  );
  const { status, out } = await runTool('diff', a, b);
  expect(status).toBe(1);
  expect(out.split('\n')).toEqual([
    `a  ${a}`,
    `b  ${b}`,
    '',
    'frame 3 is the first that differs',
    String.raw`  a  recv at 2 ms  "{\"text\":\"Hi\"}"`,
    String.raw`  b  recv at 2 ms  "{\"text\":\"Ho\"}"`,
    '',
    'the final state differs',
    '  messages[0].content[1].text',
    '    a  "Hi"',
    '    b  "Ho"',
    '',
  ]);
});

test('reports a window that differs at the end', async () => {
  const opened = { t: 2, type: 'action', action: { type: 'window/opened', payload: { number: 2 } } };
  const shown = { t: 3, type: 'action', action: { type: 'window/shown', payload: { number: 2 } } };
  const [a = '', b = ''] = await captures([...OPENING, opened, shown], [...OPENING, opened]);
  const { status, out } = await runTool('diff', a, b);
  expect(status).toBe(1);
  expect(out).toContain('  windows[2].isVisible\n    a  true\n    b  false\n');
});

test('reports an additional frame at the end with its direction', async () => {
  const sent = { t: 3, type: 'send', data: '{}' };
  const [a = '', b = ''] = await captures(OPENING, [...OPENING, sent]);
  const { status, out } = await runTool('diff', a, b, '--json');
  expect(status).toBe(1);
  expect(JSON.parse(out)).toEqual({
    a,
    b,
    same: false,
    frame: { number: 3, b: sent },
    state: [{ path: 'counts.sent', before: 0, after: 1 }],
  });
});

test('contract §7 diff: reports what changed between two points of a capture, with status 0', async () => {
  const [a = ''] = await captures([...OPENING, recv(2, { text: 'Hi' }), recv(3, { name: 'Grace' })]);
  const { status, out } = await runTool('diff', a, '--from', '2', '--to', '3');
  expect(status).toBe(0);
  expect(out).toBe(
    `${a}, from update 2 to update 3\n  messages[0].content[1].text\n    from  "hi"\n    to    "Hi"\n`,
  );
  const whole = await runTool('diff', a, '--to', '1', '--json');
  expect(JSON.parse(whole.out)).toMatchObject({
    from: 0,
    to: 1,
    state: [{ path: 'person', before: null, after: 'Ada' }, { path: 'messages[0]' }],
  });
  const back = await runTool('diff', a, '--from', '4', '--to', '3', '--json');
  expect(JSON.parse(back.out).state).toEqual([{ path: 'person', before: 'Grace', after: 'Ada' }]);
});

test('refuses bad usage in one line, with status 2', async () => {
  const [a = ''] = await captures(OPENING);
  expect(await runTool('diff', a)).toEqual({
    status: 2,
    out: '',
    err: 'diff takes two captures, or one with --from and --to\n',
  });
  expect(await runTool('diff', a, a, '--from', '1')).toMatchObject({
    status: 2,
    err: '--from and --to are for one capture\n',
  });
  expect(await runTool('diff', a, '--to', '9')).toMatchObject({
    status: 2,
    err: `--to 9: ${a} has 2 updates\n`,
  });
  expect(await runTool('diff', a, 'gone.parley.jsonl')).toMatchObject({
    status: 2,
    err: 'gone.parley.jsonl: there is no such file\n',
  });
});
