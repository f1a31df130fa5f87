import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { FILE_BYTES } from '#shared/limits.ts';
import { alertShown } from '#shared/window/alerts.ts';
import { type FileRefusal, fileOffered, fileRefused, fileSent } from '#shared/window/file.ts';
import type { OwnAction } from '#shared/window/ownActions.ts';
import { FILE_TOO_LARGE, FILE_UNREADABLE, FOLDER_DROPPED } from './composerTexts.ts';

type Dispatch = (action: OwnAction) => void;

interface Deps {
  readonly parley: Pick<ParleyBridge, 'invoke' | 'send'>;
  readonly dispatch: Dispatch;
}

const REFUSAL_TEXTS: Readonly<Record<FileRefusal, string>> = {
  tooLarge: FILE_TOO_LARGE,
  folder: FOLDER_DROPPED,
  unreadable: FILE_UNREADABLE,
};

function refuse(file: Pick<File, 'name' | 'size'>, reason: FileRefusal, dispatch: Dispatch): void {
  dispatch(fileRefused({ name: file.name, size: file.size, reason }));
  dispatch(alertShown({ text: REFUSAL_TEXTS[reason] }));
}

/** Sends a file (spec §4.4.2), or shows an alert why it cannot be sent (spec §7). */
export async function sendFile(file: File, { parley, dispatch }: Deps): Promise<void> {
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
  return dispatch(fileSent({ name, size }));
}

/** Returns the first dropped item when it is a file, else `null`. Shows an alert for a folder. */
export function droppedFile(data: DataTransfer | null, dispatch: Dispatch): File | null {
  const item = data?.items[0];
  if (item?.kind !== 'file') return null;
  const entry = item.webkitGetAsEntry();
  if (entry?.isDirectory !== true) return item.getAsFile();
  dispatch(fileOffered({ name: entry.name, size: 0, type: '' }));
  refuse({ name: entry.name, size: 0 }, 'folder', dispatch);
  return null;
}
