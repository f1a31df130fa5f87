import { isDeepStrictEqual } from 'node:util';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { captureParser } from '#shared/capture/parseCapture.ts';
import type { MainState } from '#main/store/mainStore.ts';
import { createParleyEngine, wholeState } from '#replay/parley/parley.ts';
import { type Disk, textOf } from '../machine/disk.ts';
import type { World } from '../world/world.ts';

/** A moment at which the live state is known. */
interface Moment {
  /** Milliseconds since the launch of the session. */
  readonly at: number;
  /** The state as JSON. */
  readonly state: string;
}

/** A session, and where to find its capture. */
interface Session {
  readonly launchedAt: number;
  readonly moments: Moment[];
  /** The program was killed: the end of the file is missing. */
  isKilled: boolean;
}

const PATTERN = /-recorded(?:-\d+)?\.parley\.jsonl$/u;
/** The most states that are compared of one session, and of one history: each takes a replay. */
const MOMENTS = 3;
const SESSIONS = 2;
/** After this time, what was recorded is in the file. */
const WRITTEN_MS = 1500;

/** Check 3: a capture replays to the live state at each checked moment, by the code of `replay run --with state --at`. */
export class CaptureCheck {
  #current: Session | undefined;
  readonly #sessions: Session[] = [];

  constructor(private readonly world: World) {}

  launched(): void {
    this.#current = { launchedAt: this.world.now(), moments: [], isKilled: false };
    this.#sessions.push(this.#current);
  }

  ended(): void {
    this.#current = undefined;
  }

  killed(): void {
    if (this.#current !== undefined) this.#current.isKilled = true;
    this.#current = undefined;
  }

  /** Keeps the live state of this moment. */
  sample(state: MainState): void {
    const session = this.#current;
    if (session === undefined || session.moments.length >= MOMENTS) return;
    session.moments.push({
      at: this.world.now() - session.launchedAt,
      state: JSON.stringify(wholeState(state)),
    });
  }

  /** Compares the newest captures with the states. */
  check(disk: Disk, folder: string): void {
    const files = [...disk.files(folder)].filter(([path]) => PATTERN.test(path)).map(([, node]) => node);
    for (const session of this.#sessions.filter(({ moments }) => moments.length > 0).slice(-SESSIONS)) {
      // A session whose file was lost may end so soon that the next one begins in this time.
      const next = this.#sessions[this.#sessions.indexOf(session) + 1]?.launchedAt ?? Infinity;
      const end = Math.min(session.launchedAt + WRITTEN_MS, next);
      const file = files.find(({ bornAt }) => bornAt >= session.launchedAt && bornAt < end);
      if (file !== undefined)
        this.#attempt(() => this.#compareAll(textOf(file).split('\n').slice(0, -1), session));
    }
  }

  #attempt(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.world.fail(
        3,
        `the capture cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #compareAll(lines: readonly string[], { moments, launchedAt, isKilled }: Session): void {
    const parser = captureParser();
    const [header, ...rest] = lines;
    if (header === undefined) return;
    parser.header(header);
    const records = rest.map((line) => parser.record(line));
    const launch = records.find(({ type }) => type === 'launch')?.t;
    const last = records.at(-1)?.t;
    if (launch === undefined || last === undefined) return;
    for (const { at, state } of moments) {
      const isWritten = !isKilled && launchedAt + at < this.world.now() - WRITTEN_MS;
      if (isWritten || launch + at < last) this.#compare(records, { at: launch + at, state });
    }
  }

  #compare(records: readonly CaptureRecord[], { at, state }: Moment): void {
    const engine = createParleyEngine({ at });
    for (const record of records) if (!engine.take(record)) break;
    const text = JSON.stringify(wholeState(engine.finish()));
    if (text === state) return;
    const [live, replayed]: unknown[] = [JSON.parse(state), JSON.parse(text)];
    if (isDeepStrictEqual(replayed, live)) return;
    this.world.fail(3, `the capture replays to another state at ${at} ms: ${difference(live, replayed)}`);
  }
}

/** Names the first place that differs, with both values. */
function difference(live: unknown, replayed: unknown, path = ''): string {
  if (isObject(live) && isObject(replayed)) {
    const keys = new Set([...Object.keys(live), ...Object.keys(replayed)]);
    const key = [...keys].find((one) => !isDeepStrictEqual(live[one], replayed[one]));
    if (key !== undefined) return difference(live[key], replayed[key], `${path}.${key}`);
  }
  return `${path} is ${shorten(live)} live and ${shorten(replayed)} replayed`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 120);
