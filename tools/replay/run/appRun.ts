import { clip } from '#shared/clip.ts';
import { type AppView, appView, hashAppReplay, requirePlainData } from '../adapter/appResult.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import type { AppSession } from '../engine/appSession.ts';
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
  extends Omit<RunDocument, 'conversation' | 'notifications' | 'state' | 'stateHash'>, Partial<AppView> {
  readonly app: string;
}

/** Creates the document of an app's replay. @throws {TypeError} when its state is not plain data. */
export function appRunDocument(
  { capture, adapter }: { readonly capture: string; readonly adapter: AppAdapter },
  { replay, wallMs }: FileReplay<AppSession>,
  wanted: AppWanted,
): AppRunDocument {
  const view = appView(adapter, replay.state);
  requirePlainData(view);
  return {
    capture,
    app: adapter.name,
    ...createOutcome(replay),
    virtualMs: replay.queue.lastTick,
    wallMs: Math.round(wallMs * 10) / 10,
    ...(wanted.hash && { hash: hashAppReplay(replay) }),
    ...(wanted.with?.has('state') && { state: view.state }),
    ...(wanted.with?.has('display') && { display: view.display ?? null }),
  };
}

/** Formats the result for people: the summary, then the parts of `--with`. */
export function appRunReport(document: AppRunDocument, done: FileReplay<AppSession>): string {
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
