import { clip } from '#shared/clip.ts';
import { formatTime } from '../base/formatTime.ts';
import { escapeControls } from '../base/escapeControls.ts';
import { describeUpdate } from '../describe/describeUpdate.ts';
import type { Step } from '../engine/replay.ts';

const WIDEST = 100;

/** Describes one update at its tick, on one line: when, of what kind, with what content. */
export function stepLine({ tick, update, effect, notification }: Step): string {
  const content = notification
    ? clip(escapeControls(`${notification.title}: ${notification.body}`), WIDEST)
    : describeUpdate(update, WIDEST);
  const ignored = effect === 'ignored' ? '(ignored) ' : '';
  const line = `${formatTime(tick).padStart(9)}  ${update.kind.padEnd(12)}  ${ignored}${content}`;
  return `${line.trimEnd()}\n`;
}
