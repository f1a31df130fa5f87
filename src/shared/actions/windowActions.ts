/**
 * The actions of the window state: what a person does in a window, and what the window shows because of it. The window applies them at once and sends them to
 * main, which folds them into `windows`. Each text is limited when its action is created: a replay reduces recorded actions and creates none.
 */
import { z } from 'zod';
import type { AssistantInUse } from '../protocol/assistantSettings.ts';
import { ofWindowState } from './defineAction.ts';
import {
  limitText,
  type Expansion,
  type ScrollPlace,
  type SoundProgressState,
  type Zoom,
  assistantInUse,
  assistantResult,
  assistantWork,
  openedDialog,
  wholeNumber,
  expansionSchema,
  hitSchema,
  imagePlaceSchema,
  noteSchema,
  pageSchema,
  scrollPlaceSchema,
  soundProgressSchema,
  startFailureSchema,
  windowStateSchema,
  limitedText,
  viewSchema,
  zoomSchema,
} from './windowSchemas.ts';

interface Text {
  readonly text: string;
}
const text = z.strictObject({ text: limitedText });
const withText = { payload: text, prepare: ({ text: given }: Text) => ({ text: limitText(given) }) };

/** The first action of a loaded page, and the answer to `requestState`: replaces main's copy of the window's state. */
export const stateReported = ofWindowState(
  'window/stateReported',
  'a page that has loaded, or that main requests its state from',
  { payload: z.strictObject({ state: windowStateSchema }), changes: ['own.*'], codes: ['view', 'dialog'] },
);

export const viewChanged = ofWindowState('view/changed', 'showNotices', {
  payload: z.strictObject({ view: viewSchema }),
  // The window keeps its size, and the assistant is not of the account.
  changes: Object.keys(windowStateSchema.unwrap().shape).flatMap((slice) =>
    slice === 'page' || slice === 'assistant' ? [] : [`own.${slice}`],
  ),
  codes: ['view'],
});

const ofSignInForm = { changes: ['own.signInForm'] };
const withError = {
  ...ofSignInForm,
  payload: z.strictObject({ error: limitedText.nullable() }),
  prepare: ({ error }: { readonly error: string | null }) => ({
    error: error === null ? null : limitText(error),
  }),
};
/** A field was edited, also the password, which is in no action. */
export const signInFormEdited = ofWindowState(
  'signInForm/edited',
  'input of any field, also of the password, which it does not contain',
  {
    ...ofSignInForm,
    payload: z.strictObject({ email: limitedText, name: limitedText }),
    prepare: ({ email, name }: { readonly email: string; readonly name: string }) => ({
      email: limitText(email),
      name: limitText(name),
    }),
  },
);
/** The person showed or hid the characters of the password. */
export const charactersShown = ofWindowState('signInForm/charactersShown', 'button of the password', {
  ...ofSignInForm,
  payload: z.strictObject({ isShown: z.boolean() }),
});
/** The form was checked, or changed before its request: its first error, or `null` when it is valid or empty. */
export const signInFormChecked = ofWindowState('signInForm/checked', 'the check of the form', withError);
/** The form is valid and will be sent: the person pressed Enter or, without it, the request has begun. */
export const signInFormSubmitted = ofWindowState(
  'signInForm/submitted',
  'the form, with the request',
  ofSignInForm,
);
/** The request was answered: its error, or `null` on success. */
export const signInFormAnswered = ofWindowState('signInForm/answered', 'the answer of `auth`', withError);
/** The person's data was deleted: the form is empty. */
export const signInFormCleared = ofWindowState(
  'signInForm/cleared',
  'showNotices: the data was deleted',
  ofSignInForm,
);

