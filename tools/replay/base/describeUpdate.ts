import { clip, pluralize } from '#shared/formatText.ts';
import type { ContentItem, Message, Update, FrameError, RejectReason } from '#shared/protocol/update.ts';
import { escapeControls } from './visibleText.ts';

/** An item can be megabytes long: only its beginning is used. */
const ITEM_LENGTH = 500;

/** Describes an update on one line, in about `length` characters at most. */
export const describeUpdate = (update: Update, length: number): string =>
  clip(escapeControls(clip(content(update), 4 * length)), length);

function content(update: Update): string {
  switch (update.kind) {
    case 'snapshot':
      return `${update.frame.person}, ${pluralize(update.frame.messages?.length ?? 0, 'message')}`;
    case 'name':
      return update.frame.name;
    case 'message':
      return messageContent(update.frame);
    case 'content':
      return itemText(update.frame);
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

/** Returns the sender, then the items. */
function messageContent({ modifier = '', context = '', content: items = [] }: Message): string {
  const texts = items.map((item) => clip(itemText(item), ITEM_LENGTH));
  return `${context === '' ? modifier : context}: ${texts.join(' ')}`;
}

/** Returns an item's text; for any category but `text` it is in brackets, after the category. */
export function itemText({ category = '', text, html }: ContentItem): string {
  const value = (category === 'html' ? html : text) ?? '';
  if (category === 'text') return value;
  return `[${category === '' ? 'file' : category}${value === '' ? '' : ` ${value}`}]`;
}

/** The reasons why a frame is rejected, in words. */
export const REJECT_REASONS: Readonly<Record<RejectReason, string>> = {
  notText: 'not text',
  tooDeep: 'nested too deep',
  tooManyValues: 'too many values',
  notJson: 'not JSON',
  notAnObject: 'not an object',
  protoKey: 'a field named __proto__',
  wrongType: 'wrong type',
  tooLarge: 'too large',
};

/** Says why a frame is rejected, and at which field. */
export const describeRejection = ({ reason, where }: FrameError): string =>
  `${REJECT_REASONS[reason]}${where === undefined ? '' : ` at ${where}`}`;
