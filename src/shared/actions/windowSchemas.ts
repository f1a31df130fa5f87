import { z } from 'zod';
import { betweenCharacters } from '../formatText.ts';
import type { About, DeletionDialogData, SettingsDialogData } from '../ipc/channels.ts';
import { ASSISTANT_MODELS, STATE_TEXT_LENGTH } from '../limits.ts';
import {
  type AssistantDialogData,
  type AssistantInUse,
  type AssistantResult,
  ASSISTANT_FIELDS,
} from '../protocol/assistantSettings.ts';

/** The schemas of what a window says about itself. Every text has a limit, and no object has other keys. */

/** A text of limited length. */
export const limitedText = z.string().max(STATE_TEXT_LENGTH);
/** A count, or a size in bytes. */
export const wholeNumber = z.int().nonnegative();

/**
 * The view that the window shows (spec §3.1):
 *
 *     splash ── false ──▶ login ◀── false ──┐
 *        │                  │               │
 *        │            an identifier         │
 *        │                  ▼               │
 *        └─ an identifier ▶ conversation ───┘
 */
export const viewSchema = z.enum(['splash', 'login', 'conversation']);
export type View = z.infer<typeof viewSchema>;

const MOST_VARIABLES = 10;

const fileSum = z.strictObject({ files: wholeNumber, bytes: wholeNumber });
const settings: z.ZodType<SettingsDialogData> = z.strictObject({
  captures: limitedText,
  stored: z.strictObject({ recorded: fileSum, saved: fileSum }),
  assistant: z.strictObject({ url: limitedText.nullable(), model: limitedText.nullable() }).exactOptional(),
});
const assistant: z.ZodType<AssistantDialogData> = z.strictObject({
  url: limitedText,
  model: limitedText,
  prompt: limitedText,
  hasKey: z.boolean(),
  variables: z.array(limitedText).max(MOST_VARIABLES),
});
const models = z.array(limitedText).max(ASSISTANT_MODELS).readonly();
/** The result of a test of the assistant's settings or of a list of models, of saving the settings, or of the choice of a model. */
export const assistantResult: z.ZodType<AssistantResult> = z.union([
  z.strictObject({ kind: z.literal('saved') }),
  z.strictObject({ kind: z.literal('chosen') }),
  z.strictObject({ kind: z.literal('tested'), model: limitedText, models }),
  z.strictObject({
    kind: z.literal('failed'),
    field: z.enum(ASSISTANT_FIELDS).nullable(),
    message: limitedText,
  }),
]);
/** What runs for the dialog "Assistant". */
export const assistantWork = z.enum(['test', 'save']);
export type AssistantWork = z.infer<typeof assistantWork>;

const about: z.ZodType<About> = z.strictObject({
  parley: limitedText,
  host: limitedText,
  chromium: limitedText.nullable(),
  node: limitedText,
  licence: limitedText,
});
const deletion: z.ZodType<DeletionDialogData> = z.strictObject({
  folder: limitedText,
  isPlatformBuiltIn: z.boolean(),
});

const settingsDialog = z.strictObject({ dialog: z.literal('settings'), contents: settings });
const assistantDialog = z.strictObject({ dialog: z.literal('assistant'), contents: assistant });
const aboutDialog = z.strictObject({ dialog: z.literal('about'), contents: about });
const deleteDataDialog = z.strictObject({ dialog: z.literal('deleteData'), contents: deletion });
/** The menu of the models. */
const modelsMenu = z.strictObject({ dialog: z.literal('models') });
const exportDialog = z.strictObject({ dialog: z.literal('export') });

