import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { FILE_BYTES } from '#shared/limits.ts';
import {
  type FileRefusal,
  alertShown,
  fileOffered,
  fileRefused,
  fileSent,
  noteDismissed,
  noteShown,
} from '#shared/actions/windowActions.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import {
  FILE_TOO_LARGE,
  FILE_UNREADABLE,
  FOLDER_DROPPED,
  isAboutFiles,
  onlyFirstTaken,
} from './composerTexts.ts';

/** What sending a file needs. */
export interface FileDeps extends Pick<WindowStateStore, 'dispatch'> {
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
