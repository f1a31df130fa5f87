import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { isOutgoingCategory } from '#shared/protocol/outgoing.ts';
import { frameBytes } from '../engine/actions.ts';
import { rounded } from './watchQueue.ts';
import { bySecond } from './series.ts';

/** Counts by name. */
export type Tally = Record<string, number>;

/** Adds 1 to the count of a name. */
export const tally = (into: Tally, name: string): void => {
  into[name] = (into[name] ?? 0) + 1;
};

/** Counts the records, and the frames on the wire. */
export function watchTraffic() {
  const records: Tally = {};
  const categories: Tally = {};
  const bytes = { received: 0, sent: 0 };
  const frames = bySecond((a, b) => a + b);
  let received = 0;
  return {
    take(record: CaptureRecord) {
      tally(records, record.type);
      if (!isKnown(record)) return;
      if (record.type === 'send') {
        bytes.sent += sizeOf(record);
        tally(categories, categoryOf(record));
      } else if (record.type === 'recv') {
        bytes.received += sizeOf(record);
        received++;
        frames.add(record.t, 1);
      }
    },
    records,
    /** The client's frames by category (spec §2.3). */
    categories,
    bytes,
    /** Received frames over time. */
    frames,
    /** Received frames per second: the mean of the session, and the highest second. */
    rate: (durationMs: number) => ({
      meanPerSecond: durationMs === 0 ? 0 : rounded((received * 1000) / durationMs),
      maxPerSecond: frames.highest(),
    }),
  };
}

const sizeOf = (record: FrameRecord): number =>
  record.encoding === 'base64' ? Buffer.byteLength(record.data, 'base64') : frameBytes(record);

/** Returns an outgoing frame's category; `other` when it is not one of the specification. */
function categoryOf({ data, encoding }: FrameRecord): string {
  if (encoding === 'base64') return 'other';
  const category = /^\{"category":"(\w+)"/u.exec(data)?.[1] ?? '';
  return isOutgoingCategory(category) ? category : 'other';
}
