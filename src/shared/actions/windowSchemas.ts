import { z } from 'zod';
import type { AssistantDialogData, AssistantResult } from '../ipc/assistant.ts';
import type { About, DeletionDialogData, SettingsDialogData } from '../ipc/tools.ts';
import { ASSISTANT_MODELS, OWN_TEXT_LENGTH } from '../limits.ts';
import { ASSISTANT_FIELDS } from '../protocol/assistantSettings.ts';

/** The schemas of what a window says about itself. Every text has a limit, and no object has other keys. */

/** A text of limited length. */
export const ownText = z.string().max(OWN_TEXT_LENGTH);
/** A count, or a size in bytes. */
export const ownCount = z.int().nonnegative();

/**
 * The view that the window shows (spec §3.1):
 *
 *     splash ── false ──▶ login ◀── false ──┐
 *        │                  │               │
 *        │            an identifier         │
 *        │                  ▼               │
 *        └─ an identifier ▶ conversation ───┘
 */
export const ownView = z.enum(['splash', 'login', 'conversation']);
export type View = z.infer<typeof ownView>;

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
const models = z.array(ownText).max(ASSISTANT_MODELS).readonly();
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
export const assistantWork = z.enum(['test', 'save']);
export type AssistantWork = z.infer<typeof assistantWork>;

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

/** A dialog and what it shows beside the shared state. */
export const openedDialog = z.union([
  settingsDialog,
  assistantDialog,
  aboutDialog,
  deleteDataDialog,
  exportDialog,
]);
export type OpenedDialog = z.infer<typeof openedDialog>;

const dialogState = z.union([
  settingsDialog,
  aboutDialog,
  exportDialog,
  assistantDialog.extend({
    work: assistantWork.nullable(),
    /** The result of the last test, or why the settings were not saved. */
    result: assistantResult.nullable(),
    /** The models that the last successful test found. */
    models,
  }),
  deleteDataDialog.extend({
    platformFile: z.boolean(),
    /** Whether the person confirmed the deletion. */
    isDeleting: z.boolean(),
  }),
  z.null(),
]);
/** The open dialog; `null` when there is none. What a person enters in the dialog "Assistant" is in its fields only. */
export type DialogState = z.infer<typeof dialogState>;

/** A message to the person that does not block the window; `path`: the file that the message is about. */
export const ownNote = z.strictObject({ text: ownText, path: ownText.exactOptional() }).readonly();
export type Note = z.infer<typeof ownNote>;

/** The failure because of which the conversation is not opened; `null` when there is none. */
export const ownStartFailure = z
  .strictObject({
    /** Whether something was received that can be saved. */
    canSave: z.boolean(),
  })
  .readonly()
  .nullable();
export type StartFailureState = z.infer<typeof ownStartFailure>;

const seconds = z.number().nonnegative();
/** The position and the length of a playback; `null` while the window plays nothing, or does not know the length. */
export const ownSoundProgress = z.strictObject({ at: seconds, of: seconds }).readonly().nullable();
export type SoundProgressState = z.infer<typeof ownSoundProgress>;
/** The position and the length of a playback, in seconds. */
export type SoundProgress = NonNullable<SoundProgressState>;

/** A hit of a search: where it begins. */
export const ownHit = z
  .strictObject({
    /** The index of the message. */
    message: ownCount,
    /** The index of the item in the message. */
    item: ownCount,
    /** The index of the first character in the item's text, in UTF-16 units. */
    start: ownCount,
  })
  .readonly();
export type FoundHit = z.infer<typeof ownHit>;
const find = z.strictObject({ text: ownText, hit: ownHit.nullable() }).readonly().nullable();
/**
 * The find bar: the text to find, and the current hit; `null` while the bar is closed.
 *
 *     closed ── opened ──▶ open ── edited, reached ──▶ open
 *       ▲                   │
 *       └───── closed ──────┘
 *
 * The number of hits is not in the state: it follows from the text and the conversation.
 */
export type FindState = z.infer<typeof find>;

/** The place of an image. */
export const ownImagePlace = z.strictObject({ message: ownCount, item: ownCount }).readonly();

/** How the viewer shows its image: its magnification, 1 when it fits, and the distance of its middle from the middle of the viewer, in CSS pixels. */
export const ownZoom = z
  .strictObject({ factor: z.number().positive(), x: z.number(), y: z.number() })
  .readonly();
