import type { Update } from '#shared/protocol/update.ts';
import type { RecordReader } from './lineTable.ts';
import type { Trace } from './trace.ts';
import { conversationAfter, updateAt } from './traceState.ts';
import { currentItem } from '#shared/conversation/applyUpdate.ts';

/** The number of earlier updates that are decoded; further back, the conversation is computed. */
const LOOK_BACK = 16;

/**
 * Returns what an applied text update added to the text of the last content item: the new end of a streamed text, after `…`. A text that does not
 * continue the one before is returned whole.
 * @param number the number of the update, from 1.
 */
export function addedText(trace: Trace, number: number, read: RecordReader): string | undefined {
  const update = updateAt(trace, number, read);
  if (update?.kind !== 'text') return undefined;
  const text = update.frame.text ?? '';
  const before = textBefore(trace, number, read) ?? '';
  return before !== '' && text.length > before.length && text.startsWith(before)
    ? `…${text.slice(before.length)}`
    : text;
}

/** Returns the text that the update replaces: usually that of the previous update. */
function textBefore(trace: Trace, number: number, read: RecordReader): string | null | undefined {
  for (let before = number - 1; before > Math.max(0, number - 1 - LOOK_BACK); before--) {
    const update = updateAt(trace, before, read);
    if (update !== undefined && setsText(update)) return lastText(update);
  }
  return currentItem(conversationAfter(trace, number - 1))?.text;
}

/** Returns whether the last content item, after the update, is from it. An update that was ignored came before any item. */
const setsText = ({ kind }: Update): boolean =>
  kind === 'text' || kind === 'content' || kind === 'message' || kind === 'snapshot';

function lastText(update: Update): string | null | undefined {
  switch (update.kind) {
    case 'text':
    case 'content':
      return update.frame.text;
    case 'message':
      return update.frame.content?.at(-1)?.text;
    case 'snapshot':
      return update.frame.messages?.at(-1)?.content?.at(-1)?.text;
    case 'name':
    case 'context':
    case 'notification':
      return undefined;
    default:
      return update satisfies never;
  }
}
