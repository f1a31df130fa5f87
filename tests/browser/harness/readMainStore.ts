import { z } from 'zod';
import type { MainStore } from '#main/store/mainStore.ts';
import { type DebuggerConnection, connectDebugger } from '../../../soak/harness/connectDebugger.ts';
import type { RunningParley } from './startParley.ts';

/** The environment with which a program can be read by {@link readMainStore}. */
export const READABLE = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** Main's state at a time of its clock. */
export interface MainMoment {
  readonly now: number;
  readonly state: ReturnType<MainStore['getState']>;
}

/** Reads the store of a running program. */
interface MainReader {
  /** Reads the state now. */
  read(): Promise<MainMoment>;
  /** Reads the state now, with very long texts as {@link shortened} replaces them. */
  readShortened(): Promise<MainMoment>;
  /** Returns a function that reads the state at the first action after which this number of updates waits. */
  readWhenWaiting(updates: number): Promise<() => Promise<MainMoment | undefined>>;
  /** Keeps main busy for a time. */
  block(ms: number): Promise<void>;
  /** Keeps main busy for a time, once, at the first action after which this number of updates waits. */
  blockWhenWaiting(updates: number, ms: number): Promise<void>;
  close(): void;
}

/** Longer texts are replaced by their length where a state may contain very long ones. */
const SHORT_TEXT = 10_000;

/** Replaces very long texts, for `JSON.stringify`. */
export const shortened = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > SHORT_TEXT ? `${value.length} characters` : value;

const DEBUGGER = /^Debugger listening on (?<url>ws:\/\/\S+)$/m;
const objectSchema = z.object({ result: z.object({ objectId: z.string() }) });
const objectsSchema = z.object({ objects: z.object({ objectId: z.string() }) });
const valueSchema = z.object({ result: z.object({ value: z.string().optional() }) });

/** Finds the store of a running program with Node's debugger: the program itself has no access for tests. */
export async function readMainStore({ printed }: RunningParley): Promise<MainReader> {
  const connection = await connectDebugger(DEBUGGER.exec(printed.stderr)?.groups?.url ?? '');
  const objectId = await findStore(connection);
  const run = async (body: string) => {
    // The debugger can interrupt a function: a turn of the event loop of its own comes before or after each record and its action.
    const functionDeclaration = `function () {
      const store = this;
      return new Promise((resolve) => setImmediate(() => resolve((() => { ${body} })())));
    }`;
    const answer = await connection.call('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      awaitPromise: true,
      returnByValue: true,
    });
    const { value } = valueSchema.parse(answer).result;
    // The state of the program's own store.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return value === undefined ? undefined : (JSON.parse(value) as MainMoment);
  };
  const now = async (replacer = '') => {
    const read = await run(`return ${momentWith(replacer)};`);
    if (read === undefined) throw new Error('main’s store cannot be read');
    return read;
  };
  return {
    read: () => now(),
    readShortened: () =>
      now(
        `, (_, value) => typeof value === 'string' && value.length > ${SHORT_TEXT} ? value.length + ' characters' : value`,
      ),
    async readWhenWaiting(updates) {
      await run(`
        store.seen = undefined;
        const stop = store.subscribe(() => {
          if (store.getState().queue.length < ${updates}) return;
          store.seen = ${momentWith()};
          stop();
        });`);
      return () => run('return store.seen;');
    },
    async block(ms) {
      await run(busyFor(ms));
    },
    async blockWhenWaiting(updates, ms) {
      await run(`
        const stop = store.subscribe(() => {
          if (store.getState().queue.length < ${updates}) return;
          stop();
          ${busyFor(ms)}
        });`);
    },
    close: connection.close,
  };
}

const busyFor = (ms: number) => `for (const end = performance.now() + ${ms}; performance.now() < end;);`;

/** What is read comes after every update whose tick has passed, as in a capture. */
const momentWith = (replacer = '') =>
  `JSON.stringify({ now: store.catchUp(), state: store.getState() }${replacer})`;

/** Returns whether an object of the program is main's store. A proxy of a library may refuse to be asked. */
const IS_STORE = `(one) => {
  try {
    return Object.hasOwn(one, 'catchUp') && one.getState().windows !== undefined;
  } catch {
    return false;
  }
}`;

/** Returns the debugger's identifier of the object that is main's store. */
async function findStore({ call }: DebuggerConnection): Promise<string> {
  const prototype = objectSchema.parse(
    await call('Runtime.evaluate', { expression: 'Object.prototype' }),
  ).result;
  const { objects } = objectsSchema.parse(
    await call('Runtime.queryObjects', { prototypeObjectId: prototype.objectId }),
  );
  const { objectId } = objectSchema.parse(
    await call('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: `function () { return this.find(${IS_STORE}); }`,
    }),
  ).result;
  return objectId;
}