const ofTextBox = { changes: ['own.textBox', 'own.editing'] };
/** What the person opened the box with: a text, and the id of the question that it is the text of. */
interface Opening extends Text {
  readonly edits?: string;
}
/** The person opened the box; `text` is the character that opened it, or empty. `edits` is the id of the question that a text of it will replace. */
export const textBoxOpened = ofWindowState(
  'textBox/opened',
  'a key; the floating button; a paste; Ctrl+Z; a draft after a reload; Edit',
  {
    ...ofTextBox,
    payload: z.strictObject({ text: limitedText, edits: limitedText.optional() }),
    prepare: ({ text: given, edits }: Opening) => ({
      text: limitText(given),
      ...(edits !== undefined && { edits: limitText(edits) }),
    }),
  },
);
export const textBoxEdited = ofWindowState('textBox/edited', 'input; a recalled text', {
  changes: ['own.textBox'],
  ...withText,
});
/** The person closed the box, which drops the text. */
export const textBoxClosed = ofWindowState('textBox/closed', 'Escape; Backspace', ofTextBox);
/** The person sent the text, which closes the box. */
export const textBoxSent = ofWindowState('textBox/sent', 'Enter', ofTextBox);
/** The text was too long to be sent; `length` in UTF-16 units. It stays in the box. */
export const textBoxRefused = ofWindowState('textBox/refused', 'Enter: the text is too long', {
  payload: z.strictObject({ length: wholeNumber }),
});

const ofFileDrop = { changes: ['own.fileDrop'] };
export const fileDropEntered = ofWindowState('fileDrop/entered', 'a drag', ofFileDrop);
/** The drag left the window, or ended with a drop. */
export const fileDropLeft = ofWindowState('fileDrop/left', 'a drag', ofFileDrop);

/** A file that a person offers; `size` in bytes. Its content is in no action. */
const file = z.strictObject({ name: limitedText, size: wholeNumber });
type OfferedFile = z.infer<typeof file>;
const limited = <F extends OfferedFile>(offered: F) => ({ ...offered, name: limitText(offered.name) });

const fileWithType = file.extend({ type: limitedText });
/** The person dropped or picked a file; `type` is its media type. */
export const fileOffered = ofWindowState('file/offered', 'a drop; a paste; the attach button', {
  payload: fileWithType,
  prepare: (offered: z.infer<typeof fileWithType>) => limited({ ...offered, type: limitText(offered.type) }),
});
const fileWithReason = file.extend({ reason: z.enum(['tooLarge', 'folder', 'unreadable']) });
/** Why a file is not sent. */
export type FileRefusal = z.infer<typeof fileWithReason>['reason'];
/** The file is not sent. A folder has size 0. */
export const fileRefused = ofWindowState('file/refused', 'the check of the file', {
  payload: fileWithReason,
  prepare: limited<z.infer<typeof fileWithReason>>,
  codes: ['reason'],
});
/** The file was given to main, which sends it. */
export const fileSent = ofWindowState('file/sent', 'the file was given to main', {
  payload: file,
  prepare: limited<OfferedFile>,
});

const ofAlerts = { changes: ['own.alerts'] };
export const alertShown = ofWindowState('alerts/shown', 'the window', { ...ofAlerts, ...withText });
/** The person closed the alert; the next one is shown. */
export const alertDismissed = ofWindowState('alerts/dismissed', 'the alert’s button', ofAlerts);

const ofNotes = { changes: ['own.notes'] };
export const noteShown = ofWindowState(
  'notes/shown',
  'a notice of main; channels `voiceNote`, `saved`, `diagnosticsCopied`; a drop or a paste of several files; a paste that was cut; the end of a copy, an export or a print',
  {
    ...ofNotes,
    payload: noteSchema,
    prepare: ({ text: given, path }: Text & { readonly path?: string }) => ({
      text: limitText(given),
      ...(path !== undefined && { path: limitText(path) }),
    }),
  },
);
export const noteDismissed = ofWindowState(
  'notes/dismissed',
  'the note’s button; a sent file, if the note is about files of an earlier drop',
  ofNotes,
);

