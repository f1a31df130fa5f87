import { type CaptureRecord, isKnown } from '#shared/capture/format.ts';
import { type FrameError, decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { ContentItem, Update } from '#shared/protocol/update.ts';
import { pluralize } from '#shared/pluralize.ts';
import { frameText } from '../../../engine/actions.ts';
import type { StepKind } from '../../protocol/protocol.ts';
import { rejectionWords } from '../../protocol/rejectionWords.ts';

const WIDEST = 120;

/** A step in a few words. */
export function summaryOf(kind: StepKind, record: CaptureRecord): string {
  const words = wordsOf(record).replace(/\s+/g, ' ');
  const whole = kind === 'other' && isKnown(record) ? `after the session’s end: ${words}` : words;
  return whole.length <= WIDEST ? whole : `${whole.slice(0, WIDEST - 1).toWellFormed()}…`;
}

function wordsOf(record: CaptureRecord): string {
  if (!isKnown(record)) return record.type;
  switch (record.type) {
    case 'open':
      return 'connection opened';
    case 'close':
      return `connection closed, ${record.code}${record.reason === '' ? '' : ` ${record.reason}`}`;
    case 'action':
      return record.action.type;
    case 'recv':
      return updateWords(decodeUpdate(frameText(record)));
    case 'send':
      return sentWords(decodeUpdate(frameText(record)), record.data);
    default:
      return record satisfies never;
  }
}

/** What the client sends looks like a content item (spec §2.3). */
const sentWords = (said: Update | FrameError, data: string): string =>
  said.kind === 'content' ? itemWords(said.frame) : data.slice(0, WIDEST);

function updateWords(update: Update | FrameError): string {
  switch (update.kind) {
    case 'rejected':
      return rejectionWords(update);
    case 'snapshot':
      return `${update.frame.person}, ${pluralize(update.frame.messages?.length ?? 0, 'message')}`;
    case 'name':
      return update.frame.name;
    case 'message':
      return messageWords(update.frame.modifier, update.frame.content ?? []);
    case 'content':
      return itemWords(update.frame);
    case 'context':
      return update.frame.context;
    case 'text':
      return update.frame.text ?? 'null';
    case 'notification':
      return 'desktop notification';
    default:
      return update satisfies never;
  }
}

function messageWords(modifier = '', content: readonly ContentItem[] = []): string {
  const [first] = content;
  const more = content.length > 1 ? ` and ${content.length - 1} more` : '';
  return first === undefined ? modifier : `${modifier}: ${itemWords(first)}${more}`;
}

/** A text as it is; anything else with its category before it. Only the beginning: a picture is long. */
function itemWords({ category = '', text, html }: ContentItem): string {
  const said = (text ?? html ?? '').slice(0, WIDEST);
  if (category === 'text') return said;
  return said === '' ? category : `${category}: ${said}`;
}
