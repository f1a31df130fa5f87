import { z } from 'zod';
import { ASSISTANT_MODELS, OWN_TEXT_LENGTH } from '../limits.ts';
import type { AssistantDialogData, AssistantResult } from '../ipc/assistant.ts';
import type { About, DeletionDialogData, SettingsDialogData } from '../ipc/tools.ts';
import { ASSISTANT_WORKS, type DialogState, type OpenedDialog } from './dialog.ts';
import { ASSISTANT_FIELDS } from '../protocol/assistantSettings.ts';
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

const MOST_VARIABLES = 10;

const fileSum = z.strictObject({ files: ownCount, bytes: ownCount });
const settings: z.ZodType<SettingsDialogData> = z.strictObject({
  captures: ownText,
  stored: z.strictObject({ recorded: fileSum, saved: fileSum }),
  assistant: z.strictObject({ url: ownText.nullable(), model: ownText.nullable() }).exactOptional(),
});
const assistant: z.ZodType<AssistantDialogData> = z.strictObject({
  url: ownText,
  model: ownText,
  prompt: ownText,
  hasKey: z.boolean(),
  variables: z.array(ownText).max(MOST_VARIABLES),
});
const models = z.array(ownText).max(ASSISTANT_MODELS);
/** The result of a test of the assistant's settings, or of saving them. */
export const assistantResult: z.ZodType<AssistantResult> = z.union([
  z.strictObject({ kind: z.literal('saved') }),
  z.strictObject({ kind: z.literal('tested'), model: ownText, models }),
  z.strictObject({
    kind: z.literal('failed'),
    field: z.enum(ASSISTANT_FIELDS).nullable(),
    message: ownText,
  }),
]);
/** What runs for the dialog "Assistant". */
export const assistantWork = z.enum(ASSISTANT_WORKS);
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
const assistantDialog = z.strictObject({ dialog: z.literal('assistant'), contents: assistant });
const aboutDialog = z.strictObject({ dialog: z.literal('about'), contents: about });
const deleteDataDialog = z.strictObject({ dialog: z.literal('deleteData'), contents: deletion });

const exportDialog = z.strictObject({ dialog: z.literal('export') });

/** A dialog and its contents. */
export const openedDialog: z.ZodType<OpenedDialog> = z.union([
  settingsDialog,
  assistantDialog,
  aboutDialog,
  deleteDataDialog,
  exportDialog,
]);
const dialogState: z.ZodType<DialogState> = z.union([
  settingsDialog,
  aboutDialog,
  exportDialog,
  assistantDialog.extend({ work: assistantWork.nullable(), result: assistantResult.nullable(), models }),
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
