import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';

/** Memory in use after a garbage collection, in MB. */
interface SettledMemory {
  /** JavaScript objects and strings. */
  readonly heap: number;
  /** The heap and the buffers outside it. */
  readonly held: number;
}

const answerSchema = z.object({ id: z.number(), result: z.unknown(), error: z.unknown() }).partial();
const valueSchema = z.object({ result: z.object({ value: z.unknown() }).partial() });
const memorySchema = z.object({ heapUsed: z.number(), external: z.number() });
const MB = 1024 * 1024;

/** Connects to the debugger of a process that was started with `--inspect`. */
export async function connectDebugger(url: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const { id, result, error } = answerSchema.parse(JSON.parse(data.toString()));
    const request = id === undefined ? undefined : pending.get(id);
    if (id === undefined || request === undefined) return;
    pending.delete(id);
    if (error === undefined) request.resolve(result);
    else request.reject(new Error(`the debugger answered with an error: ${JSON.stringify(error)}`));
  });
  // The close follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(new Error('the process has ended'));
    pending.clear();
  });
  await once(socket, 'open');

  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) reject(new Error('the process has ended'));
      const id = ++last;
      pending.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const evaluate = async (expression: string) => {
    const answer = await call('Runtime.evaluate', { expression, returnByValue: true });
    return valueSchema.parse(answer).result.value;
  };
  return {
    /** Evaluates an expression in the process. Returns its value as JSON. */
    evaluate,
    /** Calls a method of the debugger's protocol. */
    call,
    /** Measures memory after two garbage collections. */
    async settledMemory(): Promise<SettledMemory> {
      // The second collection frees what the first one has finalised.
      for (let round = 0; round < 2; round++) await call('HeapProfiler.collectGarbage');
      const { heapUsed, external } = memorySchema.parse(await evaluate('process.memoryUsage()'));
      return { heap: heapUsed / MB, held: (heapUsed + external) / MB };
    },
    close: () => socket.terminate(),
  };
}

type Connection = Awaited<ReturnType<typeof connectDebugger>>;

/** Connects to the debugger for one use only: an ending process waits until its debugger has disconnected. */
export async function withDebugger<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectDebugger(url);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}
