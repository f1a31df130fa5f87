import * as output from '#shared/actions/outputActions.ts';
import { dialogRequested } from '#shared/actions/userActions.ts';
import * as view from '#shared/actions/windowActions.ts';
import { EXPANDED_PARTS } from '#shared/actions/windowSchemas.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import type * as page from '../programs/pageProgram.ts';
import type { Random } from '../world/world.ts';

/** The objects of a window that its person uses. */
export type PageProgram = typeof page;

/** What a person does in a view: the actions that a component or a listener of the DOM dispatches. The arguments are the window's program, and chance. */
type ViewAct = (page: PageProgram, random: Random) => void;

/** Calls a task with a random message, its index and the index of one of its items. */
function withMessage(
  { store }: PageProgram,
  random: Random,
  task: (place: { readonly message: number; readonly item: number; readonly id: string }) => void,
): void {
  const { messages } = toSnapshot(store.getState().conversation);
  if (messages.length === 0) return;
  const message = random.below(messages.length);
  const { id = '', content = [] } = messages[message] ?? {};
  task({ message, item: random.below(Math.max(1, content.length)), id });
}

/** The acts in the view of the conversation. */
export const CONVERSATION_ACTS: readonly ViewAct[] = [
  (page, random) =>
    withMessage(page, random, ({ message, id }) => {
      page.store.dispatch(view.leftBottom(random.chance(0.3) ? { stays: true } : undefined));
      page.store.dispatch(view.scrollRested({ message, id, offset: random.below(200) - 100 }));
      page.store.dispatch(view.placeLeft({ messages: message + 1, isAway: random.chance(0.5) }));
    }),
  (page, random) =>
    withMessage(page, random, ({ message, id }) => {
      page.store.dispatch(
        view.reachedBottom(random.chance(0.3) ? { pulledFrom: { message, id, offset: 5 } } : undefined),
      );
      page.store.dispatch(view.placeReturned({ messages: message + 1 }));
    }),
  (page, random) =>
    withMessage(page, random, ({ message, id, item }) =>
      page.store.dispatch(
        view.expansionChanged({
          message,
          id,
          item,
          part: random.pick(EXPANDED_PARTS),
          steps: random.below(3),
        }),
      ),
    ),
  (page, random) =>
    withMessage(page, random, ({ message }) => {
      page.store.dispatch(view.messageMenuOpened({ message }));
      const choice = random.pick(['copyText', 'quote', null] as const);
      page.store.dispatch(view.messageMenuClosed({ choice }));
      if (choice === 'copyText')
        page.store.dispatch(
          output.copied({ kind: 'text', length: 5, outcome: random.pick(['copied', 'failed']) }),
        );
    }),
  (page, random) =>
    withMessage(page, random, ({ message, item }) => {
      page.store.dispatch(view.imageOpened({ message, item }));
      page.commands.zoomImage({ factor: random.between(1, 4), x: random.below(100), y: 0 });
      if (random.chance(0.5))
        page.store.dispatch(output.itemSaved({ message, item, by: 'viewer', outcome: 'started' }));
    }),
  (page) => page.store.dispatch(view.viewerClosed()),
  (page, random) =>
    withMessage(page, random, ({ message, item }) => {
      if (page.store.getState().own.find === null) page.store.dispatch(view.findOpened());
      page.store.dispatch(view.hitReached({ hit: { message, item, start: 0 } }));
    }),
  (page, random) =>
    void page.store.dispatch(random.chance(0.7) ? view.fileDropEntered() : view.fileDropLeft()),
  (page, random) => {
    page.store.dispatch(
      output.workStarted({ work: 'export', format: random.pick(['html', 'markdown', 'text']) }),
    );
    page.store.dispatch(
      output.workEnded({ work: 'export', outcome: random.pick(['done', 'cancelled', 'failed']) }),
    );
  },
];

/** The acts in any view. */
export const WINDOW_ACTS: readonly ViewAct[] = [
  (page, random) =>
    page.store.dispatch(
      view.pageResized({ width: 300 + random.below(900), height: 400 + random.below(600), pixelRatio: 1.5 }),
    ),
  (page, random) => page.store.dispatch(view.charactersShown({ isShown: random.chance(0.5) })),
  (page, random) => {
    const { dialog } = page.store.getState().own;
    if (dialog?.dialog !== 'deleteData') return page.commands.send(dialogRequested({ dialog: 'deleteData' }));
    const platformFile = random.chance(0.5);
    page.store.dispatch(view.platformFileChosen({ platformFile }));
    if (random.chance(0.5)) page.store.dispatch(view.deletionConfirmed({ platformFile }));
  },
];
