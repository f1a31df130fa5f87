import * as fc from 'fast-check';
import { type WindowState, EXPANDED_PARTS, viewSchema } from '#shared/actions/windowSchemas.ts';

const count = fc.nat({ max: 100 });

/** The values of each slice; a slice that is missing here is a type error. */
const slicesWith = (
  text: fc.Arbitrary<string>,
): { readonly [S in keyof WindowState]: fc.Arbitrary<WindowState[S]> } => ({
  view: fc.constantFrom(...viewSchema.options),
  signInForm: fc.record({
    email: text,
    name: text,
    showsCharacters: fc.boolean(),
    error: fc.option(text),
    isBusy: fc.boolean(),
    cleared: count,
  }),
  textBox: fc.option(text),
  editing: fc.option(text, { nil: undefined }),
  fileDrop: fc.boolean(),
  alerts: fc.record({
    waiting: fc.array(fc.record({ id: count, text }), { maxLength: 3 }),
    nextId: count,
  }),
  notes: fc.option(fc.record({ text, path: text }, { requiredKeys: ['text'] })),
  dialog: fc.oneof(
    fc.constantFrom(null, { dialog: 'export' } as const, { dialog: 'models', result: null } as const),
    fc.record({
      dialog: fc.constant('deleteData'),
      contents: fc.record({ folder: text, isPlatformBuiltIn: fc.boolean() }),
      platformFile: fc.boolean(),
      isDeleting: fc.boolean(),
    }),
    fc.record({
      dialog: fc.constant('assistant'),
      contents: fc.record({
        url: text,
        model: text,
        prompt: text,
        hasKey: fc.boolean(),
        variables: fc.array(text, { maxLength: 3 }),
      }),
      work: fc.constantFrom(null, 'test' as const, 'save' as const),
      result: fc.option(fc.record({ kind: fc.constant('failed'), field: fc.constant(null), message: text })),
      models: fc.array(text, { maxLength: 3 }),
    }),
  ),
  menu: fc.boolean(),
  scroll: fc.record(
    {
      isAtBottom: fc.boolean(),
      stays: fc.constant(true as const),
      pulledFrom: fc.record({ message: count, id: text, offset: fc.integer() }),
    },
    { requiredKeys: ['isAtBottom'] },
  ),
  place: fc.record({ leftAt: fc.option(count), divider: fc.option(count) }),
  startFailure: fc.option(fc.record({ canSave: fc.boolean() })),
  soundProgress: fc.option(fc.record({ at: count, of: count })),
  viewer: fc.option(fc.record({ message: count, item: count })),
  find: fc.option(
    fc.record({ text, hit: fc.option(fc.record({ message: count, item: count, start: count })) }),
  ),
  page: fc.option(fc.record({ width: count, height: count, pixelRatio: fc.constantFrom(0.5, 1, 1.25) })),
  scrolledTo: fc.option(fc.record({ message: count, id: text, offset: fc.integer() })),
  expanded: fc.array(
    fc.record({
      message: count,
      id: text,
      item: fc.option(count),
      part: fc.constantFrom(...EXPANDED_PARTS),
      steps: count,
    }),
    { maxLength: 3 },
  ),
  viewerZoom: fc.record({ factor: fc.constantFrom(1, 1.5, 64), x: fc.integer(), y: fc.integer() }),
  messageMenu: fc.option(count),
  assistant: fc.option(fc.record({ isDemonstration: fc.boolean(), model: fc.option(text) })),
});

/** Generates states of windows, with every kind of value in each slice. @param text the texts that a person sees or types. */
export const anyWindowState = (text = fc.string({ maxLength: 20 })): fc.Arbitrary<WindowState> =>
  fc.record(slicesWith(text)).map(withoutMissing);

/** Returns the state as a window has it: without the field of a question when none is edited. */
const withoutMissing = ({ editing, ...slices }: WindowState): WindowState =>
  editing === undefined ? slices : { ...slices, editing };
