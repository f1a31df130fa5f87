import * as fc from 'fast-check';
import { alertDismissed, alertShown } from '#shared/window/alerts.ts';
import {
  ASSISTANT_WORKS,
  assistantAnswered,
  assistantSubmitted,
  deletionConfirmed,
  dialogClosed,
  dialogOpened,
  platformFileChosen,
} from '#shared/window/dialog.ts';
import { ASSISTANT_FIELDS } from '#shared/protocol/assistantSettings.ts';
import { fileDropEntered, fileDropLeft } from '#shared/window/fileDrop.ts';
import { findClosed, findEdited, findOpened, hitReached } from '#shared/window/find.ts';
import { menuClosed, menuOpened } from '#shared/window/menu.ts';
import { noteDismissed, noteShown } from '#shared/window/notes.ts';
import type { OwnAction } from '#shared/window/ownActions.ts';
import { leftBottom, reachedBottom } from '#shared/window/scroll.ts';
import {
  charactersShown,
  signInFormAnswered,
  signInFormChecked,
  signInFormCleared,
  signInFormEdited,
  signInFormSubmitted,
} from '#shared/window/signInForm.ts';
import { soundProgressChanged } from '#shared/window/soundProgress.ts';
import { startFailureChanged } from '#shared/window/startFailure.ts';
import { textBoxClosed, textBoxEdited, textBoxOpened, textBoxSent } from '#shared/window/textBox.ts';
import { VIEWS, viewChanged } from '#shared/window/view.ts';
import { imageOpened, viewerClosed } from '#shared/window/viewer.ts';

const text = fc.string({ maxLength: 20 });
const error = fc.option(text);

/** Generates actions of a window about its own state. */
export const anyOwnAction = (): fc.Arbitrary<OwnAction> =>
  fc.oneof(
    fc.constantFrom(...VIEWS).map((view) => viewChanged({ view })),
    fc.record({ email: text, name: text }).map((fields) => signInFormEdited(fields)),
    fc.boolean().map((isShown) => charactersShown({ isShown })),
    error.map((shown) => signInFormChecked({ error: shown })),
    error.map((shown) => signInFormAnswered({ error: shown })),
    text.map((one) => textBoxOpened({ text: one })),
    text.map((one) => textBoxEdited({ text: one })),
    text.map((one) => findEdited({ text: one })),
    fc.record({ message: fc.nat(), item: fc.nat(), start: fc.nat() }).map((hit) => hitReached({ hit })),
    text.map((one) => alertShown({ text: one })),
    fc.record({ text, path: text }, { requiredKeys: ['text'] }).map((note) => noteShown(note)),
    fc
      .record({ folder: text, isPlatformBuiltIn: fc.boolean() })
      .map((contents) => dialogOpened({ dialog: 'deleteData', contents })),
    fc
      .record({
        url: text,
        model: text,
        prompt: text,
        hasKey: fc.boolean(),
        variables: fc.array(text, { maxLength: 5 }),
      })
      .map((contents) => dialogOpened({ dialog: 'assistant', contents })),
    fc.constantFrom(...ASSISTANT_WORKS).map((work) => assistantSubmitted({ work })),
    fc
      .oneof(
        fc.record({ kind: fc.constant('tested'), model: text, models: fc.array(text, { maxLength: 5 }) }),
        fc.record({
          kind: fc.constant('failed'),
          field: fc.option(fc.constantFrom(...ASSISTANT_FIELDS)),
          message: text,
        }),
        fc.constant({ kind: 'saved' } as const),
      )
      .map((result) => assistantAnswered({ result })),
    fc.boolean().map((platformFile) => platformFileChosen({ platformFile })),
    fc.boolean().map((platformFile) => deletionConfirmed({ platformFile })),
    fc
      .option(fc.boolean())
      .map((canSave) => startFailureChanged({ failure: canSave === null ? null : { canSave } })),
    fc.option(fc.record({ at: fc.nat(), of: fc.nat() })).map((progress) => soundProgressChanged(progress)),
    fc.record({ message: fc.nat(), item: fc.nat() }).map((place) => imageOpened(place)),
    fc.constantFrom<OwnAction>(
      signInFormSubmitted(),
      signInFormCleared(),
      textBoxClosed(),
      textBoxSent(),
      fileDropEntered(),
      fileDropLeft(),
      alertDismissed(),
      noteDismissed(),
      dialogClosed(),
      findOpened(),
      findClosed(),
      menuOpened(),
      menuClosed(),
      leftBottom(),
      reachedBottom(),
      viewerClosed(),
    ),
  );
