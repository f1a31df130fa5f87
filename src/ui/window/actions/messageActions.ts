import type { Message } from '#shared/conversation/conversation.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { messageElement } from '#ui/export/messageElement.ts';
import { messageMarkdown } from '#ui/export/messageMarkdown.ts';
import { messageText } from '#ui/export/messageText.ts';
import { type BlobPlace, blobPath, blobSource } from '#shared/conversation/blobReference.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';

/** The number of files of one message that the menu offers to save. */
const FILES = 5;

/** An action of a message. */
export interface MessageAction {
  readonly label: string;
  /** The name of the file that it saves, which is a part of the label. */
  readonly name?: string;
  run(): void;
}

/** What the actions of messages need from the window. */
export interface ActionEffects {
  copy(text: string): void;
  /** Copies markup: programs with formatted text paste it formatted, others its source. */
  copyHtml(html: string): void;
  quote(text: string): void;
}

/** Returns the actions of a message, in the order of its menu. The sender is no part of what is copied or quoted. */
export function messageActions(
  message: Message,
  row: number,
  { copy, copyHtml, quote }: ActionEffects,
): MessageAction[] {
  const content = { ...message, context: '' };
  return [
    { label: 'Copy as text', run: () => copy(messageText(content)) },
    { label: 'Copy as Markdown', run: () => copy(messageMarkdown(content)) },
    { label: 'Copy as HTML', run: () => copyHtml(messageElement(content).innerHTML) },
    { label: 'Quote', run: () => quote(messageText(content)) },
    ...saveActions(message, row),
  ];
}

function saveActions({ content = emptyVector() }: Message, row: number): MessageAction[] {
  const actions: MessageAction[] = [];
  for (let at = 0; at < content.length && actions.length < FILES; at++) {
    const item = itemAt(content, at);
    const kind = displayedCategory(item?.category);
    if (item === undefined || !item.blob || (kind !== 'image' && kind !== 'file')) continue;
    const name = item.text || (kind === 'image' ? 'image' : 'file');
    const run = () => saveItem(name, item.blob, { message: row, item: at });
    actions.push({ label: 'Save', name, run });
  }
  return actions;
}

/** Time that the browser has to begin a download, in milliseconds. */
const DOWNLOAD_MS = 10_000;

/** Saves the blob of an image or a file under its name, as the browser saves a download. Does nothing when it is not base64. */
function saveItem(name: string, blob: unknown, place: BlobPlace): void {
  const source = blobSource(blob);
  if (typeof source !== 'string') {
    const path = blobPath(source, place);
    if (path !== null) download(name, path);
    return;
  }
  const bytes = decodeBase64(source);
  if (bytes === null) return;
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  download(name, address);
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS);
}

function download(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = safeFileName(name);
  link.click();
}