/** A dialog and what it shows beside the shared state. */
export const openedDialog = z.union([
  settingsDialog,
  assistantDialog,
  modelsMenu,
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
  modelsMenu.extend({
    /** The list of the models, or why there is none; `null` until main has answered. */
    result: assistantResult.nullable(),
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

/** Who answers; `null` when another platform does, or until main has said so. */
export const assistantInUse: z.ZodType<AssistantInUse> = z
  .strictObject({ isDemonstration: z.boolean(), model: limitedText.nullable() })
  .readonly();

/** A message to the person that does not block the window; `path`: the file that the message is about. */
export const noteSchema = z.strictObject({ text: limitedText, path: limitedText.exactOptional() }).readonly();
export type Note = z.infer<typeof noteSchema>;

/** The failure because of which the conversation is not opened; `null` when there is none. */
export const startFailureSchema = z
  .strictObject({
    /** Whether something was received that can be saved. */
    canSave: z.boolean(),
  })
  .readonly()
  .nullable();
export type StartFailureState = z.infer<typeof startFailureSchema>;

const seconds = z.number().nonnegative();
/** The position and the length of a playback; `null` while the window plays nothing, or does not know the length. */
export const soundProgressSchema = z.strictObject({ at: seconds, of: seconds }).readonly().nullable();
export type SoundProgressState = z.infer<typeof soundProgressSchema>;
/** The position and the length of a playback, in seconds. */
export type SoundProgress = NonNullable<SoundProgressState>;

/** A hit of a search: where it begins. */
export const hitSchema = z
  .strictObject({
    /** The index of the message. */
    message: wholeNumber,
    /** The index of the item in the message. */
    item: wholeNumber,
    /** The index of the first character in the item's text, in UTF-16 units. */
    start: wholeNumber,
  })
  .readonly();
export type FoundHit = z.infer<typeof hitSchema>;
const find = z.strictObject({ text: limitedText, hit: hitSchema.nullable() }).readonly().nullable();
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
export const imagePlaceSchema = z.strictObject({ message: wholeNumber, item: wholeNumber }).readonly();

/** How the viewer shows its image: its magnification, 1 when it fits, and the distance of its middle from the middle of the viewer, in CSS pixels. */
export const zoomSchema = z
  .strictObject({ factor: z.number().positive(), x: z.number(), y: z.number() })
  .readonly();
export type Zoom = z.infer<typeof zoomSchema>;

/** The size of the window's page. */
export const pageSchema = z
  .strictObject({
    /** In CSS pixels. */
    width: wholeNumber,
    height: wholeNumber,
    /** The number of the screen's pixels in a CSS pixel: the zoom of the page, times the scale of the screen. */
    pixelRatio: z.number().positive(),
  })
  .readonly();
export type PageSize = z.infer<typeof pageSchema>;

/** A message in the conversation: its index, and its id, which need not be unique. */
const ofMessage = { message: wholeNumber, id: limitedText };

/** The place to which a person scrolled: the first message in view, and how far below the top of the view it begins, in CSS pixels. */
export const scrollPlaceSchema = z.strictObject({ ...ofMessage, offset: z.int() }).readonly();
export type ScrollPlace = z.infer<typeof scrollPlaceSchema>;

/** What a person can show more of: the items of a message, a long text, large markup, a source and its long text. */
export const EXPANDED_PARTS = ['items', 'text', 'markup', 'source', 'sourceText'] as const;
export const expansionSchema = z
  .strictObject({
    ...ofMessage,
    /** `null`: the message itself. */
    item: wholeNumber.nullable(),
    part: z.enum(EXPANDED_PARTS),
    /** How often more was shown; 0: it is hidden again. */
    steps: wholeNumber,
  })
  .readonly();
export type Expansion = z.infer<typeof expansionSchema>;
/** What was expanded first is forgotten while more than this is expanded. */
export const MOST_EXPANDED = 200;

const signInForm = z
  .strictObject({
    email: limitedText,
    name: limitedText,
    /** Whether the characters of the password are shown. */
    showsCharacters: z.boolean(),
    /** The first error; `null` while the form shows its hint. */
    error: limitedText.nullable(),
    /** Whether the form will be sent, or its request is in progress. */
    isBusy: z.boolean(),
    /** How often the form was cleared. A new number makes the window show a new, empty form. */
    cleared: wholeNumber,
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
      .array(z.strictObject({ id: wholeNumber, text: limitedText }))
      .max(MOST_ALERTS)
      .readonly(),
    /** The id of the next alert. */
    nextId: wholeNumber,
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
    leftAt: wholeNumber.nullable(),
    /** The number of messages before the divider "New messages", from the return until the window loses the focus; `null` when there is none. */
    divider: wholeNumber.nullable(),
  })
  .readonly();
export type PlaceState = z.infer<typeof place>;

/**
 * The scroll intent: whether the conversation stays at its newest message. The person leaves the bottom by scrolling up; each update
 * brings the window back (spec §4.4), unless the person stays:
 *
 *     at the bottom ── left ──▶ away ── an update ──▶ at the bottom, pulled ── some seconds ──▶ at the bottom
 *           ▲                    │                              │
 *           │                    └── reached ──┐                └── Stay here ──▶ away, stays
 *           └──────────────────────────────────┴────────────────────── reached ──────┘
 */
const scroll = z
  .strictObject({
    isAtBottom: z.boolean(),
    /** Where the person read before an update scrolled to the bottom, for some seconds. */
    pulledFrom: scrollPlaceSchema.optional(),
    /** Whether updates do not scroll until the person is at the bottom again. */
    stays: z.literal(true).optional(),
  })
  .readonly();
export type ScrollState = z.infer<typeof scroll>;

/** A window's whole state. Its values are plain data. */
export const windowStateSchema = z
  .strictObject({
    view: viewSchema,
    signInForm,
    textBox: limitedText.nullable(),
    fileDrop: z.boolean(),
    alerts,
    notes: noteSchema.nullable(),
    dialog: dialogState,
    menu: z.boolean(),
    scroll,
    place,
    startFailure: startFailureSchema,
    soundProgress: soundProgressSchema,
    viewer: imagePlaceSchema.nullable(),
    find,
    page: pageSchema.nullable(),
    scrolledTo: scrollPlaceSchema.nullable(),
    expanded: z.array(expansionSchema).max(MOST_EXPANDED).readonly(),
    viewerZoom: zoomSchema,
    /** The index of the message whose menu is open. */
    messageMenu: wholeNumber.nullable(),
    assistant: assistantInUse.nullable(),
    /** The id of the question that the text of the text box replaces; absent while the person edits none. */
    editing: limitedText.optional(),
  })
  .readonly();
/** The state that a window owns. */
export type WindowState = z.infer<typeof windowStateSchema>;

/** Returns a text as a window's state contains it: at most `STATE_TEXT_LENGTH` long. */
export const limitText = (text: string): string =>
  text.length <= STATE_TEXT_LENGTH ? text : text.slice(0, betweenCharacters(text, STATE_TEXT_LENGTH));
