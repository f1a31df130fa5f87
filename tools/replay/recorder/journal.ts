import { CAPTURE_FORMAT, CAPTURE_VERSION, headerLine } from '#shared/capture/captureFormat.ts';
import { roundTime } from '#shared/clock.ts';
import type { RecordContent } from './recordContent.ts';
import { type Entry, type RingOptions, createRing } from './ring.ts';

interface JournalOptions extends RingOptions {
  readonly app: string;
  /** Returns milliseconds since 1970, with decimals. */
  readonly now: () => number;
}

/** Receives the lines of a capture, each with its newline. */
type LineReader = (line: string) => void;

/** The latest records of a session, as a capture. */
export type Journal = ReturnType<typeof createJournal>;

/** Creates a journal of the records that a ring keeps. */
export function createJournal({ app, now, ...kept }: JournalOptions) {
  const startedAt = now();
  const ring = createRing(kept);
  let last = 0;
  let follower: Follower | undefined;
  const time = (): number => (last = Math.max(last, roundTime(now() - startedAt)));
  const put = (content?: RecordContent): Entry => {
    const entry = ring.put(time(), content);
    follower?.take(entry);
    return entry;
  };
  const complete = (entry: Entry, content: RecordContent | null): void => {
    ring.complete(entry, content);
    follower?.flush();
  };
  const begin = () => {
    const { kept: entries, replacing } = ring.read(time());
    // A capture that lost its beginning starts with the oldest record that is left.
    const offset = replacing.length > 0 ? (entries[0]?.t ?? last) : 0;
    const beginning = new Date(startedAt + offset).toISOString();
    const head = { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt: beginning, app } as const;
    const first = [headerLine(head), ...replacing.map((content) => lineOf(0, content))];
    return { entries, offset, first };
  };
  return {
    add: (content: RecordContent): void => void put(content),
    /** Reserves a place for a record that is complete only later, or is dropped. */
    reserve() {
      const entry = put();
      return {
        complete: (content: RecordContent) => complete(entry, content),
        drop: () => complete(entry, null),
      };
    },
    /** Runs a task of the recorder. An exception becomes a missing record: it never reaches the app. */
    quietly(task: () => void): void {
      try {
        task();
      } catch {
        put({ type: 'gap', lost: 1 });
      }
    },
    /** Returns the capture: valid at any time. */
    text(): string {
      const { entries, offset, first } = begin();
      const lines = entries.map((entry) => entryLine(entry, offset));
      return [...first, ...lines, lineOf(roundTime(last - offset), { type: 'end' })].join('');
    },
    /** Passes the lines so far to a reader, and then each line as soon as it is complete. Returns a function that writes the last line. */
    follow(reader: LineReader): () => void {
      const { entries, offset, first } = begin();
      for (const line of first) reader(line);
      const current = createFollower(reader, offset);
      for (const entry of entries) current.take(entry);
      follower = current;
      return () => {
        follower = undefined;
        current.end(time());
      };
    },
  };
}

const lineOf = (t: number, content: RecordContent): string => `${JSON.stringify({ t, ...content })}\n`;

/** Returns the line of a record; of an incomplete one, a gap; of a removed one, nothing. */
const entryLine = ({ t, content }: Entry, offset: number): string =>
  content === null ? '' : lineOf(roundTime(t - offset), content ?? { type: 'gap', lost: 1 });

type Follower = ReturnType<typeof createFollower>;

/** Passes lines on in their order: an incomplete record delays those after it. */
function createFollower(reader: LineReader, offset: number) {
  const waiting: Entry[] = [];
  const pass = (entry: Entry): void => {
    const line = entryLine(entry, offset);
    if (line !== '') reader(line);
  };
  const flush = (): void => {
    for (let [oldest] = waiting; oldest !== undefined && oldest.content !== undefined; [oldest] = waiting) {
      waiting.shift();
      pass(oldest);
    }
  };
  return {
    flush,
    take(entry: Entry): void {
      waiting.push(entry);
      flush();
    },
    /** Passes on what waits, and the last line. */
    end(t: number): void {
      waiting.splice(0).forEach(pass);
      reader(lineOf(roundTime(t - offset), { type: 'end' }));
    },
  };
}
