import { formatCount } from './formatCount.ts';
import { QUEUE_TICK_MS } from './limits.ts';

/** Returns how many updates wait for their tick, and how long: `9,360 updates waiting, about 15 min 36 s`. */
export const formatBacklog = (updates: number): string =>
  `${formatCount(updates)} update${updates === 1 ? '' : 's'} waiting, about ${formatDuration(updates * QUEUE_TICK_MS)}`;

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
