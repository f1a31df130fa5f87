import { parseTime } from '../../time/formatTime.ts';
import type { Start } from '../../protocol/protocol.ts';
import type { Core } from './inspectorStore.ts';
import { endOfShownTime } from './navigate.ts';

/** Matches the step, the update or the time in the hash of an address. */
const START = /(?:^#|&)(?:(step|update)=(\d+)|at=([\d:.]+))/;

/** Returns the step, the update or the time, as the list shows it, that an address names, or `undefined`. */
export function startOfHash(hash: string): Start | undefined {
  const [, kind, number, time = ''] = START.exec(hash) ?? [];
  const t = parseTime(time);
  if (t !== undefined) return { t };
  if (number === undefined) return undefined;
  return kind === 'step' ? { step: Number(number) } : { update: Number(number) };
}

/** The delay before the address is written, in milliseconds, because browsers limit the number of changes. */
const WRITE_DELAY_MS = 200;

/** Keeps the selected step in the address, and goes to the step, the update or the time of an entered address. */
export function followHash(core: Core, go: (step: number) => void): void {
  const { store, fail } = core;
  let rest: ReturnType<typeof setTimeout> | undefined;
  /** The address that was written or read last. Another one has just been entered, and its event has not arrived. */
  let known = location.hash;
  const write = () => {
    const { phase, step } = store.get();
    if (phase.kind !== 'ready' || location.hash !== known || isAt(startOfHash(known), step)) return;
    history.replaceState(null, '', `#step=${step}`);
    known = location.hash;
  };
  store.subscribe(() => {
    clearTimeout(rest);
    rest = setTimeout(write, WRITE_DELAY_MS);
  });
  // Uses the address of the event, because the page's address can have changed before the event arrives.
  window.addEventListener('hashchange', ({ newURL }) => {
    known = new URL(newURL).hash;
    const start = startOfHash(known);
    if (start !== undefined && !isAt(start, store.get().step)) goToStart(core, start, go).catch(fail);
  });
}

const isAt = (start: Start | undefined, step: number): boolean =>
  start !== undefined && 'step' in start && start.step === step;

/** Copies a link to the selected step to the clipboard. */
export async function copyLink({ store, notify }: Core): Promise<void> {
  const { step } = store.get();
  const link = new URL(`#step=${step}`, location.href).href;
  // Without access to the clipboard, the page shows the link, and the person can copy it.
  await navigator.clipboard.writeText(link).then(
    () => notify(`A link to step ${step} is copied.`),
    () => notify(`The link to this step: ${link}`),
  );
}

/** Goes to a step, to the last step at a time, or to the step of an update; when there is no such update, to the last step, with a notice. */
export async function goToStart(core: Core, start: Start, go: (step: number) => void): Promise<void> {
  if ('step' in start) return go(start.step);
  const { client, store, notify } = core;
  const { branch } = store.get();
  if ('t' in start) return go(await client.request('stepAt', { branch, t: endOfShownTime(start.t) }));
  const target = { kind: 'update', number: start.update } as const;
  const step = await client.request('find', { branch, from: 0, direction: 'forward', target });
  go(step ?? Infinity);
  if (step === undefined) notify(`There is no update ${start.update} in this session.`);
}
