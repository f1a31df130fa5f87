import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Recorder, createRecorder } from '#replay/record.ts';
import { rowsOf, runTool, temporaryFolder, wholeCapture, writeCapture } from '#replay/testing/files.ts';
import { adapter } from './adapter.ts';
import { startServer } from './server.mjs';

const ADAPTER = join(import.meta.dirname, 'adapter.ts');

/** What a person writes, and who is there. No line of a capture may contain it. */
const TEXTS = [
  'Ada Lovelace',
  'Order coffee',
  'Call 555-0100 about the invoice',
  'Write the minutes',
  'To do',
];

const COMMANDS: readonly object[] = [
  { type: 'hello', name: TEXTS[0] },
  { type: 'add', column: 'todo', title: TEXTS[1] },
  { type: 'add', column: 'todo', title: TEXTS[2] },
  { type: 'move', id: 'card-1', column: 'doing' },
  { type: 'rename', id: 'card-2', title: TEXTS[2] },
  { type: 'move', id: 'card-2', column: 'done' },
  { type: 'remove', id: 'card-3' },
];

/** Works on the board with a recorded socket; returns the frames that it received. */
async function work(recorder: Recorder): Promise<readonly string[]> {
  const server = await startServer(0);
  onTestFinished(() => server.stop());
  const socket = new (recorder.webSocket(WebSocket))(`${server.socketUrl}/socket`);
  const frames: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') frames.push(data);
  });
  const received = async (count: number): Promise<void> => {
    while (frames.length < count) await once(socket, 'message');
  };
  // The server begins with its version and the board.
  await received(2);
  for (const [index, command] of COMMANDS.entries()) {
    socket.send(JSON.stringify(command));
    await received(3 + index);
  }
  socket.close(1000, 'done');
  await once(socket, 'close');
  return frames;
}

/** Returns a value in which each text is the number of its first occurrence. */
function shapeOf(value: unknown): unknown {
  const numbers = new Map<string, number>();
  const shape = (_: string, one: unknown): unknown => {
    if (typeof one !== 'string') return one;
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return `text ${number}`;
  };
  return JSON.parse(JSON.stringify(value, shape));
}

test('a recorded session without the texts of people replays to a state of the same shape', async () => {
  const at = await temporaryFolder();
  const recorder = createRecorder({ app: 'task-board', clear: adapter.redact?.codes ?? [] });
  const frames = await work(recorder);
  const masked = at('masked.parley.jsonl');
  await writeFile(masked, recorder.save());
  const { header, records } = await wholeCapture(masked);
  expect(header.app).toBe('task-board');
  for (const text of TEXTS) expect(recorder.save()).not.toContain(text);

  let next = 0;
  const original = records.map((record) =>
    record.type === 'recv' ? Object.assign({}, record, { data: frames[next++] }) : record,
  );
  expect(next).toBe(frames.length);
  const raw = await writeCapture(at('raw.parley.jsonl'), original);
  const resultOf = async (capture: string): Promise<object> => {
    const { out } = await runTool('run', capture, '--app', ADAPTER, '--json', '--with', 'state');
    return Object(rowsOf(out)[0]);
  };
  const [before, after] = [await resultOf(raw), await resultOf(masked)];
  expect(JSON.stringify(before)).toContain('Call 555-0100');
  expect(after).toMatchObject({ frames: { received: 9, sent: 7, rejected: 1 }, updates: { applied: 8 } });
  expect(shapeOf(Reflect.get(after, 'state'))).toEqual(shapeOf(Reflect.get(before, 'state')));

  expect(await runTool('verify', masked, '--app', ADAPTER, '--update')).toMatchObject({ status: 0 });
  expect(await runTool('verify', masked, '--app', ADAPTER)).toMatchObject({
    status: 0,
    out: expect.stringContaining('1 same'),
  });
});
