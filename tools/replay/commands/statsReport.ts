import { escapeControls, formatTime } from '../base/visibleText.ts';
import { pluralize } from '#shared/formatText.ts';
import type { Stats } from './collectStats.ts';

/** The columns before a value. */
const NAMES = 16;
const MOST_COLUMNS = 100;

/** Formats the numbers for people, with two charts from the launch to the end, not wider than the terminal. */
export function statsReport(stats: Stats, columns: number): string {
  const width = Math.max(10, Math.min(columns, MOST_COLUMNS) - NAMES - 2);
  const { frames, kinds, updates, windows, connection, longestGap: gap, rate, queue, overTime } = stats;
  const dropped = frames.dropped === null ? '' : `; ${frames.dropped} dropped unsent`;
  const { p50, p95, max } = queue.delayMs;
  const lines: readonly (readonly [string, string | null])[] = [
    ['started', escapeControls(stats.startedAt)],
    ['duration', formatTime(stats.durationMs)],
    ['records', listed(stats.records)],
    ['received', framesOf(frames.received)],
    ['  kinds', listed(kinds.received)],
    ['  rejected', listed(frames.rejected)],
    ['sent', `${framesOf(frames.sent)}${dropped}`],
    ['  categories', kinds.sent && listed(kinds.sent)],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored`],
    ...wrapped('acts', listed(stats.acts), width),
    ['windows', windows && windowsOf(windows)],
    [
      'connection',
      `opened ${pluralize(connection.opens, 'time')}, ${pluralize(connection.reconnects, 'reconnect')}, down for ${formatTime(connection.downMs)}`,
    ],
    ['  closes', listed(connection.closes, 'without a reason')],
    [
      'longest gap',
      gap.ms === 0
        ? 'none'
        : `${formatTime(gap.ms)} without a frame, from ${formatTime(gap.fromMs)} to ${formatTime(gap.toMs)}`,
    ],
    ['frames/s', `${rate.meanPerSecond} on average, ${rate.maxPerSecond} in the busiest second`],
    ['', chart(overTime.frames, width)],
    ['queue', `${queue.max} deep at most${queue.max > 0 ? `, at ${formatTime(queue.maxAtMs)}` : ''}`],
    ['', `over ${queue.over} for ${formatTime(queue.overMs)}`],
    [
      '',
      `waits ${Math.round(p50)} ms (median), ${Math.round(p95)} ms (95 %), ${Math.round(max)} ms (longest)`,
    ],
    ['', chart(overTime.queueDepth, width)],
  ];
  const body = lines.flatMap(([name, value]) =>
    value === null ? [] : `${`  ${name.padEnd(NAMES - 2)}  ${value}`.trimEnd()}\n`,
  );
  return `${escapeControls(stats.capture)}\n\n${body.join('')}`;
}

const framesOf = ({ count, bytes }: Stats['frames']['sent']): string =>
  `${pluralize(count, 'frame')}, ${size(bytes)}`;

const listed = (counts: Readonly<Record<string, number | undefined>>, unnamed = ''): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${escapeControls(name) || unnamed}`)
    .join(', ') || 'none';

/** Returns a list as rows that are not wider than `width`; an item is not broken. */
function wrapped(name: string, list: string, width: number): (readonly [string, string])[] {
  const rows: string[] = [];
  for (const item of list.split(', ')) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + item.length + 3 <= width) rows[rows.length - 1] = `${row}, ${item}`;
    else rows.push(item);
  }
  return rows.map((row, i) => [i === 0 ? name : '', i === rows.length - 1 ? row : `${row},`] as const);
}

function windowsOf({ opened, closed, mostOpen, actions }: NonNullable<Stats['windows']>): string {
  const own = Object.values(actions).reduce((a, b) => a + b, 0);
  return `${opened} opened, ${closed} closed, at most ${mostOpen} open; ${pluralize(own, 'own action')}`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** Formats bytes for people, in powers of 1000. */
function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

const BLOCKS = ' ▁▂▃▄▅▆▇█';

/** Draws values as a line of at most `width` blocks. The highest value is the highest block; every value above 0 is visible. */
function chart(values: readonly number[], width: number): string {
  const columns = Math.min(values.length, width);
  const highest = Math.max(1, ...values);
  return Array.from({ length: columns }, (_, column) => {
    const [from, to] = [column, column + 1].map((at) => Math.floor((at * values.length) / columns));
    return BLOCKS[Math.ceil((Math.max(0, ...values.slice(from, to)) / highest) * (BLOCKS.length - 1))];
  }).join('');
}
