import { redactHeaders } from '../convert/redactHttp.ts';
import { createPieces, isTextual } from './pieces.ts';
import type { Body, HttpContent, RecordContent } from './recordContent.ts';
import { type Recording, bytesOf } from './recordedSocket.ts';

/** A request with its answer. */
export interface Exchange {
  readonly recording: Recording;
  /** Returns a record of this exchange. */
  of(content: HttpContent): RecordContent;
  add(content: HttpContent): void;
}

/** Returns the name of an error; its text may contain texts of people. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');

/** How the app reads an answer. Only the first reading is recorded: that of a clone gives the same. */
type Answer = ReturnType<typeof createAnswer>;

/** Records an answer as the app reads it: whole by `json()`, `text()` and the like, or in pieces. */
export function recordResponse(exchange: Exchange, response: Response): void {
  const answer = createAnswer(exchange, response);
  if (response.body !== null) observe(response, answer);
  else if (answer.claim('whole')) answer.end({ body: '' });
}

function createAnswer({ recording, of, add }: Exchange, response: Response) {
  const { journal, mask } = recording;
  const headers = redactHeaders(Object.fromEntries(response.headers));
  const head = { status: response.status, headers };
  const slot = journal.reserve();
  let isRead = false;
  let isStreamed = false;
  const stream = (): void => {
    if (isRead) return;
    isStreamed = true;
    slot.complete(of({ response: head }));
  };
  // Of an answer that the app does not read at once, the app knows the status only.
  setTimeout(() => journal.quietly(stream), 0);
  return {
    journal,
    mask,
    type: headers['content-type'],
    add,
    /** Begins to record an answer. Returns whether this reading is the first, which is recorded. */
    claim(form: 'whole' | 'stream'): boolean {
      if (isRead) return false;
      if (form === 'stream' && !isStreamed) stream();
      else if (!isStreamed) slot.drop();
      isRead = true;
      return true;
    },
    /** Records the whole body. */
    end(body: Body): void {
      if (!isStreamed) return add({ response: { ...head, ...body } });
      const { body: chunk, ...encoding } = body;
      add({ chunk, ...encoding });
      return add({ end: true });
    },
    fail: (error: unknown): void => add({ error: nameOf(error) }),
  };
}

/** Returns what a whole body, as the app has read it, gives to the record. */
type Recorded = (value: unknown, answer: Answer) => Body | Promise<Body>;

/** Functions that read a whole body. */
const READERS: Readonly<Record<string, Recorded>> = {
  json: (value, { mask }) => ({ body: mask.json(value) }),
  text: (value, { mask }) => ({ body: mask.body(String(value)) }),
  arrayBuffer: bodyOf,
  bytes: bodyOf,
  blob: async (value, answer) =>
    bodyOf(value instanceof Blob ? await value.arrayBuffer() : undefined, answer),
  formData: () => ({ body: '' }),
};

function bodyOf(value: unknown, { type, mask }: Answer): Body {
  const bytes = bytesOf(value) ?? new Uint8Array();
  return isTextual(type)
    ? { body: mask.body(new TextDecoder().decode(bytes)) }
    : { body: mask.binary(bytes), encoding: 'base64' };
}

/** Replaces the functions of an answer by functions that give the same and record it. */
function observe(response: Response, answer: Answer): void {
  const define = (name: string, property: PropertyDescriptor): void =>
    void Object.defineProperty(response, name, { configurable: true, enumerable: false, ...property });
  for (const [name, recorded] of Object.entries(READERS)) {
    const read: unknown = Reflect.get(response, name);
    if (typeof read === 'function')
      define(name, { value: readerOf(() => read.call(response), recorded, answer) });
  }
  const { body, clone: cloneBody } = response;
  const recordedStream = body && recordedBody(body, answer);
  define('body', { get: () => recordedStream });
  define('clone', {
    value() {
      const clone = cloneBody.call(response);
      answer.journal.quietly(() => observe(clone, answer));
      return clone;
    },
  });
}

const readerOf =
  (read: () => Promise<unknown>, recorded: Recorded, answer: Answer) => async (): Promise<unknown> => {
    if (!answer.claim('whole')) return read();
    const { journal } = answer;
    let value: unknown;
    try {
      value = await read();
    } catch (error) {
      journal.quietly(() => answer.fail(error));
      throw error;
    }
    journal.quietly(() => {
      const body = recorded(value, answer);
      if (!(body instanceof Promise)) answer.end(body);
      else void body.then((known) => journal.quietly(() => answer.end(known)));
    });
    return value;
  };

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns a stream that gives the pieces of a body as they are read, without reading ahead, and records them. It locks the body when the app begins to
 * read: until then, the app may still call `json()` and the like.
 */
function recordedBody(body: ReadableStream<Bytes>, answer: Answer): ReadableStream<Bytes> {
  const { journal } = answer;
  let reader: ReadableStreamDefaultReader<Bytes> | undefined;
  let pieces: ReturnType<typeof createPieces> | undefined;
  const begin = () => {
    if (answer.claim('stream')) pieces = createPieces(answer);
    return body.getReader();
  };
  const read = async (): Promise<Bytes | undefined> => {
    reader ??= begin();
    try {
      let result = await reader.read();
      while (!result.done && result.value.length === 0) result = await reader.read();
      const { value } = result;
      journal.quietly(() => (value === undefined ? pieces?.end() : pieces?.add(value)));
      return value;
    } catch (error) {
      if (pieces !== undefined) journal.quietly(() => answer.fail(error));
      throw error;
    }
  };
  const cancel = async (reason: unknown): Promise<void> => {
    reader ??= begin();
    if (pieces !== undefined) journal.quietly(() => answer.add({ error: 'AbortError' }));
    await reader.cancel(reason);
  };
  return streamOf(read, cancel);
}

/** The controller of a stream; that of a stream of bytes may have a request for bytes of a reader. */
interface Controller {
  readonly byobRequest?: ReadableStreamBYOBRequest | null;
  enqueue(value: Bytes): void;
  close(): void;
}

/** Returns a stream of bytes, as bodies are; a plain one in browsers without such streams. */
function streamOf(read: () => Promise<Bytes | undefined>, cancel: (reason: unknown) => Promise<void>) {
  const pull = async (controller: Controller): Promise<void> => {
    const value = await read();
    if (value !== undefined) controller.enqueue(value);
    else {
      controller.close();
      controller.byobRequest?.respond(0);
    }
  };
  try {
    return new ReadableStream({ type: 'bytes', cancel, pull });
  } catch {
    return new ReadableStream({ cancel, pull }, { highWaterMark: 0 });
  }
}
