import { clip } from '#shared/clip.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import type { Notification, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { reportsOf, viewOf } from '../engine/stateReports.ts';
import { createOutcome } from '../engine/outcome.ts';
import type { Step } from '../engine/replay.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import type { RunDocument } from './runDocument.ts';
import { summary } from './summary.ts';

/** The values of `--with` for another app. */
export const APP_PARTS = ['state', 'display'] as const;

interface AppWanted {
  readonly hash?: boolean | undefined;
  readonly with?: ReadonlySet<string> | undefined;
}

/** The result of `run` with the adapter of another app; its fields have this order. */
export interface AppRunDocument
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
