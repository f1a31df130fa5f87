import { pageSecretHeaders } from '#loopback/pageSecret.ts';
import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { type StepLines, type StepPair, sourceLinesSchema } from '#shared/ipc/sourceLines.ts';
import { REPLAY } from '../../../base/command.ts';
import { itemPath } from '../../../diff/valueDiff.ts';
import type { Core } from './inspectorStore.ts';
import { shownInfo } from './inspectorState.ts';

/** Who finds lines of source for a page: the server of the page, or the app whose session it follows. */
export type SourceHost = 'server' | Pick<ParleyInspectBridge, 'sourceLines'>;

/** The lines of source of a step, or why they are not shown. */
export type ShownLines = StepLines | { readonly problem: string };

const NO_HOST = `The lines of source are shown where a program replays the session: open the capture with \`${REPLAY} open\`.`;

const NO_ANSWER = 'The lines of source cannot be found: the program that replays the session gave no answer.';

/** The size of the largest capture that the page sends: a larger one would keep the page busy for too long. */
const MOST_BYTES = 32 * 1024 * 1024;

const TOO_LARGE = `The capture is too large to be sent: save it, and open the file with \`${REPLAY} open\`.`;

/** Creates the histories of values. @param host `undefined` for a report, and a page without a server. */
export function createHistory({ client, store, notify, fail }: Core, host: SourceHost | undefined) {
  const ask = async (pair: StepPair): Promise<ShownLines> => {
    const { branch, isLive, isServed } = store.get();
    if (host === undefined || (host !== 'server' && !(isLive && branch === 'recorded')))
      return { problem: NO_HOST };
    if (host !== 'server') return shownLines(await host.sourceLines(pair));
    const capture = isServed && branch === 'recorded' ? undefined : await client.request('save', { branch });
    if (capture !== undefined && capture.size > MOST_BYTES) return { problem: TOO_LARGE };
    const response = await fetch('source-lines', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...pageSecretHeaders(window) },
      body: JSON.stringify({ ...pair, name: shownInfo(store.get())?.name, capture: await capture?.text() }),
    }).catch(() => undefined);
    // Without an answer, the server has stopped.
    return shownLines(await response?.json().catch(() => undefined));
  };
  const show = (path: string) => store.set({ historyPath: path, frameTab: 'history' });
  const showChosen = async (chosen: Element) => {
    const { branch, step, shown } = store.get();
    const row = chosen.closest<HTMLElement>('[data-row]')?.dataset['row'];
    const message =
      row === undefined || shown === undefined ? undefined : itemPath('messages', shown.start + Number(row));
    const text = (chosen.closest('.item') ?? chosen).textContent;
    const path = await client.request('place', { branch, step, text, within: message });
    if (path === undefined) notify('No value of the state is shown here; choose one in State.');
    else show(path);
  };
  return {
    /** Shows the history of the value at a path. */
    show,
    /** Shows the history of the value that an element of a drawing shows. Selected text is left alone. */
    showChosen(chosen: EventTarget | null): void {
      if (chosen instanceof Element && getSelection()?.isCollapsed !== false) showChosen(chosen).catch(fail);
    },
    /** Returns the lines of source that ran in a step that changed the value at a path, and not in the nearest earlier one of its kind that did not. */
    async linesOf(path: string, step: number): Promise<ShownLines> {
      const { branch } = store.get();
      return ask({ step, unlike: await client.request('unlike', { branch, path, step }) });
    },
  };
}

function shownLines(answer: unknown): ShownLines {
  const { data = { problem: NO_ANSWER } } = sourceLinesSchema.safeParse(answer);
  return 'problem' in data ? data : (data.steps[0] ?? { of: 'all', lines: [] });
}
