import * as fc from 'fast-check';
import type { syncBridge } from './syncBridge.ts';

type Main = ReturnType<typeof syncBridge>;

/** Generates what happens to the actions that main forwards during a step. */
export const anyDelivery = fc.constantFrom(
  'delivered',
  'delivered',
  'delivered',
  'lost',
  'doubled',
  'held back',
);

/** Performs each step and delivers its actions as its `delivery` says; at the end, delivers the delayed ones and a heartbeat. */
export async function deliverUnreliably<Act>(
  main: Main,
  steps: readonly { readonly act: Act; readonly delivery: string }[],
  perform: (main: Main, act: Act) => unknown,
): Promise<void> {
  const heldBack: unknown[] = [];
  let delivered = main.forwarded().length;
  for (const step of steps) {
    await perform(main, step.act);
    const fresh = main.forwarded().slice(delivered);
    delivered += fresh.length;
    if (step.delivery === 'delivered') main.deliver(...fresh, ...heldBack.splice(0));
    else if (step.delivery === 'doubled') main.deliver(...fresh, ...fresh);
    else if (step.delivery === 'held back') heldBack.push(...fresh);
  }
  main.deliver(...heldBack, main.heartbeat());
}
