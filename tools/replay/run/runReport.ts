import type { FileReplay } from '../engine/replayFile.ts';
import { escapeControls } from '../base/escapeControls.ts';
import type { RunDocument } from './runDocument.ts';
import { summary } from './summary.ts';
import { transcript } from './transcript.ts';

/** Formats the result of `run` for people, in pieces: the summary, then the parts of `--with`. */
export function* runReport(document: RunDocument, done: FileReplay): Generator<string, void> {
  const { conversation, notifications, state } = document;
  yield summary(document, done);
  if (conversation) yield* transcript(conversation);
  if (notifications) {
    yield '\nNotifications\n';
    for (const { title, body } of notifications)
      yield `  ${escapeControls(title)}: ${escapeControls(body)}\n`;
    if (notifications.length === 0) yield '  none\n';
  }
  if (state) yield `\nState\n${JSON.stringify(state, null, 2).replaceAll(/^/gmu, '  ')}\n`;
  if (!conversation && !notifications && !state)
    yield '\nUse --with conversation,notifications to see the result.\n';
}
