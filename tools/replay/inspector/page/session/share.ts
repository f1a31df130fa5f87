import type { Core } from './core.ts';

/** The part of the address that names a step. */
const STEP = /(?:^#|&)step=(\d+)/;

/** The step that an address names, or `undefined`. */
export function stepOfHash(hash: string): number | undefined {
  const [, step] = STEP.exec(hash) ?? [];
  return step === undefined ? undefined : Number(step);
}

/** An address within this long is the one of the last step, milliseconds: browsers allow but so many changes. */
const RESTS_MS = 200;

/** Keeps the address at the selected step, and goes where an address that was entered leads. Gives what ends it. */
export function followHash({ store }: Core, go: (step: number) => void): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    const { phase, step } = store.get();
    if (phase.kind === 'ready' && stepOfHash(location.hash) !== step)
      history.replaceState(null, '', `#step=${step}`);
  };
  const stop = store.subscribe(() => {
    clearTimeout(rest);
    rest = setTimeout(write, RESTS_MS);
  });
  // By the event's own address: the page's may have moved on before the event came.
  const read = ({ newURL }: HashChangeEvent) => {
    const step = stepOfHash(new URL(newURL).hash);
    if (step !== undefined && step !== store.get().step) go(step);
  };
  window.addEventListener('hashchange', read);
  return () => {
    stop();
    clearTimeout(rest);
    window.removeEventListener('hashchange', read);
  };
}

/** Puts a link to the selected step on the clipboard. */
export async function copyLink({ store, tell }: Core): Promise<void> {
  const link = new URL(`#step=${store.get().step}`, location.href).href;
  const words = `A link to step ${store.get().step} is copied.`;
  // Where the clipboard is not to be had, the person can still copy it.
  await navigator.clipboard.writeText(link).then(
    () => tell(words),
    () => tell(`The link to this step: ${link}`),
  );
}
