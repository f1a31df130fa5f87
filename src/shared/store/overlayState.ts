import { createReducer, isAnyOf } from '@reduxjs/toolkit';
import {
  alertDismissed,
  alertShown,
  assistantAnswered,
  assistantSubmitted,
  deletionConfirmed,
  dialogClosed,
  dialogOpened,
  findClosed,
  findEdited,
  findOpened,
  hitReached,
  imageOpened,
  imageZoomed,
  menuClosed,
  menuOpened,
  messageMenuClosed,
  messageMenuOpened,
  noteDismissed,
  noteShown,
  platformFileChosen,
  startFailureChanged,
  viewerClosed,
} from '../actions/windowActions.ts';
import {
  type AlertsState,
  type DialogState,
  type FindState,
  type Note,
  type OpenedDialog,
  type Zoom,
  MOST_ALERTS,
} from '../actions/windowSchemas.ts';
import type { ItemPlace } from '../conversation/blobReference.ts';

/** What lies over the conversation of a window, or beside it: alerts, notes, dialogs, menus, the viewer and the find bar. */ const noAlerts: AlertsState =
  { waiting: [], nextId: 0 };

/** Reduces the alerts. */
export const alertsReducer = createReducer(noAlerts, (builder) =>
  builder
    .addCase(alertShown, (alerts, { payload: { text } }): AlertsState => {
      const { waiting, nextId } = alerts;
      if (waiting.length === MOST_ALERTS) return alerts;
      return { waiting: [...waiting, { id: nextId, text }], nextId: nextId + 1 };
    })
    .addCase(alertDismissed, ({ waiting, nextId }): AlertsState => ({ waiting: waiting.slice(1), nextId })),
);

/** The newest note, which stays until it is dismissed; `null` when there is none. */
type NotesState = Note | null;

const noNote = null as NotesState;

/** Reduces the notes. */
export const notesReducer = createReducer(noNote, (builder) =>
  builder.addCase(noteShown, (_, { payload }) => payload).addCase(noteDismissed, () => noNote),
);

const noDialog = null as DialogState;

/** Returns the state of a dialog that has just opened. */
function openedState(opened: OpenedDialog): DialogState {
  if (opened.dialog === 'deleteData') return { ...opened, platformFile: false, isDeleting: false };
  if (opened.dialog === 'assistant') return { ...opened, work: null, result: null, models: [] };
  return opened.dialog === 'models' ? { ...opened, result: null } : opened;
}

/** Reduces the dialog. */
export const dialogReducer = createReducer(noDialog, (builder) =>
  builder
    .addCase(dialogOpened, (_, { payload }): DialogState => openedState(payload))
    .addCase(platformFileChosen, (shown, { payload }): DialogState =>
      shown?.dialog === 'deleteData' ? { ...shown, ...payload } : shown,
    )
    .addCase(deletionConfirmed, (shown, { payload }): DialogState =>
      shown?.dialog === 'deleteData' ? { ...shown, ...payload, isDeleting: true } : shown,
    )
    .addCase(assistantSubmitted, (shown, { payload: { work } }): DialogState =>
      shown?.dialog === 'assistant' ? { ...shown, work, result: null } : shown,
    )
    .addCase(assistantAnswered, (shown, { payload: { result } }): DialogState => {
      const isMenu = shown?.dialog === 'models';
      if (!isMenu && (shown?.dialog !== 'assistant' || shown.work === null)) return shown;
      if (result.kind === 'saved' || result.kind === 'chosen') return noDialog;
      if (isMenu) return { ...shown, result };
      return { ...shown, work: null, result, ...(result.kind === 'tested' && { models: result.models }) };
    })
    .addCase(dialogClosed, () => noDialog),
);

/** Whether the window's menu is open. */
export type MenuState = boolean;

const menuIsClosed = false as MenuState;

/** Reduces the menu. */
export const menuReducer = createReducer(menuIsClosed, (builder) =>
  builder.addCase(menuOpened, () => true).addCase(menuClosed, () => false),
);

/**
 * The place of the image that the viewer shows; `null` while the viewer is closed.
 *
 *     closed ── opened ──▶ an image ── opened ──▶ another image
 *       ▲                     │
 *       └────── closed ───────┘
 */
export type ViewerState = ItemPlace | null;

const viewerIsClosed = null as ViewerState;

/** Reduces the viewer. */
export const viewerReducer = createReducer(viewerIsClosed, (builder) =>
  builder
    .addCase(imageOpened, (_, { payload }): ViewerState => payload)
    .addCase(viewerClosed, () => viewerIsClosed)
    .addCase(startFailureChanged, () => viewerIsClosed),
);

const findIsClosed = null as FindState;

/** Reduces the find bar. */
export const findReducer = createReducer(findIsClosed, (builder) =>
  builder
    .addCase(findOpened, (): FindState => ({ text: '', hit: null }))
    .addCase(findEdited, (_, { payload: { text } }): FindState => ({ text, hit: null }))
    .addCase(hitReached, (find, { payload: { hit } }): FindState => find && { text: find.text, hit })
    .addCase(findClosed, () => findIsClosed)
    .addCase(startFailureChanged, (find, { payload }) => (payload.failure === null ? find : findIsClosed)),
);

/** The zoom of an image that fits. */
export const FIT: Zoom = { factor: 1, x: 0, y: 0 };

/** Reduces the zoom of the viewer. Another image fits again. */
export const viewerZoomReducer = createReducer(FIT, (builder) =>
  builder
    .addCase(imageZoomed, (_, { payload }): Zoom => payload)
    .addMatcher(isAnyOf(imageOpened, viewerClosed, startFailureChanged), () => FIT),
);

/** The index of the message whose menu is open; `null` while none is. */
type MessageMenuState = number | null;

const noMessageMenu = null as MessageMenuState;

/** Reduces the menu of a message. */
export const messageMenuReducer = createReducer(noMessageMenu, (builder) =>
  builder
    .addCase(messageMenuOpened, (_, { payload }): MessageMenuState => payload.message)
    .addMatcher(isAnyOf(messageMenuClosed, startFailureChanged), () => noMessageMenu),
);
