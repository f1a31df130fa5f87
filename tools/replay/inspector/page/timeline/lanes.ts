import { formatCount } from '../parts/format.ts';
import type { SessionInfo, Timeline } from '../../protocol/protocol.ts';
import { type Lane, areaPath, barsPath, maximum } from './paths.ts';

/** The height of the drawing, in pixels. */
export const HEIGHT = 112;

/** The lanes, from the top. The styles use their `id`. */
export const LANES = [
  { id: 'received', label: 'Received', floor: 34, height: 20, path: barsPath },
  { id: 'sent', label: 'Sent', floor: 54, height: 14, path: barsPath },
  { id: 'applied', label: 'Applied', floor: 78, height: 18, path: barsPath },
  { id: 'queue', label: 'Queue', floor: 108, height: 24, path: areaPath },
] as const satisfies readonly (Lane & {
  id: keyof Timeline;
  label: string;
  path: (values: Uint32Array, lane: Lane) => string;
})[];

const WITHOUT_QUEUE = LANES.filter(({ id }) => id !== 'queue');

/** Returns the lanes of a session; the app of some sessions has no queue. */
export const lanesOf = (info: SessionInfo | undefined): readonly (typeof LANES)[number][] =>
  info?.app?.hasQueue === false ? WITHOUT_QUEUE : LANES;

/** Describes the longest queue of the range. */
export const describeLongestQueue = ({ queue }: Timeline): string => `longest ${formatCount(maximum(queue))}`;