export type Zoom = z.infer<typeof ownZoom>;

/** The size of the window's page. */
export const ownPage = z
  .strictObject({
    /** In CSS pixels. */
    width: ownCount,
    height: ownCount,
    /** The number of the screen's pixels in a CSS pixel: the zoom of the page, times the scale of the screen. */
    pixelRatio: z.number().positive(),
  })
  .readonly();
export type PageSize = z.infer<typeof ownPage>;

/** A message in the conversation: its index, and its id, which need not be unique. */
const ofMessage = { message: ownCount, id: ownText };

/** The place to which a person scrolled: the first message in view, and how far below the top of the view it begins, in CSS pixels. */
export const ownScrollPlace = z.strictObject({ ...ofMessage, offset: z.int() }).readonly();
export type ScrollPlace = z.infer<typeof ownScrollPlace>;

/** What a person can show more of: the items of a message, a long text, large markup, a source and its long text. */
export const EXPANDED_PARTS = ['items', 'text', 'markup', 'source', 'sourceText'] as const;
export const ownExpansion = z
  .strictObject({
    ...ofMessage,
    /** `null`: the message itself. */
    item: ownCount.nullable(),
    part: z.enum(EXPANDED_PARTS),
    /** How often more was shown; 0: it is hidden again. */
    steps: ownCount,
  })
  .readonly();
export type Expansion = z.infer<typeof ownExpansion>;
/** What was expanded first is forgotten while more than this is expanded. */
export const MOST_EXPANDED = 200;

const signInForm = z
  .strictObject({
    email: ownText,
    name: ownText,
    /** Whether the characters of the password are shown. */
    showsCharacters: z.boolean(),
    /** The first error; `null` while the form shows its hint. */
    error: ownText.nullable(),
    /** Whether the form will be sent, or its request is in progress. */
    isBusy: z.boolean(),
    /** How often the form was cleared. A new number makes the window show a new, empty form. */
    cleared: ownCount,
  })
  .readonly();
/** The sign-in form (spec §2.1), without the password: it is only in the form's element, and never in a state or an action. */
export type SignInFormState = z.infer<typeof signInForm>;

/** Further alerts are dropped while this many wait. */
export const MOST_ALERTS = 100;
/** The alerts, which are shown one after the other. */
const alerts = z
  .strictObject({
    /** The shown alert, and those that wait for its dismissal. `id` distinguishes two alerts with the same text. */
    waiting: z
      .array(z.strictObject({ id: ownCount, text: ownText }))
      .max(MOST_ALERTS)
      .readonly(),
    /** The id of the next alert. */
    nextId: ownCount,
  })
  .readonly();
export type AlertsState = z.infer<typeof alerts>;

/**
 * The place in the conversation at which the person last looked:
 *
 *     at the newest message ── left: scrolled up, or the window lost the focus ──▶ left
 *              ▲                                                                    │
 *              └──── returned: at the newest message, in a window with the focus ───┘
 */
const place = z
  .strictObject({
    /** The number of messages when the person left; what arrives after it is new. `null` while the person is at the newest message. */
    leftAt: ownCount.nullable(),
    /** The number of messages before the divider "New messages", from the return until the window loses the focus; `null` when there is none. */
    divider: ownCount.nullable(),
  })
  .readonly();
export type PlaceState = z.infer<typeof place>;

/** A window's whole own state. Its values are plain data. */
export const ownState = z
  .strictObject({
    view: ownView,
    signInForm,
    textBox: ownText.nullable(),
    fileDrop: z.boolean(),
    alerts,
    notes: ownNote.nullable(),
    dialog: dialogState,
    menu: z.boolean(),
    scroll: z.strictObject({ isAtBottom: z.boolean() }).readonly(),
    place,
    startFailure: ownStartFailure,
    soundProgress: ownSoundProgress,
    viewer: ownImagePlace.nullable(),
    find,
    page: ownPage.nullable(),
    scrolledTo: ownScrollPlace.nullable(),
    expanded: z.array(ownExpansion).max(MOST_EXPANDED).readonly(),
    viewerZoom: ownZoom,
    /** The index of the message whose menu is open. */
    messageMenu: ownCount.nullable(),
  })
  .readonly();
/** The state that a window owns. */
export type OwnState = z.infer<typeof ownState>;
