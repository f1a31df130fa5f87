import { pluralize } from '#shared/pluralize.ts';
import { formatTime } from '../base/formatTime.ts';
import { escapeControls } from '../base/escapeControls.ts';
import { REJECT_REASONS } from '../describe/describeRejection.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import type { RunDocument } from './runDocument.ts';

/** Summarizes a replay for people, one line for each number. */
export function summary(document: RunDocument, { header, replay }: FileReplay): string {
  const { frames, updates, virtualMs, wallMs, hash, stateHash } = document;
  const { counts, queue } = replay;
  const dropped = counts.dropped > 0 ? `, ${counts.dropped} dropped unsent` : '';
  const waiting = queue.length > 0 ? `, ${queue.length} still waiting` : '';
  const lines: readonly (readonly [string, string])[] = [
    ['recorded', `${escapeControls(header.startedAt)}, by Parley ${escapeControls(header.app)}`],
    ['frames', `${frames.received} received${rejectedText(document, replay)}, ${frames.sent} sent${dropped}`],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored${waiting}`],
    ['session', `${formatTime(virtualMs)} to the last update`],
    ['replayed in', `${wallMs} ms`],
    ...(hash === undefined ? [] : [['hash', hash] as const]),
    ...(stateHash === undefined ? [] : [['state hash', stateHash] as const]),
    ['ends with', endText(replay)],
  ];
  return `${escapeControls(document.capture)}\n\n${lines.map(([name, value]) => `  ${name.padEnd(12)} ${value}\n`).join('')}`;
}

const REASONS: Readonly<Record<string, string>> = REJECT_REASONS;

function rejectedText({ frames }: RunDocument, { counts }: FileReplay['replay']): string {
  if (frames.rejected === 0) return '';
  const reasons = Object.entries(counts.rejected).map(([reason, n]) => `${n} ${REASONS[reason] ?? reason}`);
  return ` (${frames.rejected} rejected: ${reasons.join(', ')})`;
}

function endText({ conversation, notifications }: FileReplay['replay']): string {
  const messages = pluralize(conversation.messages.length, 'message');
  const shown = notifications.length > 0 ? `, ${pluralize(notifications.length, 'notification')} shown` : '';
  return `${messages}${shown}`;
}
