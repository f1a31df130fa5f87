import { z } from 'zod';
import { alertDismissed, alertShown } from './alerts.ts';
import {
  assistantAnswered,
  assistantSubmitted,
  deletionConfirmed,
  dialogClosed,
  dialogOpened,
  platformFileChosen,
} from './dialog.ts';
import { FILE_REFUSALS, fileOffered, fileRefused, fileSent } from './file.ts';
import { fileDropEntered, fileDropLeft } from './fileDrop.ts';
import { findClosed, findEdited, findOpened, hitReached } from './find.ts';
import { menuClosed, menuOpened } from './menu.ts';
import { noteDismissed, noteShown } from './notes.ts';
import { stateReported } from './ownReducer.ts';
import {
  assistantResult,
  assistantWork,
  openedDialog,
  ownCount,
  ownHit,
  ownImagePlace,
  ownNote,
  ownSoundProgress,
  ownStartFailure,
  ownState,
  ownText,
  ownView,
} from './ownSchemas.ts';
import { leftBottom, placeLeft, placeReturned, reachedBottom } from './scroll.ts';
import {
  charactersShown,
  signInFormAnswered,
  signInFormChecked,
  signInFormCleared,
  signInFormEdited,
  signInFormSubmitted,
} from './signInForm.ts';
import { soundProgressChanged } from './soundProgress.ts';
import { startFailureChanged } from './startFailure.ts';
import { textBoxClosed, textBoxEdited, textBoxOpened, textBoxRefused, textBoxSent } from './textBox.ts';
import { viewChanged } from './view.ts';
import { imageOpened, viewerClosed } from './viewer.ts';

const nothing = z.undefined();
const text = z.strictObject({ text: ownText });
const error = z.strictObject({ error: ownText.nullable() });
const file = z.strictObject({ name: ownText, size: ownCount });
const platformFile = z.strictObject({ platformFile: z.boolean() });

/** Returns the type of an action, and the schema of its payload. */
const own = <P>(
  creator: { readonly type: string; (...args: never[]): { payload: P } },
  payload: z.ZodType<P>,
) => [creator.type, payload] as const;

/**
 * The allow-list of reports: each action that a window may dispatch and report, with the schema of its payload. A shared fact or an act of
 * main is not on it.
 */
export const OWN_ACTIONS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  own(stateReported, z.strictObject({ state: ownState })),
  own(viewChanged, z.strictObject({ view: ownView })),
  own(signInFormEdited, z.strictObject({ email: ownText, name: ownText })),
  own(charactersShown, z.strictObject({ isShown: z.boolean() })),
  own(signInFormChecked, error),
  own(signInFormSubmitted, nothing),
  own(signInFormAnswered, error),
  own(signInFormCleared, nothing),
  own(textBoxOpened, text),
  own(textBoxEdited, text),
  own(textBoxClosed, nothing),
  own(textBoxSent, nothing),
  own(textBoxRefused, z.strictObject({ length: ownCount })),
  own(fileDropEntered, nothing),
  own(fileDropLeft, nothing),
  own(fileOffered, file.extend({ type: ownText })),
  own(fileRefused, file.extend({ reason: z.enum(FILE_REFUSALS) })),
  own(fileSent, file),
  own(alertShown, text),
  own(alertDismissed, nothing),
  own(noteShown, ownNote),
  own(noteDismissed, nothing),
  own(dialogOpened, openedDialog),
  own(platformFileChosen, platformFile),
  own(deletionConfirmed, platformFile),
  own(assistantSubmitted, z.strictObject({ work: assistantWork })),
  own(assistantAnswered, z.strictObject({ result: assistantResult })),
  own(dialogClosed, nothing),
  own(menuOpened, nothing),
  own(menuClosed, nothing),
  own(leftBottom, nothing),
  own(reachedBottom, nothing),
  own(placeLeft, z.strictObject({ messages: ownCount, isAway: z.boolean() })),
  own(placeReturned, z.strictObject({ messages: ownCount })),
  own(startFailureChanged, z.strictObject({ failure: ownStartFailure })),
  own(soundProgressChanged, ownSoundProgress),
  own(imageOpened, ownImagePlace),
  own(viewerClosed, nothing),
  own(findOpened, nothing),
  own(findEdited, text),
  own(hitReached, z.strictObject({ hit: ownHit })),
  own(findClosed, nothing),
]);

/** An action of a window about its own state. */
export type OwnAction = {
  readonly type: string;
  /** Plain data; `undefined` when the action has none. */
  readonly payload?: unknown;
};

const actionSchema = z.strictObject({ type: z.string(), payload: z.unknown().optional() });

/** Parses what a window reports as its own action; returns `undefined` when it is not on the list or not valid. */
export function parseOwnAction(value: unknown): OwnAction | undefined {
  const action = actionSchema.safeParse(value).data;
  if (action === undefined) return undefined;
  const payload = OWN_ACTIONS.get(action.type)?.safeParse(action.payload);
  if (payload?.success !== true) return undefined;
  return { type: action.type, payload: payload.data };
}

/** Returns whether a value, which may be of any type, has the type of a window's own action. */
export const isOwnAction = (action: unknown): action is OwnAction => OWN_ACTIONS.has(Object(action).type);
