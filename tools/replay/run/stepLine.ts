import { clip } from '#shared/clip.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import { describeUpdate } from '../base/describeUpdate.ts';
import type { ParleyStep } from '../parley/parley.ts';

const WIDEST = 100;

/** Describes one update at its tick, on one line: when, of what kind, with what content. */
export function stepLine({ tick, update, effect, notification }: ParleyStep): string {
  const content = notification
    ? clip(escapeControls(`${notification.title}: ${notification.body}`), WIDEST)
    : describeUpdate(update, WIDEST);
  return line(tick, update, `${effect === 'ignored' ? '(ignored) ' : ''}${content}`);
}

/** Describes one waiting update, on one line: when it was received, of what kind, with what content. */
export const waitingLine = ({ at, update }: ReceivedUpdate): string =>
  line(at, update, describeUpdate(update, WIDEST));

const line = (time: number, { kind }: Update, content: string): string =>
  `${`${formatTime(time).padStart(9)}  ${kind.padEnd(12)}  ${content}`.trimEnd()}\n`;
