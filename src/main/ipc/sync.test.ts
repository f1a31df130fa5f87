import { sharedPart } from '#shared/store/rootReducer.ts';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { HEARTBEAT_MS } from '#shared/limits.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import type { Delivery } from '#tests/builders/electron.ts';
import { openTestWindow } from '#tests/builders/openTestWindow.ts';
import { foldFrames } from '#sim/checks/foldFrames.ts';
import { anyFrame } from '#tests/builders/updateKinds.ts';
import { startMain, typesSent } from '#tests/builders/startMain.ts';

/** So small that conversations of a few messages arrive in parts. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  NEWEST_PART_LENGTH: 150,
  PART_LENGTH: 60,
}));

type Step =
  | { readonly kind: 'frame'; readonly frame: string | null }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'deliver'; readonly steps: number }
  | { readonly kind: 'open' | 'reload' | 'relaunch' | 'hold' | 'release' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: anyFrame().map((frame): Step => ({ kind: 'frame', frame })) },
  { weight: 10, arbitrary: fc.nat({ max: 450 }).map((ms): Step => ({ kind: 'wait', ms })) },
  {
    weight: 10,
    arbitrary: fc.integer({ min: 1, max: 6 }).map((steps): Step => ({ kind: 'deliver', steps })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>(
      { kind: 'open' },
      { kind: 'reload' },
      { kind: 'hold' },
      { kind: 'release' },
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'relaunch' }) },
);

test('contract §4 synchronisation: keeps main, every window and a separate fold equal for any frames, windows, losses and repetitions', async () => {
  const deliveries = fc.infiniteStream(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant<Delivery>('delivered') },
      { weight: 1, arbitrary: fc.constantFrom<Delivery>('lost', 'twice') },
    ),
  );
  const steps = fc.array(anyStep, { maxLength: 120, size: 'max' });
  let parts = 0;
  await fc.assert(
    fc.asyncProperty(steps, deliveries, async (list, deliveryStream) => {
      const main = await startMain();
      main.launch();
      const delivery = (): Delivery => deliveryStream.next().value ?? 'delivered';
      const windows = [openTestWindow({ delivery })];
      let frames: (string | null)[] = [];

      const take = async (step: Step) => {
        if (step.kind === 'frame') {
          frames.push(step.frame);
          main.receive(step.frame);
        } else if (step.kind === 'wait') main.clock.advance(step.ms);
        else if (step.kind === 'deliver') for (const { page } of windows) await page.deliver(step.steps);
        else if (step.kind === 'hold') windows.at(-1)?.page.holdAnswers(true);
        else if (step.kind === 'release') windows.at(-1)?.page.holdAnswers(false);
        else if (step.kind === 'relaunch') {
          frames = [];
          main.store.dispatch(sessionEnded());
          main.launch();
        } else {
          if (step.kind === 'reload') windows.shift()?.page.close();
          windows.push(openTestWindow({ delivery }));
        }
      };
      for (const step of list) await take(step);

      // The queue becomes empty, and the last heartbeat arrives.
      main.clock.advance(100 * frames.length);
      for (const { page } of windows) {
        page.setDelivery(() => 'delivered');
        page.holdAnswers(false);
      }
      main.clock.advance(HEARTBEAT_MS);
      for (const { page } of windows) await page.deliver();

      const { person: name, messages, rejected } = foldFrames(frames);
      const { conversation, counts } = main.store.getState();
      expect(JSON.parse(JSON.stringify(toSnapshot(conversation)))).toEqual({ person: name, messages });
      expect(counts.received - counts.applied - counts.ignored).toBe(rejected);
      expect(counts.received).toBe(frames.length);
      for (const window of windows) {
        expect(JSON.stringify(sharedPart(window.store.getState()))).toBe(JSON.stringify(main.shared()));
        expect(new Set(typesSent(window))).not.toContain('update/received');
        parts += window.parts();
        expect(JSON.stringify(window.page.sent)).not.toContain('"account/');
      }
    }),
    { numRuns: 40, seed: 20_261_120 },
  );
  expect(parts).toBeGreaterThan(80);
});
