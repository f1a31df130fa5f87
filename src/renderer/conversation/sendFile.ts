import { FILE_BYTES } from '#shared/limits.ts';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { FILE_TOO_LARGE, FILE_UNREADABLE, FOLDER_DROPPED } from './composerTexts.ts';

interface Deps {
  readonly parley: Pick<ParleyBridge, 'invoke' | 'send'>;
  readonly alert: (text: string) => void;
}

/** Sends a file (spec §4.4.2), or shows an alert why it cannot be sent (spec §7). */
export async function sendFile(file: File, { parley, alert }: Deps): Promise<void> {
  if (file.size >= FILE_BYTES) return alert(FILE_TOO_LARGE);
  let blob: string;
  try {
    blob = await parley.invoke('encode', await file.arrayBuffer());
  } catch {
    return alert(FILE_UNREADABLE);
  }
  const category = file.type.startsWith('image/') ? 'image' : 'file';
  return parley.send('message', { category, text: file.name, blob });
}

/** Returns the first dropped item when it is a file, else `null`. Shows an alert for a folder. */
export function droppedFile(data: DataTransfer | null, alert: Deps['alert']): File | null {
  const item = data?.items[0];
  if (item?.kind !== 'file') return null;
  if (item.webkitGetAsEntry()?.isDirectory === true) {
    alert(FOLDER_DROPPED);
    return null;
  }
  return item.getAsFile();
}
