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
  expansionChanged,
  fileDropEntered,
  fileDropLeft,
  findClosed,
  findEdited,
  findOpened,
  hitReached,
  imageOpened,
  imageZoomed,
  leftBottom,
  menuClosed,
  menuOpened,
  messageMenuClosed,
  messageMenuOpened,
  noteDismissed,
  noteShown,
  pageResized,
  platformFileChosen,
  reachedBottom,
  scrollRested,
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
import { assistantWork, EXPANDED_PARTS, viewSchema } from '#shared/actions/windowSchemas.ts';
import { ASSISTANT_FIELDS } from '#shared/protocol/assistantSettings.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';

const text = fc.string({ maxLength: 20 });
const error = fc.option(text);

/** Generates actions of a window about its state. */
export const anyWindowStateAction = (): fc.Arbitrary<WindowStateAction> =>
  fc.oneof(
    fc.constantFrom(...viewSchema.options).map((view) => viewChanged({ view })),
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
    fc.record({ factor: fc.constantFrom(1, 2, 64), x: fc.integer(), y: fc.integer() }).map(imageZoomed),
    fc.record({ width: fc.nat(), height: fc.nat(), pixelRatio: fc.constantFrom(1, 1.5) }).map(pageResized),
    fc.record({ message: fc.nat(), id: text, offset: fc.integer() }).map(scrollRested),
    fc
      .record({
        message: fc.nat(3),
        id: text,
        item: fc.option(fc.nat(3)),
        part: fc.constantFrom(...EXPANDED_PARTS),
        steps: fc.nat(2),
      })
      .map(expansionChanged),
    fc.record({ message: fc.nat() }).map((menu) => messageMenuOpened(menu)),
    fc.constantFrom<WindowStateAction>(
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
      messageMenuClosed({ choice: null }),
      messageMenuClosed({ choice: 'quote' }),
      menuClosed(),
      leftBottom(),
      leftBottom({ stays: true }),
      reachedBottom(),
      reachedBottom({ pulledFrom: { message: 3, id: 'a', offset: -20 } }),
      viewerClosed(),
    ),
  );
