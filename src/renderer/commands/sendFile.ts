import {
  type FileRefusal,
  alertShown,
  fileOffered,
  fileRefused,
  fileSent,
  noteDismissed,
  noteShown,
  textBoxSent,
} from '#shared/actions/windowActions.ts';
import type { WindowState, Note } from '#shared/actions/windowSchemas.ts';
import { formatCount } from '#shared/formatText.ts';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { FILE_BYTES, STATE_TEXT_LENGTH, TEXT_LENGTH } from '#shared/limits.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import type { TextMemory } from '../store/createTextMemory.ts';

/** The texts of the conversation's alerts and notes. The first two are the specification's (spec §7). */
const FILE_TOO_LARGE = 'File must be under 1MB.';
export const TEXT_TOO_LONG = '250 character limit';
const FOLDER_DROPPED = 'A folder cannot be sent. Drop a file instead.';
const FILE_UNREADABLE = 'The file cannot be read.';
const HOLDS = `the text box holds ${formatCount(STATE_TEXT_LENGTH)} characters`;
export const PASTE_CUT = `The pasted text was cut: ${HOLDS}.`;
export const PASTE_SHORTENED = `The pasted text is not shown completely: ${HOLDS}. “Send as file” sends all of it.`;
const PASTE_REST_LOST = `Only the text of the text box was sent: the end of the pasted text was changed there.`;

/** What sending a file needs. */
interface FileDeps extends Pick<WindowStateStore, 'dispatch'> {
  readonly parley: Pick<ParleyBridge, 'invoke' | 'send'>;
  readonly getState: () => { readonly own: Pick<WindowState, 'notes'> };
}

const REFUSAL_TEXTS: Readonly<Record<FileRefusal, string>> = {
  tooLarge: FILE_TOO_LARGE,
  folder: FOLDER_DROPPED,
  unreadable: FILE_UNREADABLE,
};

function refuse(
  file: Pick<File, 'name' | 'size'>,
  reason: FileRefusal,
  dispatch: FileDeps['dispatch'],
): void {
  dispatch(fileRefused({ name: file.name, size: file.size, reason }));
  dispatch(alertShown({ text: REFUSAL_TEXTS[reason] }));
}

/** Sends a file (spec §4.4.2), or shows an alert why it cannot be sent (spec §7). */
export async function sendFile(file: File, { parley, dispatch, getState }: FileDeps): Promise<void> {
  const { name, size, type } = file;
  dispatch(fileOffered({ name, size, type }));
  if (size >= FILE_BYTES) return refuse(file, 'tooLarge', dispatch);
  let blob: string;
  try {
    blob = await parley.invoke('encode', await file.arrayBuffer());
  } catch {
    return refuse(file, 'unreadable', dispatch);
  }
  const category = type.startsWith('image/') ? 'image' : 'file';
  parley.send('message', { category, text: name, blob });
  dispatch(fileSent({ name, size }));
  if (isAboutFiles(getState().own.notes)) dispatch(noteDismissed());
}

/** A dropped or pasted file, or the name of a folder. */
type OfferedItem = File | { readonly folder: string };

/** Returns the files and folders of a drop or a paste, in order. Only its event can read them. */
export const offeredItems = (data: DataTransfer): readonly OfferedItem[] =>
  Array.from(data.items).flatMap((item): readonly OfferedItem[] => {
    const file = item.getAsFile();
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    if (entry?.isDirectory === true) return [{ folder: entry.name }];
    return file === null ? [] : [file];
  });

interface OfferDeps extends FileDeps {
  readonly getState: () => Pick<ShownState, 'own' | 'preferences'>;
}

/**
 * Sends the first of the offered items, and says so when there are more (spec §4.4.2); with the preference `sendAllFiles`, sends all of them in
 * order, until the person logs out. Shows an alert for a folder.
 */
export async function sendOffered(items: readonly OfferedItem[], deps: OfferDeps): Promise<void> {
  const sendsAll = deps.getState().preferences.sendAllFiles;
  const isSignedIn = () => deps.getState().own.view === 'conversation';
  for (const item of sendsAll ? items : items.slice(0, 1)) {
    // The next file may not be for the next account.
    if (!isSignedIn()) return;
    await sendItem(item, deps);
  }
  // After the file, which dismisses the note about earlier ones.
  if (items.length > 1 && !sendsAll && isSignedIn())
    deps.dispatch(noteShown({ text: onlyFirstTaken(items.length) }));
}

async function sendItem(item: OfferedItem, deps: FileDeps): Promise<void> {
  if (item instanceof File) return sendFile(item, deps);
  const folder = { name: item.folder, size: 0 };
  deps.dispatch(fileOffered({ ...folder, type: '' }));
  return refuse(folder, 'folder', deps.dispatch);
}

const ONLY_FIRST = 'Only the first of';

/** Returns the note about several files of which one was taken. */
const onlyFirstTaken = (count: number): string =>
  `${ONLY_FIRST} ${count} files was taken. To send all of them, turn on “Send all dropped files” in the settings.`;

/** Returns whether a note is about files that were not taken. The next file that is sent makes it outdated. */
const isAboutFiles = (note: Note | null): boolean => note?.text.startsWith(ONLY_FIRST) === true;

interface Deps extends FileDeps {
  readonly getState: () => { readonly own: Pick<WindowState, 'notes' | 'textBox'> };
  readonly texts: Pick<TextMemory, 'pasted'>;
}

/**
 * Sends the text of the text box as a text file, with the rest of a pasted text for which the box had no room. Closes the box as Enter does. A file that is
 * too large is refused as a dropped one (spec §7), and its text stays in the box. Does nothing with a text that can be sent as a message.
 */
export async function sendTextAsFile({ texts: { pasted }, ...deps }: Deps): Promise<void> {
  const text = deps.getState().own.textBox ?? '';
  if (text.length < TEXT_LENGTH) return;
  const file = textFile(pasted.complete(text));
  if (pasted.isChangedAtCut(text)) deps.dispatch(noteShown({ text: PASTE_REST_LOST }));
  if (file.size < FILE_BYTES) deps.dispatch(textBoxSent());
  await sendFile(file, deps);
}

/** Maximum length of the name without its extension, in characters. */
const NAME_LENGTH = 40;
/** Number of characters at the beginning of the text in which the name's words are searched. */
const SEARCHED = 500;
/** Matches a word of any script: a name has no other characters, so it is a valid name on every system. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Creates a file with a text, which is named by its first words. A lone surrogate becomes a replacement character. */
export const textFile = (text: string): File => new File([text], textFileName(text), { type: 'text/plain' });

/** Returns the name of a file with this text: its first words, or `message.txt`. */
export function textFileName(text: string): string {
  let name = '';
  for (const [word] of text.slice(0, SEARCHED).matchAll(WORD)) {
    const longer = name === '' ? word : `${name} ${word}`;
    if (name !== '' && Array.from(longer).length > NAME_LENGTH) break;
    name = longer;
  }
  // The first word may be too long: some scripts have no spaces.
  const fitting = Array.from(name).slice(0, NAME_LENGTH).join('');
  return safeFileName(`${fitting || 'message'}.txt`);
}
