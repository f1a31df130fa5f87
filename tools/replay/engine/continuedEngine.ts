import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type Change, valueDiff } from '../diff/valueDiff.ts';
import { type EngineOptions, type StateEngine, createEngine } from './createEngine.ts';
import { replayFile } from './replayFile.ts';
import type { SessionAdapter, SessionState } from './sessionAdapter.ts';
import { reportsOf } from './stateReports.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { captureName } from '../read/stdin.ts';

interface Options<State extends SessionState, Update, Action> {
  /** The capture's name, for errors. */
  readonly name: string;
  readonly adapter: SessionAdapter<State, Update, Action>;
  readonly options?: EngineOptions<State, Update>;
  /** The state in which the capture before it ended. */
  readonly after: State;
}

/** An engine that continues the session before. */
interface ContinuedEngine<State> extends StateEngine<State> {
  /** Returns how that state differs from the beginning of the capture: `before` is the beginning. */
  differences(): readonly Change[];
}

/**
 * Creates the engine of a capture that follows another one of the same run of the program. Its beginning, the synthetic actions at time 0,
 * is only compared with the state in which the capture before it ended. Its other records continue that state.
 */
export function continuedEngine<State extends SessionState, Update, Action>({
  name,
  adapter,
  options = {},
  after,
}: Options<State, Update, Action>): ContinuedEngine<State> {
  const { whole } = reportsOf<State>(adapter);
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
      if ((isOfBeginning && !isAtStart(record)) || (isOfSession(record) && !isLaunched))
        throw new CaptureError(
          `${name}: lacks the beginning of its session, so it can follow no other capture`,
        );
      if (!isOfBeginning) begin();
      return engine.take(record);
    },
    pass: (record, most) => engine.pass(record, most),
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

const isOfSession = ({ type }: CaptureRecord): boolean => OF_SESSION.has(type);

/** Captures of one run of the program, in their order. */
export type CapturesInOrder = readonly [string, ...string[]];

/**
 * Replays captures of one run of the program in their order, and resolves to the state after the end of the last session.
 * @throws {CaptureError} when one of them cannot be read, cannot follow the one before it, or does not contain the end of its session.
 */
export async function stateAfter<State extends SessionState, Update, Action>(
  [first, ...others]: CapturesInOrder,
  adapter: SessionAdapter<State, Update, Action>,
): Promise<State> {
  const options = { passesEnd: true };
  let state = await endOf(first, createEngine(adapter, options));
  for (const path of others)
    state = await endOf(path, continuedEngine({ name: captureName(path), adapter, options, after: state }));
  return state;
}

async function endOf<State extends SessionState>(path: string, engine: StateEngine<State>): Promise<State> {
  await replayFile(path, engine);
  const state = engine.state();
  if (state.queue.launchedAt === null) return state;
  throw new CaptureError(`${captureName(path)}: its session does not end, so no capture can follow it`);
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
