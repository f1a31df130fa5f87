import { REPLAY } from '../../../base/command.ts';
import { quoteForShell } from '#node/fileErrorReason.ts';
import { pageSecretHeaders } from '#loopback/pageSecret.ts';
import * as z from 'zod/mini';
import type { Branch, Edit } from '../../protocol/protocol.ts';
import type { Core } from './inspectorStore.ts';
import { type InspectorState, shownInfo } from './inspectorState.ts';

/** The answer of the host to the request for a test. */
const answerSchema = z.union([z.object({ files: z.array(z.string()) }), z.object({ error: z.string() })]);

/** Creates the what-if, which edits frames and saves or tests the result. `redraw` shows another branch, at a step. */
export function createWhatIf({ client, store, notify, fail }: Core, redraw: (step: number) => void) {
  const show = (branch: Branch, step = store.get().step) => {
    store.set({ branch });
    redraw(step);
  };
  const apply = async (edits: readonly Edit[]) => {
    if (edits.length === 0) {
      store.set({ edits, edited: undefined });
      return show('recorded');
    }
    const edited = await client.request('edit', { edits });
    // A further edit does not move away from its place.
    const step = store.get().branch === 'edited' ? store.get().step : edited.firstDivergence;
    store.set({ edits, edited });
    show('edited', step);
  };
  const save = async () => {
    const { branch } = store.get();
    const file = `${plainName(store.get())}${branch === 'edited' ? '-what-if' : ''}.parley.jsonl`;
    saveFile(await client.request('save', { branch }), file);
    notify(`Saved ${file}. ${REPLAY} verify ${quoteForShell(file)} --update makes its golden.`);
  };
  return {
    /** Adds an edit on top of the others, and shows the edited branch. @throws {Error} when the edit is not valid: it is not added. */
    add: (edit: Edit) => apply([...store.get().edits, edit]),
    remove: (edit: Edit) => void apply(withoutEdit(store.get().edits, edit)).catch(fail),
    discard: () => void apply([]).catch(fail),
    show: (branch: Branch) => show(branch),
    /** Downloads the shown branch as a capture. */
    save: () => void save().catch(fail),
    /** Requests that the host writes the shown branch and its golden into a folder; returns the files. @throws {Error} with the message of the host. */
    makeTest: async (request: { folder: string; name: string; redact: boolean }) => {
      const capture = await client.request('save', { branch: store.get().branch });
      const response = await fetch('make-test', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...pageSecretHeaders(window) },
        body: JSON.stringify({ ...request, capture: await capture.text() }),
      });
      const answer = answerSchema.safeParse(await response.json().catch(() => undefined));
      if (!answer.success)
        throw new Error(`The test could not be written: the host answered ${response.status}.`);
      if ('error' in answer.data) throw new Error(answer.data.error);
      return answer.data.files;
    },
  };
}

/** Returns the edits without one and, when it inserted a frame, without the edits of that frame. */
export function withoutEdit(edits: readonly Edit[], removed: Edit): readonly Edit[] {
  const rest = edits.filter((one) => one !== removed);
  if (removed.kind !== 'insert') return rest;
  const dependent = rest.filter(({ record }) => record === -removed.id);
  return dependent.reduce<readonly Edit[]>((left, one) => withoutEdit(left, one), rest);
}

/** Returns the id of the next insertion. */
export const nextInsertion = (edits: readonly Edit[]): number =>
  1 + edits.reduce((most, edit) => (edit.kind === 'insert' ? Math.max(most, edit.id) : most), 0);

/** Returns the name of the shown capture without its extensions. */
export const plainName = (state: InspectorState): string =>
  (shownInfo(state)?.name ?? 'session').replace(/(?:\.parley)?\.jsonl(?:\.gz)?$/u, '');

/** Downloads a file. */
function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address after the click, and does not report when it has done so.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
