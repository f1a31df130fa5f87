import { pluralize } from '#shared/pluralize.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import { REJECT_REASONS } from '../base/describeUpdate.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import type { Replay } from '../parley/parley.ts';
import type { RunDocument } from './runDocument.ts';

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

/** Describes what a session of Parley ends with. */
export function endText({ conversation, notifications }: Replay): string {
  const messages = pluralize(conversation.messages.length, 'message');
  const shown = notifications.length > 0 ? `, ${pluralize(notifications.length, 'notification')} shown` : '';
  return `${messages}${shown}`;
}
