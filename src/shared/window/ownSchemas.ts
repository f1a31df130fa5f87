import { z } from 'zod';
import { OWN_TEXT_LENGTH } from '../limits.ts';
import type { About, DeletionDialogData, SettingsDialogData } from '../ipc/tools.ts';
import { type DialogState, type OpenedDialog } from './dialog.ts';
import { MOST_ALERTS } from './alerts.ts';
import type { FindState, FoundHit } from './find.ts';
import type { Note } from './notes.ts';
import type { OwnState } from './ownReducer.ts';
import type { SignInFormState } from './signInForm.ts';
import type { SoundProgressState } from './soundProgress.ts';
import type { StartFailureState } from './startFailure.ts';
import { VIEWS } from './view.ts';
import type { ItemPlace } from '../conversation/sounds.ts';

/** The schemas of what a window reports about itself. Every text has a limit, and no object has other keys. */

/** A text of limited length. */
export const ownText = z.string().max(OWN_TEXT_LENGTH);
/** A count, or a size in bytes. */
export const ownCount = z.int().nonnegative();
/** The view of a window. */
export const ownView = z.enum(VIEWS);

const fileSum = z.strictObject({ files: ownCount, bytes: ownCount });
const settings: z.ZodType<SettingsDialogData> = z.strictObject({
  captures: ownText,
  stored: z.strictObject({ recorded: fileSum, saved: fileSum }),
});
const about: z.ZodType<About> = z.strictObject({
  parley: ownText,
  host: ownText,
  chromium: ownText.nullable(),
  node: ownText,
  licence: ownText,
});
const deletion: z.ZodType<DeletionDialogData> = z.strictObject({
  folder: ownText,
  isPlatformBuiltIn: z.boolean(),
});

const settingsDialog = z.strictObject({ dialog: z.literal('settings'), contents: settings });
const aboutDialog = z.strictObject({ dialog: z.literal('about'), contents: about });
const deleteDataDialog = z.strictObject({ dialog: z.literal('deleteData'), contents: deletion });

const exportDialog = z.strictObject({ dialog: z.literal('export') });

/** A dialog and its contents. */
export const openedDialog: z.ZodType<OpenedDialog> = z.union([
  settingsDialog,
  aboutDialog,
  deleteDataDialog,
  exportDialog,
]);
const dialogState: z.ZodType<DialogState> = z.union([
  settingsDialog,
  aboutDialog,
  exportDialog,
  deleteDataDialog.extend({ platformFile: z.boolean(), isDeleting: z.boolean() }),
  z.null(),
]);

/** A note. */
export const ownNote: z.ZodType<Note> = z.strictObject({ text: ownText, path: ownText.exactOptional() });

/** The failure because of which the conversation is not opened. */
export const ownStartFailure: z.ZodType<StartFailureState> = z
  .strictObject({ canSave: z.boolean() })
  .nullable();

const seconds = z.number().nonnegative();
/** The progress of a playback. */
export const ownSoundProgress: z.ZodType<SoundProgressState> = z
  .strictObject({ at: seconds, of: seconds })
  .nullable();

/** A hit of the find bar. */
export const ownHit: z.ZodType<FoundHit> = z.strictObject({
  message: ownCount,
  item: ownCount,
  start: ownCount,
});
const find: z.ZodType<FindState> = z.strictObject({ text: ownText, hit: ownHit.nullable() }).nullable();

/** The place of an image. */
export const ownImagePlace: z.ZodType<ItemPlace> = z.strictObject({ message: ownCount, item: ownCount });

const signInForm: z.ZodType<SignInFormState> = z.strictObject({
  email: ownText,
  name: ownText,
  showsCharacters: z.boolean(),
  error: ownText.nullable(),
  isBusy: z.boolean(),
  cleared: ownCount,
});

/** A window's whole own state. */
export const ownState: z.ZodType<OwnState> = z.strictObject({
  view: ownView,
  signInForm,
  textBox: ownText.nullable(),
  fileDrop: z.boolean(),
  alerts: z.strictObject({
    waiting: z.array(z.strictObject({ id: ownCount, text: ownText })).max(MOST_ALERTS),
    nextId: ownCount,
  }),
  notes: ownNote.nullable(),
  dialog: dialogState,
  menu: z.boolean(),
  scroll: z.strictObject({ isAtBottom: z.boolean() }),
  place: z.strictObject({ leftAt: ownCount.nullable(), divider: ownCount.nullable() }),
  startFailure: ownStartFailure,
  soundProgress: ownSoundProgress,
  viewer: ownImagePlace.nullable(),
  find,
});
