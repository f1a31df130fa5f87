import { escapeControls, formatTime } from '../base/visibleText.ts';
import { pluralize } from '#shared/formatText.ts';
import type { Stats } from './collectStats.ts';

/** The columns before a value. */
const NAMES = 16;
const MOST_COLUMNS = 100;

interface StatsDocument extends Stats {
  readonly capture: string;
  readonly startedAt: string;
}

/** Formats the numbers for people, with two charts from the launch to the end, not wider than the terminal. */
export function statsReport(stats: StatsDocument, columns: number): string {
  const width = Math.max(10, Math.min(columns, MOST_COLUMNS) - NAMES - 2);
  const { frames, rate, queue, overTime, durationMs } = stats;
  const lines: readonly (readonly [string, string])[] = [
    ['started', escapeControls(stats.startedAt)],
    ['duration', formatTime(durationMs)],
    ['records', listed(stats.records)],
    ['received', `${pluralize(frames.received.count, 'frame')}, ${size(frames.received.bytes)}`],
    ['  kinds', listed(stats.kinds.received)],
    ['  rejected', listed(frames.rejected)],
    [
      'sent',
      `${pluralize(frames.sent.count, 'frame')}, ${size(frames.sent.bytes)}${frames.dropped === null ? '' : `; ${frames.dropped} dropped unsent`}`,
    ],
    ...(stats.kinds.sent === null ? [] : [['  categories', listed(stats.kinds.sent)] as const]),
    ['updates', `${stats.updates.applied} applied, ${stats.updates.ignored} ignored`],
    ...wrapped('acts', listed(stats.acts), width),
    ...(stats.windows === null ? [] : [['windows', windowsOf(stats.windows)] as const]),
    ['connection', connectionOf(stats)],
    ['  closes', closesOf(stats)],
    ['longest gap', gapOf(stats)],
    ['frames/s', `${rate.meanPerSecond} on average, ${rate.maxPerSecond} in the busiest second`],
    ['', chart(overTime.frames, width)],
    ['queue', `${queue.max} deep at most${queue.max > 0 ? `, at ${formatTime(queue.maxAtMs)}` : ''}`],
    ['', `over ${queue.over} for ${formatTime(queue.overMs)}`],
    ['', delaysOf(stats)],
    ['', chart(overTime.queueDepth, width)],
  ];
  const body = lines.map(([name, value]) => `  ${name.padEnd(NAMES - 2)}  ${value}`.trimEnd()).join('\n');
  return `${escapeControls(stats.capture)}\n\n${body}\n`;
}

const listed = (counts: Readonly<Record<string, number | undefined>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${escapeControls(name)}`)
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

const connectionOf = ({ connection: { opens, reconnects, downMs } }: Stats): string =>
  `opened ${pluralize(opens, 'time')}, ${pluralize(reconnects, 'reconnect')}, down for ${formatTime(downMs)}`;

const closesOf = ({ connection: { closes } }: Stats): string =>
  Object.entries(closes)
    .map(([reason, n]) => `${n} ${reason === '' ? 'without a reason' : escapeControls(reason)}`)
    .join(', ') || 'none';

function gapOf({ longestGap: { ms, fromMs, toMs } }: Stats): string {
  return ms === 0
    ? 'none'
    : `${formatTime(ms)} without a frame, from ${formatTime(fromMs)} to ${formatTime(toMs)}`;
}

const delaysOf = ({ queue: { delayMs } }: Stats): string =>
  `waits ${Math.round(delayMs.p50)} ms (median), ${Math.round(delayMs.p95)} ms (95 %), ${Math.round(delayMs.max)} ms (longest)`;

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
  const highest = values.reduce((a, b) => Math.max(a, b), 0);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * values.length) / columns);
    const to = Math.floor(((column + 1) * values.length) / columns);
    const value = values.slice(from, to).reduce((a, b) => Math.max(a, b), 0);
    return BLOCKS[highest === 0 ? 0 : Math.ceil((value / highest) * (BLOCKS.length - 1))];
  }).join('');
}
