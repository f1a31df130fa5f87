import { questionText } from './lastQuestion.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { messageElement } from '#ui/export/messageElement.ts';
import { messageMarkdown } from '#ui/export/messageMarkdown.ts';
import { messageText } from '#ui/export/messageText.ts';
import { type ItemPlace, blobPath, blobSource } from '#shared/conversation/blobReference.ts';
import type { Saving } from '#shared/actions/outputActions.ts';
import type { MessageChoice } from '#shared/actions/windowActions.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';

/** The number of files of one message that the menu offers to save. */
const FILES = 5;

/** An action of a message. */
export interface MessageAction {
  readonly choice: MessageChoice;
  readonly label: string;
  /** The name of the file that it saves, which is a part of the label. */
  readonly name?: string;
  run(): void;
}

/** What the actions of messages need from the window. */
export interface ActionEffects {
  copy(kind: 'text' | 'markdown', text: string): void;
  /** Copies markup: programs with formatted text paste it formatted, others its source. */
  copyHtml(html: string): void;
  quote(text: string): void;
  /** Opens the text box with the text of the question with this id, which it then replaces. */
  edit(id: string, text: string): void;
  /** Says whether an item was saved. */
  saved(place: ItemPlace, outcome: Saving['outcome']): void;
}

/** Returns the actions of a message, in the order of its menu. The sender is no part of what is copied or quoted. */
export function messageActions(
  message: Message,
  row: number,
  { copy, copyHtml, quote, saved }: ActionEffects,
): MessageAction[] {
  const content = { ...message, context: '' };
  return [
    { choice: 'copyText', label: 'Copy as text', run: () => copy('text', messageText(content)) },
    {
      choice: 'copyMarkdown',
      label: 'Copy as Markdown',
      run: () => copy('markdown', messageMarkdown(content)),
    },
    { choice: 'copyHtml', label: 'Copy as HTML', run: () => copyHtml(messageElement(content).innerHTML) },
    { choice: 'quote', label: 'Quote', run: () => quote(messageText(content)) },
    ...saveActions(message, row, saved),
  ];
}

/** Returns the action that edits the last question. */
export const editAction = (message: Message, { edit }: Pick<ActionEffects, 'edit'>): MessageAction => ({
  choice: 'edit',
  label: 'Edit',
  run: () => edit(message.id ?? '', questionText(message) ?? ''),
});

function saveActions(
  { content = emptyVector() }: Message,
  row: number,
  saved: ActionEffects['saved'],
): MessageAction[] {
  const actions: MessageAction[] = [];
  for (let at = 0; at < content.length && actions.length < FILES; at++) {
    const item = itemAt(content, at);
    const kind = displayedCategory(item?.category);
    if (item === undefined || !item.blob || (kind !== 'image' && kind !== 'file')) continue;
    const name = item.text || (kind === 'image' ? 'image' : 'file');
    const place = { message: row, item: at };
    const run = () => saved(place, saveItem(name, item.blob, place) ? 'started' : 'unreadable');
    actions.push({ choice: 'save', label: 'Save', name, run });
  }
  return actions;
}

/** Time that the browser has to begin a download, in milliseconds. */
const DOWNLOAD_MS = 10_000;

/** Saves the blob of an image or a file under its name, as the browser saves a download. Returns `false` when it is not base64. */
function saveItem(name: string, blob: unknown, place: ItemPlace): boolean {
  const source = blobSource(blob);
  if (typeof source !== 'string') {
    const path = blobPath(source, place);
    if (path !== null) download(name, path);
    return path !== null;
  }
  const bytes = decodeBase64(source);
  if (bytes === null) return false;
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  download(name, address);
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS);
  return true;
}

function download(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = safeFileName(name);
  link.click();
}
