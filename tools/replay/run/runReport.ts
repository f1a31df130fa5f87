import type { Replay } from '../parley/parley.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import { escapeControls } from '../base/visibleText.ts';
import type { RunDocument } from './runDocument.ts';
import type { StateDocument } from '../parley/stateDocument.ts';
import { waitingLine } from './stepLine.ts';
import { endText, summary } from './summary.ts';
import { transcript } from './transcript.ts';

/** Formats the result of `run` for people, in pieces: the summary, then the parts of `--with`. */
export function* runReport(document: RunDocument, done: FileReplay<Replay>): Generator<string, void> {
  const { conversation, notifications, state } = document;
  yield summary(document, done, endText(done.replay));
  if (conversation) yield* transcript(conversation);
  if (notifications) {
    yield '\nNotifications\n';
    for (const { title, body } of notifications)
      yield `  ${escapeControls(title)}: ${escapeControls(body)}\n`;
    if (notifications.length === 0) yield '  none\n';
  }
  if (state) yield* stateReport(state);
  if (!conversation && !notifications && !state)
    yield '\nUse --with conversation,notifications to see the result.\n';
}

/** Formats the state as JSON, then the waiting updates, one a line. */
function* stateReport({ queue, ...state }: StateDocument): Generator<string, void> {
  const { waiting, ...size } = queue;
  yield `\nState\n${JSON.stringify({ ...state, queue: size }, null, 2).replaceAll(/^/gmu, '  ')}\n`;
  if (waiting.length > 0) yield '\nWaiting updates, with the time at which each was received\n';
  for (const update of waiting) yield waitingLine(update);
}
