import { type Upload, createUpload } from './createUpload.ts';
import { type Journal, createJournal } from './journal.ts';
import { type RecordedAction, createMask } from './mask.ts';
import { type Recording, createHandling } from './recordedSocket.ts';
import { downloadText, onPageHide, onUncaught, pause } from './surroundings.ts';
import { type WebSocketClass, recordedWebSocket } from './recordedWebSocket.ts';
import { type EventSourceClass, recordedEventSource } from './recordedEventSource.ts';
import { type FetchFunction, recordedFetch } from './recordedFetch.ts';
import { type RecorderMiddleware, type ActionFilter, recordingMiddleware } from './recordingMiddleware.ts';

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  /** The name of the app, and its version if it has one: `'task-board 1.4.0'`. */
  readonly app: string;
  /** How many minutes are kept; 5 by default. */
  readonly minutes?: number;
  /** How many characters of records are kept at most; 8,000,000 by default. */
  readonly bytes?: number;
  /**
   * The names of fields, at any depth, whose texts stay when they are codes of the program: `['type', 'column']`. All other texts are replaced
   * before they are recorded. Name the fields that the app compares with constants, and those whose text is JSON itself: its
   * texts are replaced by the same rule.
   */
  readonly clear?: readonly string[];
  /** Returns milliseconds since 1970, and never decreases. For tests. */
  readonly now?: () => number;
}

/** Records what an app receives and sends, as a capture of the last minutes. */
export interface Recorder {
  /** Returns a class with the interface of the given one (of a browser, of Node or of `ws`), whose sockets are recorded. */
  webSocket<Class extends WebSocketClass>(socketClass: Class): Class;
  /** Returns a class with the interface of the given one (`EventSource`), whose events are recorded. */
  eventSource<Class extends EventSourceClass>(sourceClass: Class): Class;
  /** Returns a function with the interface of the given one (`fetch`), which records requests and their answers, each piece of a stream as the app reads it. */
  fetch(fetch: FetchFunction): FetchFunction;
  /**
   * Returns a Redux middleware that records the user actions for which `record` returns `true`, each before its effect. It records no action that follows
   * from a frame or from a recorded action: one that is dispatched while a socket's event, or a recorded action, is being handled.
   */
  middleware(filter: ActionFilter): RecorderMiddleware;
  /** Records a user action of an app without Redux. Call it before the action has an effect. */
  action(action: RecordedAction): void;
  /** Returns the text of the capture: of the last minutes, up to now. */
  save(): string;
  /** Lets a browser save the capture as a file. */
  download(name?: string): void;
  /**
   * Calls a function with the text of the capture at an uncaught error or an unhandled rejection, at most once in `everyMs` (a minute by default). Returns a
   * function that ends this.
   */
  onError(callback: (capture: string) => void, everyMs?: number): () => void;
  /**
   * Sends the capture so far, and then each record, to a server: `POST` requests with lines, once a second, in their order
   * (`?recording=k3f9&piece=0`). They are not recorded.
   */
  streamTo(url: string): CaptureStream;
}

/** A capture that is being sent. */
export interface CaptureStream {
  /** Sends what waits. The promise is fulfilled when it has been sent, or given up after 5 attempts. */
  flush(): Promise<void>;
  /** Ends the capture, and sends the rest. */
  stop(): Promise<void>;
}

/** While a capture is sent, this many texts keep their aliases, also when they are not in the ring anymore. */
const TEXTS_OF_STREAM = 100_000;

const now = (): number => performance.timeOrigin + performance.now();

/** Creates a recorder. It starts at once. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { app, minutes = 5, bytes = 8_000_000, clear = [] } = options;
  const mask = createMask(clear);
  const getNow = options.now ?? now;
  // The app may replace it by a recorded one.
  const ownFetch = globalThis.fetch;
  let forgottenAt = 0;
  let isSent = false;
  const journal = createJournal({
    app,
    keptMs: minutes * 60_000,
    keptSize: bytes,
    now: getNow,
    onDrop(oldest, last) {
      // The texts that have not occurred since are in none of the records that are left.
      if (oldest <= forgottenAt) return;
      mask.forgetOld(isSent ? TEXTS_OF_STREAM : 0);
      forgottenAt = last;
    },
  });
  let sockets = 0;
  let requests = 0;
  const recording: Recording = {
    journal,
    mask,
    handling: createHandling(),
    nextSocket: () => ++sockets,
    nextRequest: () => ++requests,
  };
  const recordAction = (action: RecordedAction): void =>
    journal.quietly(() => journal.add({ type: 'action', action: mask.action(action) }));
  return {
    webSocket: (socketClass) => recordedWebSocket(socketClass, recording),
    eventSource: (sourceClass) => recordedEventSource(sourceClass, recording),
    fetch: (fetch) => recordedFetch(fetch, recording),
    middleware: ({ record }) => recordingMiddleware({ record, recordAction, handling: recording.handling }),
    action: recordAction,
    save: () => journal.text(),
    download: (name = `${app}.parley.jsonl`) => downloadText(journal.text(), name),
    onError(callback, everyMs = 60_000) {
      let next = -Infinity;
      return onUncaught(() => {
        if (getNow() < next) return;
        next = getNow() + everyMs;
        journal.quietly(() => callback(journal.text()));
      });
    },
    streamTo(url) {
      isSent = true;
      return startStream(journal, createUpload({ url, fetch: ownFetch, pause }));
    },
  };
}

function startStream(journal: Journal, upload: Upload): CaptureStream {
  const end = journal.follow(upload.take);
  const endPageHide = onPageHide(upload.sendLast);
  return {
    flush: upload.flush,
    async stop() {
      end();
      endPageHide();
      await upload.flush();
    },
  };
}
