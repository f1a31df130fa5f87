import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';
import type { Step } from '../engine/replay.ts';
import { pluralize } from '#shared/pluralize.ts';
import { shortened } from '../base/printable.ts';
import { formatTime } from '../base/formatTime.ts';

const WORDS = 100;

/** One update at its tick, on one line: when, what kind, and what it says. */
export function stepLine({ tick, update, effect, notification }: Step): string {
  const said = notification ? `${notification.title}: ${notification.body}` : saidBy(update);
  const ignored = effect === 'ignored' ? '(ignored) ' : '';
  const line = `${formatTime(tick).padStart(9)}  ${update.kind.padEnd(12)}  ${ignored}${shortened(said, WORDS)}`;
  return `${line.trimEnd()}\n`;
}

function saidBy(update: Update): string {
  switch (update.kind) {
    case 'snapshot':
      return `${update.frame.person}, ${pluralize(update.frame.messages?.length ?? 0, 'message')}`;
    case 'name':
      return update.frame.name;
    case 'message':
      return messageSays(update.frame);
    case 'content':
      return itemSays(update.frame);
    case 'context':
      return update.frame.context;
    case 'text':
      return update.frame.text ?? '';
    case 'notification':
      return '';
    default:
      return update satisfies never;
  }
}

function messageSays({ modifier = '', context = '', content = [] }: Message): string {
  const who = context === '' ? modifier : context;
  return `${who}: ${content.map(itemSays).join(' ')}`;
}

/** A content item in words; a text is what it says, anything else is named by its category. */
export function itemSays({ category = '', text, html }: ContentItem): string {
  const words = (category === 'html' ? html : text) ?? '';
  if (category === 'text') return words;
  return `[${category === '' ? 'file' : category}${words === '' ? '' : ` ${words}`}]`;
}
