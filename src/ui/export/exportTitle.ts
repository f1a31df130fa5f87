import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { formatCount } from '#shared/formatText.ts';
import tokens from '../base/tokens.css?raw';
import style from './exported.css?raw';
import { element } from './messageElement.ts';

/** Returns the title of an export. */
export const exportTitle = ({ person }: Conversation): string =>
  person === null || person.trim() === ''
    ? 'Conversation'
    : `Conversation of ${person.replaceAll(/\s+/gu, ' ').trim()}`;

/** Returns the line below the title: how much was exported, and when. */
export function exportNote({ messages: { length } }: Conversation, today: Date): string {
  const count = length === 1 ? '1 message' : `${formatCount(length)} messages`;
  return `${count}, exported from Parley on ${localTime(today)}`;
}

/** Formats a time in the time zone of this computer: `2026-11-22 16:05`. */
export function localTime(time: Date): string {
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

const two = (number: number): string => String(number).padStart(2, '0');

/**
 * Returns a message whose sender is followed by the time at which the message arrived: `Ada (2026-11-22 16:05)`.
 * @param at in milliseconds since 1970 (UTC); `undefined` when it is not known.
 */
export function withArrivalTime(message: Message, at: number | undefined): Message {
  if (at === undefined) return message;
  const { context = '' } = message;
  const time = localTime(new Date(at));
  return { ...message, context: context === '' ? time : `${context} (${time})` };
}

/** The end of an exported page. */
export const HTML_END = '</main>\n</body>\n</html>\n';

const STYLE = `${tokens}${style}`;

/**
 * Returns the beginning of an exported page. Its policy allows its own style, and pictures and sounds that it contains: the file loads
 * nothing and runs nothing.
 */
export async function htmlStart(title: string, note: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE));
  const styleHash = `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    element('title', {}, title).outerHTML,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body class="exported-page">',
    '<main class="exported">',
    titleElement(title, note).outerHTML,
    '',
  ].join('\n');
}

/** Returns the title of an export, and the line below it. */
export const titleElement = (title: string, note: string): HTMLElement =>
  element('div', { class: 'exported-title' }, element('h1', { dir: 'auto' }, title), element('p', {}, note));
