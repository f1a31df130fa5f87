import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type Change, valueDiff } from '../diff/valueDiff.ts';
import { type Engine, type EngineOptions, createEngine } from './createEngine.ts';
import { replayFile } from './replayFile.ts';
import type { SessionAdapter, SessionState } from './sessionAdapter.ts';
import { reportsOf } from './stateReports.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { captureName } from '../read/stdin.ts';

interface Options {
  /** The capture's name, for errors. */
  readonly name: string;
  readonly adapter: SessionAdapter;
  readonly options?: EngineOptions<SessionState, unknown>;
  /** The state in which the capture before it ended. */
  readonly after: SessionState;
}

interface ContinuedEngine extends Engine<SessionState> {
  differences(): readonly Change[];
}

/**
 * Creates the engine of a capture that follows another one of the same run of the program. Its beginning, the synthetic actions at time 0,
 * is only compared with the state in which the capture before it ended: `differences` returns how they differ, with the beginning as `before`. Its
 * other records continue that state.
 */
export function continuedEngine({ name, adapter, options = {}, after }: Options): ContinuedEngine {
  const { whole } = reportsOf(adapter);
  let engine = createEngine(adapter);
  let differences: readonly Change[] | undefined;
  let isLaunched = false;
  const begin = () => {
    if (differences !== undefined) return;
    differences = valueDiff(whole(engine.state()), whole(after));
    engine = createEngine(adapter, { ...options, start: after });
  };
  return {
    take(record) {
      const isOfBeginning = differences === undefined && 'synthetic' in record;
      isLaunched ||= record.type === 'launch';
      if ((isOfBeginning && !isAtStart(record)) || (OF_SESSION.has(record.type) && !isLaunched))
        throw new CaptureError(
          `${name}: lacks the beginning of its session, so it can follow no other capture`,
        );
      if (!isOfBeginning) begin();
      return engine.take(record);
    },
    pass: (...given) => engine.pass(...given),
    nextTick: (record) => engine.nextTick(record),
    state: () => engine.state(),
    finish() {
      begin();
      return engine.finish();
    },
    differences: () => differences ?? [],
  };
}

/** Returns whether a synthetic record is one of the beginning of a recording; others replace records that are lost. */
const isAtStart = ({ type, t }: CaptureRecord): boolean => type === 'action' && t === 0;

/** The records that are only written while a session runs. */
const OF_SESSION: ReadonlySet<string> = new Set(['recv', 'send', 'open', 'close', 'release']);

/** Captures of one run of the program, in their order. */
export type CapturesInOrder = readonly [string, ...string[]];

/**
 * Replays captures of one run of the program in their order, and resolves to the state after the end of the last session.
 * @throws {CaptureError} when one of them cannot be read, cannot follow the one before it, or does not contain the end of its session.
 */
export async function stateAfter(captures: CapturesInOrder, adapter: SessionAdapter): Promise<SessionState> {
  const options = { passesEnd: true };
  let after = adapter.initialState;
  for (const [i, path] of captures.entries()) {
    const name = captureName(path);
    const isFirst = i === 0;
    const engine = isFirst
      ? createEngine(adapter, options)
      : continuedEngine({ name, adapter, options, after });
    ({ replay: after } = await replayFile(path, engine));
    if (after.queue.launchedAt !== null)
      throw new CaptureError(`${name}: its session does not end, so no capture can follow it`);
  }
  return after;
}

const THEN = /\.then(?=\.parley\.jsonl(?:\.gz)?$)/;

/**
 * Returns the captures of the same run of the program before a capture, by its name, in their order: `x.then.parley.jsonl` follows
 * `x.parley.jsonl`.
 */
export function capturesBefore(capture: string): string[] {
  const before = capture.replace(THEN, '');
  return before === capture ? [] : [...capturesBefore(before), before];
}
