import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';

/** Memory in use after a garbage collection, in MB. */
export interface SettledMemory {
  /** JavaScript objects and strings. */
  readonly heap: number;
  /** The heap, and buffers outside it. */
  readonly held: number;
}

/** A Node process as its debugger sees it. */
export interface Inspector {
  /** Evaluates an expression in the process; gives its value as JSON has it. */
  evaluate(expression: string): Promise<unknown>;
  /** Collects garbage, then measures. */
  settledMemory(): Promise<SettledMemory>;
  close(): void;
}

const answerSchema = z.object({ id: z.number(), result: z.unknown(), error: z.unknown() }).partial();
const valueSchema = z.object({ result: z.object({ value: z.unknown() }).partial() });
const memorySchema = z.object({ heapUsed: z.number(), external: z.number() });
const MB = 1024 * 1024;

/** Connects to the debugger of a process that was started with `--inspect`. */
export async function connectInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const { id, result, error } = answerSchema.parse(JSON.parse(data.toString()));
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || asked === undefined) return;
    waiting.delete(id);
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(`the debugger refuses: ${JSON.stringify(error)}`));
  });
  // The close follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the process has ended'));
    waiting.clear();
  });
  await once(socket, 'open');

  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) reject(new Error('the process has ended'));
      const id = ++last;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const evaluate = async (expression: string) => {
    const answer = await ask('Runtime.evaluate', { expression, returnByValue: true });
    return valueSchema.parse(answer).result.value;
  };
  return {
    evaluate,
    async settledMemory() {
      // What the first collection finalises is freed by the second.
      for (let round = 0; round < 2; round++) await ask('HeapProfiler.collectGarbage');
      const { heapUsed, external } = memorySchema.parse(await evaluate('process.memoryUsage()'));
      return { heap: heapUsed / MB, held: (heapUsed + external) / MB };
    },
    close: () => socket.terminate(),
  };
}
