import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';
import { CAPTURE_FORMAT, CAPTURE_VERSION, type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { readCapture } from '../read/readCapture.ts';
import type { Output } from '../base/output.ts';
import { parleyTool } from '../parley/parleyTool.ts';
import { replayTool } from '../replayTool.ts';

/** Creates a folder that is removed after the test. Returns a function from names to paths. */
export async function temporaryFolder(): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-replay-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** The start of every recording of the tests. */
export const STARTED_AT = '2026-11-20T09:00:00.000Z';

/** Writes a capture of these records. */
export async function writeCapture(path: string, records: readonly CaptureRecord[]): Promise<string> {
  const header = { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt: STARTED_AT, app: '0.1.0' };
  await writeFile(path, [header, ...records].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** Writes a capture of these records, `x.parley.jsonl`, in a folder of its own. Returns its path and the folder's function. */
export async function captureIn(records: readonly CaptureRecord[]) {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), records) };
}

/** Writes a capture of these records in a folder of its own. Returns its path. */
export const captureOf = async (records: readonly CaptureRecord[]) => (await captureIn(records)).path;

/** Returns the source of the adapter of a store: it passes the parsed content of each frame to the function `reduce` of its module. */
export const storeSource = (initialState: string): string => `export const adapter = {
  name: 'stored',
  createStore() {
    let state = ${initialState};
    const listeners = new Set();
    return {
      getState: () => state,
      subscribe: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
      dispatch({ content }) { state = reduce(state, content); for (const listener of listeners) listener(); },
    };
  },
  onFrame: (store, data) => store.dispatch({ type: 'frame', content: JSON.parse(data) }),
};
`;

/** Reads a whole capture or HAR. */
export async function wholeCapture(path: string) {
  const { header, records, warnings } = await readCapture(path);
  return { header, records: (await all(records())).flat(), warnings };
}

/** Returns all items. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Creates an output without colors, and what is printed on it. */
export function createOutput(isErrTerminal = false) {
  const printed = { out: '', err: '' };
  const output: Output = {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isOutColored: false,
    isErrTerminal,
  };
  return { output, printed };
}

/** Returns a function that runs the replay tool of an app, off a terminal. */
export const toolOf =
  (app: typeof parleyTool) =>
  async (...args: readonly string[]) => {
    removeSignalListenersLater();
    const { output, printed } = createOutput();
    return { status: await replayTool(args, output, app), ...printed };
  };

/** What the tool returns when it refuses a command: a text on stderr, and status 2. */
export const refused = (err: unknown) => ({ status: 2, out: '', err });

/** Runs the replay tool, off a terminal. */
export const runTool = toolOf(parleyTool);

/** Runs the replay tool, which ends with 0 and prints nothing on stderr; returns what it prints on stdout. */
export async function outOf(...args: readonly string[]): Promise<string> {
  const { out, ...end } = await runTool(...args);
  expect(end).toEqual({ status: 0, err: '' });
  return out;
}

/** Gives these bytes on stdin, until the end of the test. */
export function giveStdin(...chunks: readonly Uint8Array[]): void {
  const stdin = Readable.from(chunks, { objectMode: false });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream, as stdin is; no more of it is used
  const given = vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never);
  onTestFinished(() => given.mockRestore());
}

/** Parses lines of JSON. */
export const rowsOf = (text: string) =>
  text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));

/** Removes the signal listeners of a command after the test: a command keeps them until its process ends. */
function removeSignalListenersLater(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const before = process.listeners(signal);
    onTestFinished(() => {
      const added = process.listeners(signal).filter((listener) => !before.includes(listener));
      for (const listener of added) process.off(signal, listener);
    });
  }
}
