import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { z } from 'zod';

/** A page that the benchmark observes as little as possible. */
export interface QuietPage {
  /**
   * Evaluates an expression in the page and resolves to its value.
   * @throws {Error} when the expression fails.
   */
  evaluate(expression: string): Promise<unknown>;
}

/** An answer of the browser; without a value when the page navigated meanwhile. */
const answerSchema = z.object({
  id: z.int(),
  result: z
    .object({ result: z.object({ value: z.unknown() }), exceptionDetails: z.unknown().optional() })
    .optional(),
});

type Answer = z.infer<typeof answerSchema>;

/**
 * Opens a page outside of Playwright's contexts. Playwright observes the network of its own pages, so the browser copies each WebSocket
 * frame to it, which a person's browser does not do: the copies took a third of the processor time of this benchmark.
 */
export async function openPage(browser: Browser, url: string): Promise<QuietPage> {
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId });
  const pending = new Map<number, (answer: Answer) => void>();
  let count = 0;
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = answerSchema.safeParse(JSON.parse(message));
    if (answer.success) pending.get(answer.data.id)?.(answer.data);
  });

  const evaluate = async (expression: string): Promise<unknown> => {
    const id = count++;
    const params = { expression, awaitPromise: true, returnByValue: true };
    const answered = new Promise<Answer>((resolve) => pending.set(id, resolve));
    const message = JSON.stringify({ id, method: 'Runtime.evaluate', params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    const { result } = await answered;
    pending.delete(id);
    if (result?.exceptionDetails !== undefined) throw new Error(JSON.stringify(result.exceptionDetails));
    return result?.result.value;
  };
  while ((await evaluate('typeof waitForSequence')) !== 'function') await setTimeout(50);
  return { evaluate };
}
