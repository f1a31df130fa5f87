import { type RecordContent, ofSocket } from './recordContent.ts';

/** A record with its time in milliseconds since the start of the recording. */
export interface Entry {
  readonly t: number;
  /** `undefined` while the record is incomplete, `null` when it was removed. */
  content: RecordContent | undefined | null;
  size: number;
  isDropped: boolean;
}

/** Options of {@link createRing}. */
export interface RingOptions {
  /** How long records are kept, in milliseconds. */
  readonly keptMs: number;
  /** How much is kept, in characters. */
  readonly keptSize: number;
  /** Is called with the time of the oldest record that is left, and the present time, when records may have been dropped. */
  readonly onDrop: (oldest: number, time: number) => void;
}

/** About how many characters a line has beside its texts. */
const FIELDS = 64;

function sizeOf(content: RecordContent | undefined | null): number {
  if (content === null) return 0;
  if (content === undefined || content.type === 'open' || content.type === 'close') return FIELDS;
  return 'data' in content ? content.data.length + FIELDS : JSON.stringify(content).length;
}

/** Creates a list of the latest records. The oldest ones are dropped when they are older than `keptMs`, or when all together are larger than `keptSize`. */
export function createRing({ keptMs, keptSize, onDrop }: RingOptions) {
  const entries: Entry[] = [];
  const beginning = createBeginning();
  let size = 0;
  const dropOld = (time: number): void => {
    for (let [oldest] = entries; oldest !== undefined; [oldest] = entries) {
      if (oldest.t >= time - keptMs && (size <= keptSize || entries.length === 1)) break;
      entries.shift();
      oldest.isDropped = true;
      size -= oldest.size;
      if (oldest.content !== null) beginning.add(oldest.content);
    }
    onDrop(entries[0]?.t ?? time, time);
  };
  return {
    /** Adds a record, or a place for one. */
    put(t: number, content?: RecordContent): Entry {
      const entry = { t, content, size: sizeOf(content), isDropped: false };
      entries.push(entry);
      size += entry.size;
      dropOld(t);
      return entry;
    },
    /** Completes a record; `null` removes it. */
    complete(entry: Entry, content: RecordContent | null): void {
      const before = entry.size;
      entry.content = content;
      entry.size = sizeOf(content);
      if (!entry.isDropped) size += entry.size - before;
    },
    /** Returns the records that are left, and those that replace the dropped ones. */
    read(time: number) {
      dropOld(time);
      const kept = entries.filter(({ content }) => !beginning.lacks(content));
      return { kept, replacing: beginning.replacing(entries.length - kept.length) };
    },
  };
}

/** What remains of the dropped records: how many they were, the sockets that are open, and the requests whose answers are not complete. */
function createBeginning() {
  let lost = 0;
  const open = new Set<number>();
  const requests = new Set<number>();
  return {
    /** Returns whether the request of this answer was dropped: without it, a reader cannot use the answer. */
    lacks: (content: Entry['content']): boolean => content?.type === 'http' && requests.has(content.id),
    add(content: RecordContent | undefined): void {
      lost += content?.type === 'gap' ? content.lost : 1;
      if (content?.type === 'open') open.add(content.socket ?? 1);
      if (content?.type === 'close') open.delete(content.socket ?? 1);
      if (content?.type !== 'http') return;
      if ('request' in content) requests.add(content.id);
      if (isLast(content)) requests.delete(content.id);
    },
    /** Returns the records that a capture begins with instead of the dropped ones, and of those that cannot be used. */
    replacing(unusable: number): readonly RecordContent[] {
      if (lost === 0) return [];
      const gap = { type: 'gap', lost: lost + unusable } as const;
      return [gap, ...Array.from(open, (socket) => ({ type: 'open', ...ofSocket(socket) }) as const)];
    },
  };
}

const isLast = (content: RecordContent & { readonly type: 'http' }): boolean =>
  'end' in content || 'error' in content || ('response' in content && content.response.body !== undefined);
