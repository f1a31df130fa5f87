import type { Database } from 'node-sqlite3-wasm';
import { z } from 'zod';
import { isJsonObject, tryParseJson, type JsonObject } from '#shared/json.ts';

const rowSchema = z.object({ account: z.int(), number: z.int(), json: z.string() });

/** Number of messages that are in memory at once. */
const PART = 200;

/**
 * Rewrites the answers and the notices of version 0.2, whose Markdown was cut into plain text and HTML, as items of Markdown and reasoning
 * (contract §9). The caller owns the transaction.
 */
export function migrateAnswers(database: Database): void {
  let place: readonly number[] = [0, 0];
  for (;;) {
    const rows = database
      .all(
        `SELECT account, number, json FROM messages WHERE (account, number) > (?, ?)
           AND (instr(json, '"model":') > 0 OR instr(json, '"notice":true') > 0) ORDER BY account, number LIMIT ${PART}`,
        [...place],
      )
      .map((row) => rowSchema.parse(row));
    for (const { account, number, json } of rows) {
      const message = tryParseJson(json);
      const migrated = isJsonObject(message) ? migrateMessage(message) : message;
      if (migrated === message) continue;
      database.run('UPDATE messages SET json = ? WHERE account = ? AND number = ?', [
        JSON.stringify(migrated),
        account,
        number,
      ]);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    place = [last.account, last.number];
  }
}

function migrateMessage(message: JsonObject): JsonObject {
  if (message.modifier !== 'ai') return message;
  if (message.notice === true) return { ...message, modifier: 'admin', context: '', avatar: '' };
  if (typeof message.model !== 'string' || !Array.isArray(message.content)) return message;
  return { ...message, content: migrateItems(message.content.filter(isJsonObject)) };
}

/** Returns the items of an answer. Empty lines separated their Markdown when the endpoint got it back, so they are in the items now. */
function migrateItems(items: readonly JsonObject[]): readonly JsonObject[] {
  const shown = items.filter((item) => isReasoning(item) || textOf(item) !== '');
  const last = shown.findLast((item) => isMarkdown(item));
  return shown.map((item) => {
    if (isReasoning(item)) return textItem(readReasoning(String(item.html)), { format: 'reasoning' });
    if (!isMarkdown(item)) return textItem(textOf(item));
    return textItem(item === last ? textOf(item) : `${textOf(item)}\n\n`, { format: 'markdown' });
  });
}

const textItem = (text: string, fields: object = {}) => ({
  category: 'text',
  text,
  html: null,
  blob: null,
  ...fields,
});

const textOf = ({ text }: JsonObject): string => (typeof text === 'string' ? text : '');

/** Returns whether an item is of the answer. A note, which said why it ended, is not. */
const isMarkdown = (item: JsonObject): boolean => !('note' in item) && !isReasoning(item);

const isReasoning = ({ category, text, html }: JsonObject): boolean =>
  category === 'html' && typeof html === 'string' && (text ?? null) === null;

/** What the elements of reasoning were in Markdown, as far as that matters to a reader. */
const ELEMENTS: readonly (readonly [RegExp, string])[] = [
  [/<summary>[^<]*<\/summary>/g, ''],
  [/<pre><code(?: class="language-([^"]*)")?>/g, '```$1\n'],
  [/<\/code><\/pre>/g, '```\n\n'],
  [/<\/?code>/g, '`'],
  [/<\/?strong>/g, '**'],
  [/<\/?em>/g, '*'],
  [/<br>/g, '\n'],
  [/<\/(?:td|th)>\n?/g, ' | '],
  [/<\/(?:p|h\d|ul|ol|blockquote|table)>/g, '\n\n'],
  [/<li>/g, '- '],
  [/<[^<>]*>/g, ''],
  [/\n{3,}/g, '\n\n'],
  [/&#x3C;|&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&#x22;|&quot;/g, '"'],
  [/&#x26;|&amp;/g, '&'],
];

/** Returns reasoning as text again. */
const readReasoning = (html: string): string =>
  ELEMENTS.reduce((text, [pattern, markdown]) => text.replaceAll(pattern, markdown), html).trim();
