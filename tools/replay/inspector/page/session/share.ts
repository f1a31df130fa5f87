import type { Core } from './core.ts';

/** Matches the step in the hash of an address. */
const STEP = /(?:^#|&)step=(\d+)/;

/** Returns the step that an address names, or `undefined`. */
export function stepOfHash(hash: string): number | undefined {
  const [, step] = STEP.exec(hash) ?? [];
  return step === undefined ? undefined : Number(step);
}

/** The delay before the address is written, in milliseconds, because browsers limit the number of changes. */
const WRITE_DELAY_MS = 200;

/** Keeps the selected step in the address, and goes to the step of an entered address; returns a function that stops it. */
export function followHash({ store }: Core, go: (step: number) => void): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    const { phase, step } = store.get();
    if (phase.kind === 'ready' && stepOfHash(location.hash) !== step)
      history.replaceState(null, '', `#step=${step}`);
  };
  const stop = store.subscribe(() => {
    clearTimeout(rest);
    rest = setTimeout(write, WRITE_DELAY_MS);
  });
  // Uses the address of the event, because the page's address can have changed before the event arrives.
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

/** Copies a link to the selected step to the clipboard. */
export async function copyLink({ store, notify }: Core): Promise<void> {
  const link = new URL(`#step=${store.get().step}`, location.href).href;
  const text = `A link to step ${store.get().step} is copied.`;
  // Without access to the clipboard, the page shows the link, and the person can copy it.
  await navigator.clipboard.writeText(link).then(
    () => notify(text),
    () => notify(`The link to this step: ${link}`),
  );
}
