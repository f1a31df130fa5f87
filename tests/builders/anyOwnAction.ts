import * as fc from 'fast-check';
import {
  alertDismissed,
  alertShown,
  assistantAnswered,
  assistantSubmitted,
  charactersShown,
  deletionConfirmed,
  dialogClosed,
  dialogOpened,
  fileDropEntered,
  fileDropLeft,
  findClosed,
  findEdited,
  findOpened,
  hitReached,
  imageOpened,
  leftBottom,
  menuClosed,
  menuOpened,
  noteDismissed,
  noteShown,
  platformFileChosen,
  reachedBottom,
  signInFormAnswered,
  signInFormChecked,
  signInFormCleared,
  signInFormEdited,
  signInFormSubmitted,
  soundProgressChanged,
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
  viewChanged,
  viewerClosed,
} from '#shared/actions/windowActions.ts';
import { assistantWork } from '#shared/actions/windowSchemas.ts';
import { ASSISTANT_FIELDS } from '#shared/protocol/assistantSettings.ts';
import type { OwnAction } from '#shared/actions/actionTable.ts';
import { ownView } from '#shared/actions/windowSchemas.ts';

const text = fc.string({ maxLength: 20 });
const error = fc.option(text);

/** Generates actions of a window about its own state. */
export const anyOwnAction = (): fc.Arbitrary<OwnAction> =>
  fc.oneof(
    fc.constantFrom(...ownView.options).map((view) => viewChanged({ view })),
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
    fc.constantFrom(...assistantWork.options).map((work) => assistantSubmitted({ work })),
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
