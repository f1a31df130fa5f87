import type { FileReplay } from '../engine/replayFile.ts';
import { printable } from '../base/printable.ts';
import type { RunDocument } from './runDocument.ts';
import { formatTime } from '../base/formatTime.ts';
import { pluralize } from '#shared/pluralize.ts';

const REASONS: Readonly<Record<string, string>> = {
  notText: 'not text',
  tooDeep: 'nested too deep',
  tooManyValues: 'too many values',
  notJson: 'not JSON',
  notAnObject: 'not an object',
  protoKey: 'a field named __proto__',
  wrongType: 'a field of a wrong type',
  tooLarge: 'too large',
};

/** What came of a replay, for people: a line for each thing there is to say. */
export function summary(document: RunDocument, { header, replay }: FileReplay): string {
  const { frames, updates, virtualMs, wallMs, hash } = document;
  const { counts, queue } = replay;
  const dropped = counts.dropped > 0 ? `, ${counts.dropped} dropped unsent` : '';
  const waited = queue.length > 0 ? `, ${queue.length} still waited` : '';
  const lines: readonly (readonly [string, string])[] = [
    ['recorded', `${printable(header.startedAt)}, by Parley ${printable(header.app)}`],
    ['frames', `${frames.received} received${rejectedOf(document, replay)}, ${frames.sent} sent${dropped}`],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored${waited}`],
    ['session', `${formatTime(virtualMs)} to the last update`],
    ['replayed in', `${wallMs} ms`],
    ...(hash === undefined ? [] : [['hash', hash] as const]),
    ['ends with', endOf(replay)],
  ];
  return `${printable(document.capture)}\n\n${lines.map(([name, value]) => `  ${name.padEnd(12)} ${value}\n`).join('')}`;
}

function rejectedOf({ frames }: RunDocument, { counts }: FileReplay['replay']): string {
  if (frames.rejected === 0) return '';
  const reasons = Object.entries(counts.rejected).map(([reason, n]) => `${n} ${REASONS[reason] ?? reason}`);
  return ` (${frames.rejected} rejected: ${reasons.join(', ')})`;
}

function endOf({ conversation, notifications }: FileReplay['replay']): string {
  const messages = pluralize(conversation.messages.length, 'message');
  const raised =
    notifications.length > 0 ? `, ${pluralize(notifications.length, 'notification')} raised` : '';
  return `${messages}${raised}`;
}