const ofDialog = { changes: ['own.dialog'] };
const withPlatformFile = { ...ofDialog, payload: z.strictObject({ platformFile: z.boolean() }) };
export const dialogOpened = ofWindowState(
  'dialog/opened',
  'channels `settings`, `assistant`, `models`, `about`, `deleteData`, `export`',
  { ...ofDialog, payload: openedDialog, codes: ['dialog'] },
);
/** The person chose whether "Delete my data" deletes the built-in platform's file too. */
export const platformFileChosen = ofWindowState(
  'dialog/platformFileChosen',
  'dialog *Delete my data*',
  withPlatformFile,
);
/** The person confirmed "Delete my data". */
export const deletionConfirmed = ofWindowState(
  'dialog/deletionConfirmed',
  'dialog *Delete my data*',
  withPlatformFile,
);
/** The person requested a test, or that the settings of the assistant are stored. */
export const assistantSubmitted = ofWindowState(
  'dialog/assistantSubmitted',
  'dialog *Assistant*. Contains none of the settings',
  { ...ofDialog, payload: z.strictObject({ work: assistantWork }), codes: ['work'] },
);
/** Main answered. A dialog whose settings were stored closes, as the menu of the models does after a choice. */
export const assistantAnswered = ofWindowState('dialog/assistantAnswered', 'channel `assistantResult`', {
  ...ofDialog,
  payload: z.strictObject({ result: assistantResult }),
  codes: ['kind', 'field'],
});
/** The person closed the dialog, or their data was deleted. */
export const dialogClosed = ofWindowState('dialog/closed', 'the dialog’s button; Escape', ofDialog);
/** Main said who answers: the page has loaded, or it was changed. */
export const assistantShown = ofWindowState('assistant/shown', 'channel `assistantInUse`', {
  payload: assistantInUse,
  prepare: ({ isDemonstration, model }: AssistantInUse) => ({
    isDemonstration,
    model: model === null ? null : limitText(model),
  }),
  changes: ['own.assistant'],
});

const ofMenu = { changes: ['own.menu'] };
export const menuOpened = ofWindowState('menu/opened', 'the menu’s button', ofMenu);
export const menuClosed = ofWindowState('menu/closed', 'a choice; Escape; a click elsewhere', ofMenu);

/** `stays`: updates do not scroll the conversation until the person returns to the newest message. */
export const leftBottom = ofWindowState('scroll/leftBottom', 'scrolling; *Stay here*', {
  payload: z
    .strictObject({ stays: z.literal(true) })
    .optional()
    .describe('stays'),
  prepare: (how?: { readonly stays: true }) => how,
  changes: ['own.scroll'],
});
/** `pulledFrom`: an update scrolled the conversation, which rested there. */
export const reachedBottom = ofWindowState(
  'scroll/reachedBottom',
  'scrolling; an update; some seconds after the update',
  {
    payload: z.strictObject({ pulledFrom: scrollPlaceSchema }).optional().describe('pulledFrom'),
    prepare: (how?: { readonly pulledFrom: ScrollPlace }) =>
      how && { pulledFrom: { ...how.pulledFrom, id: limitText(how.pulledFrom.id) } },
    changes: ['own.scroll', 'own.scrolledTo'],
  },
);
/** The person scrolled up, and the conversation rests there. */
export const scrollRested = ofWindowState('scroll/rested', 'reportScroll: scrolling, when the view rests', {
  payload: scrollPlaceSchema,
  prepare: (place: ScrollPlace) => ({ ...place, id: limitText(place.id) }),
  changes: ['own.scrolledTo'],
});

/** The page got its first size, or another one: the window was resized, or its page zoomed. */
export const pageResized = ofWindowState(
  'page/resized',
  'reportPageSize: a loaded page; a resize of the window or a zoom of its page, when it rests',
  { payload: pageSchema, changes: ['own.page'] },
);

/** The person showed more of a message or an item, or hid a source again. */
export const expansionChanged = ofWindowState(
  'expansion/changed',
  '*Show more*, *Show all*, *Show source*, *Hide source*; hideGoneExpansions: the message is gone',
  {
    payload: expansionSchema,
    prepare: (expansion: Expansion) => ({ ...expansion, id: limitText(expansion.id) }),
    changes: ['own.expanded'],
    codes: ['part'],
  },
);

