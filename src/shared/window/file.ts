import { createAction } from '@reduxjs/toolkit';
import { limitText } from './payloads.ts';

/** A file that a person offers; `size` in bytes. Its content is in no action. */
interface OfferedFile {
  readonly name: string;
  readonly size: number;
}

/** Why a file is not sent. */
export const FILE_REFUSALS = ['tooLarge', 'folder', 'unreadable'] as const;

/** Why a file is not sent. */
export type FileRefusal = (typeof FILE_REFUSALS)[number];

const limited = <T extends OfferedFile>(file: T) => ({ payload: { ...file, name: limitText(file.name) } });

/** The person dropped or picked a file; `type` is its media type. */
export const fileOffered = createAction('file/offered', (file: OfferedFile & { readonly type: string }) =>
  limited({ ...file, type: limitText(file.type) }),
);

/** The file is not sent. A folder has size 0. */
export const fileRefused = createAction(
  'file/refused',
  (file: OfferedFile & { readonly reason: FileRefusal }) => limited(file),
);

/** The file was given to main, which sends it. */
export const fileSent = createAction('file/sent', (file: OfferedFile) => limited(file));
