import { clip } from '#shared/formatText.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import type { Notification, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { createOutcome, reportsOf, viewOf } from '../engine/stateReports.ts';
import type { Step } from '../engine/createEngine.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import type { RunDocument } from './runDocument.ts';
import { REJECT_REASONS } from '../base/describeUpdate.ts';

/** The values of `--with` for another app. */
export const APP_PARTS = ['state', 'display'] as const;

interface AppWanted {
  readonly hash?: boolean | undefined;
  readonly with?: ReadonlySet<string> | undefined;
}

/** The result of `run` with the adapter of another app; its fields have this order. */
interface AppRunDocument
  extends
    Omit<RunDocument, 'conversation' | 'notifications' | 'state' | 'stateHash'>,
    Partial<ReturnType<typeof viewOf>> {
  readonly app: string;
}

interface About {
  readonly capture: string;
  readonly adapter: SessionAdapter;
  readonly notifications: readonly Notification[];
}

/** Creates the document of an app's replay. */
export function appRunDocument(
  { capture, adapter, notifications }: About,
  { replay, wallMs }: FileReplay<SessionState>,
  wanted: AppWanted,
): AppRunDocument {
  const { state, display = null } = viewOf(adapter, replay);
  return {
    capture,
    app: adapter.name,
    ...createOutcome(replay),
    virtualMs: replay.queue.lastTick,
    wallMs: Math.round(wallMs * 10) / 10,
    ...(wanted.hash && { hash: reportsOf(adapter).hash(replay, notifications) }),
    ...(wanted.with?.has('state') && { state }),
    ...(wanted.with?.has('display') && { display }),
  };
}

/** Formats the result for people: the summary, then the parts of `--with`. */
export function appRunReport(document: AppRunDocument, done: FileReplay<SessionState>): string {
  const parts = APP_PARTS.filter((part) => part in document).map(
    (part) => `\n${part}\n${JSON.stringify(document[part], null, 2).split('\n').map(indented).join('')}`,
  );
  const hint = parts.length === 0 ? `\nUse --with ${APP_PARTS.join(',')} to see the result.\n` : '';
  return `${summary(document, done)}${parts.join('')}${hint}`;
}

const indented = (line: string): string => `  ${escapeLine(line)}\n`;

/** Keeps the indentation of a line of JSON. */
const escapeLine = (line: string): string => {
  const start = line.search(/\S|$/);
  return `${line.slice(0, start)}${escapeControls(line.slice(start))}`;
};

const WIDEST = 100;

/** Describes one update of an app at its tick, on one line. */
export function appStepLine({ tick, kind, effect, update }: Step): string {
  const content = clip(escapeControls(JSON.stringify(update) ?? ''), WIDEST);
  const ignored = effect === 'ignored' ? '(ignored) ' : '';
  return `${formatTime(tick).padStart(9)}  ${escapeControls(kind).padEnd(12)}  ${ignored}${content}\n`;
}

/** The numbers of a replay. */
type Numbers = Omit<RunDocument, 'conversation' | 'notifications' | 'state'>;

/** A replay of Parley, or of another app: only Parley drops messages. */
type Summarized = FileReplay<{
  readonly counts: {
    readonly dropped?: number;
    readonly rejected: Readonly<Partial<Record<string, number>>>;
  };
  readonly queue: { readonly length: number };
}>;

/** Summarizes a replay for people, one line for each number. @param ending what the session ends with. */
export function summary(document: Numbers, { header, replay }: Summarized, ending?: string): string {
  const { frames, updates, virtualMs, wallMs, hash, stateHash } = document;
  const { counts, queue } = replay;
  const { dropped: unsent = 0 } = counts;
  const dropped = unsent > 0 ? `, ${unsent} dropped unsent` : '';
  const waiting = queue.length > 0 ? `, ${queue.length} still waiting` : '';
  const lines: readonly (readonly [string, string])[] = [
    ['recorded', `${escapeControls(header.startedAt)}, by ${escapeControls(recorder(header))}`],
    ['frames', `${frames.received} received${rejectedText(document, replay)}, ${frames.sent} sent${dropped}`],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored${waiting}`],
    ['session', `${formatTime(virtualMs)} to the last update`],
    ['replayed in', `${wallMs} ms`],
    ...(hash === undefined ? [] : [['hash', hash] as const]),
    ...(stateHash === undefined ? [] : [['state hash', stateHash] as const]),
    ...(ending === undefined ? [] : [['ends with', ending] as const]),
  ];
  return `${escapeControls(document.capture)}\n\n${lines.map(([name, value]) => `  ${name.padEnd(12)} ${value}\n`).join('')}`;
}

/** Returns the program that recorded a session, with its version: only Parley leaves its name out. */
const recorder = ({ app }: Summarized['header']): string => (/^\d/.test(app) ? `Parley ${app}` : app);

const REASONS: Readonly<Record<string, string>> = REJECT_REASONS;

function rejectedText({ frames }: Numbers, { counts }: Summarized['replay']): string {
  if (frames.rejected === 0) return '';
  const reasons = Object.entries(counts.rejected).map(
    ([reason, n]) => `${n} ${REASONS[reason] ?? escapeControls(reason)}`,
  );
  return ` (${frames.rejected} rejected: ${reasons.join(', ')})`;
}