const ofMessageMenu = { changes: ['own.messageMenu'] };
/** The person opened the menu of the message with this index. */
export const messageMenuOpened = ofWindowState('messageMenu/opened', 'the message’s button; Enter', {
  ...ofMessageMenu,
  payload: z.strictObject({ message: wholeNumber }),
});
const choice = z.enum(['copyText', 'copyMarkdown', 'copyHtml', 'quote', 'edit', 'save']);
/** An entry of a message's menu. */
export type MessageChoice = z.infer<typeof choice>;
/** The menu was closed: with a choice, whose result follows (`clipboard/copied`, `textBox/…`, `item/saved`), or without one (`null`). */
export const messageMenuClosed = ofWindowState('messageMenu/closed', 'a choice; Escape; a click elsewhere', {
  ...ofMessageMenu,
  payload: z.strictObject({ choice: choice.nullable() }),
  codes: ['choice'],
});

const ofPlace = { changes: ['own.place'] };
/** `isAway`: the window lost the focus or is not visible. Without it, the person scrolled up. */
export const placeLeft = ofWindowState(
  'place/left',
  'reportPlace: the person scrolls up, or the window loses the focus',
  { ...ofPlace, payload: z.strictObject({ messages: wholeNumber, isAway: z.boolean() }) },
);
export const placeReturned = ofWindowState(
  'place/returned',
  'reportPlace: the person is at the newest message again',
  {
    ...ofPlace,
    payload: z.strictObject({ messages: wholeNumber }),
  },
);

export const startFailureChanged = ofWindowState('startFailure/changed', 'showNotices', {
  payload: z.strictObject({ failure: startFailureSchema }),
  changes: [
    'own.startFailure',
    'own.textBox',
    'own.editing',
    'own.fileDrop',
    'own.scroll',
    'own.find',
    'own.place',
    'own.viewer',
    'own.scrolledTo',
    'own.expanded',
    'own.viewerZoom',
    'own.messageMenu',
  ],
});

const ofViewer = { changes: ['own.viewer', 'own.viewerZoom'] };
/** The person opened an image, or went to the next or previous one. */
export const imageOpened = ofWindowState(
  'viewer/opened',
  'a press on an image; the keys and buttons for the next and the previous one',
  { ...ofViewer, payload: imagePlaceSchema },
);
export const viewerClosed = ofWindowState('viewer/closed', 'Escape; the viewer’s button', ofViewer);
const round = (value: number) => Math.round(value * 1000) / 1000;
/** The person magnified, moved or fitted the image. */
export const imageZoomed = ofWindowState(
  'viewer/zoomed',
  'the viewer’s keys and buttons, the wheel, a double click, two fingers, a drag; when they rest',
  {
    payload: zoomSchema,
    prepare: ({ factor, x, y }: Zoom) => ({ factor: round(factor), x: round(x), y: round(y) }),
    changes: ['own.viewerZoom'],
  },
);

const ofFind = { changes: ['own.find'] };
export const findOpened = ofWindowState('find/opened', 'Ctrl+F; the menu', ofFind);
/** The person changed the text. */
export const findEdited = ofWindowState('find/edited', 'input', { ...ofFind, ...withText });
/** The search, or the person, went to a hit. */
export const hitReached = ofWindowState(
  'find/reached',
  'the search, which found the first hit; *Next*, *Previous*',
  {
    ...ofFind,
    payload: z.strictObject({ hit: hitSchema }),
  },
);
export const findClosed = ofWindowState('find/closed', 'Escape; the bar’s button', ofFind);

/** The progress of the playback; `null` while its numbers are not known. */
export const soundProgressChanged = ofWindowState('soundProgress/changed', 'the playing sound', {
  payload: soundProgressSchema,
  prepare: (progress: SoundProgressState) =>
    progress !== null && [progress.at, progress.of].every(Number.isFinite) ? progress : null,
  changes: ['own.soundProgress'],
});
