import { blobSource } from '#shared/conversation/blobReference.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { isDivider } from '#shared/conversation/notice.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';

/** Number of the newest messages in which the last question is searched. */
const SEARCHED = 50;

/** The last question of the person, whose text can be written again. */
interface LastQuestion {
  readonly index: number;
  readonly message: Message;
}

/** Returns the last message of the person in this topic, if it has a text and the assistant understands `edit`; otherwise `null`. */
export function lastQuestion({
  conversation: { messages },
  words,
}: Pick<SharedState, 'conversation' | 'words'>): LastQuestion | null {
  if (!words.includes('edit')) return null;
  for (let at = messages.length - 1; at >= messages.length - SEARCHED; at--) {
    const message = itemAt(messages, at);
    if (message === undefined || isDivider(message)) return null;
    if (message.modifier !== 'client' || isWord(message)) continue;
    return questionText(message) === null ? null : { index: at, message };
  }
  return null;
}

/** Words that a platform may return as messages of the person. */
const RETURNED = new Set(['stop', 'again', 'continue']);

const isWord = ({ content }: Message): boolean =>
  RETURNED.has((content && itemAt(content, 0)?.text)?.trim().toLowerCase() ?? '');

/** Returns the text of a question: of a text, or of the text file as which a long text was sent; `null` of any other message. */
export function questionText({ content }: Message): string | null {
  const item = content?.length === 1 ? itemAt(content, 0) : undefined;
  if (item?.category === 'text') return item.text || null;
  return item?.category === 'file' ? textOfFile(item) : null;
}

function textOfFile({ text, blob }: ContentItem): string | null {
  const source = blobSource(blob);
  if (typeof source !== 'string' || text?.endsWith('.txt') !== true) return null;
  const bytes = decodeBase64(source);
  if (bytes === null || bytes.length > 3 * STATE_TEXT_LENGTH) return null;
  const written = new TextDecoder().decode(bytes);
  return written.length > 0 && written.length <= STATE_TEXT_LENGTH ? written : null;
}
