import { resolveObjectURL } from 'node:buffer';
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { copied, workEnded, workStarted } from '#shared/actions/outputActions.ts';
import * as user from '#shared/actions/userActions.ts';
import * as act from '#shared/actions/windowActions.ts';
import { virtualClock } from '#shared/clock.ts';
import { fromSnapshot } from '#shared/conversation/conversation.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { toolsBridge } from '#tests/builders/syncBridge.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { createWorkCommands } from '../commands/createWorkCommands.ts';
import { createWorkList } from '../commands/createWorkList.ts';
import { createTextMemory } from '../store/createTextMemory.ts';
import { createStorage, createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { DENIED, MICROPHONE_BUSY, NEEDS_RELOAD, NO_MICROPHONE } from './recordVoice.ts';
import { setUpVoice } from './setUpVoice.ts';

/** The window's microphone: the open tracks, and what each recorder hears. */
class Track extends EventTarget {
  isOpen = true;
  stop = () => void (this.isOpen = false);
}

class Recorder extends EventTarget {
  static all: Recorder[] = [];
  state = 'inactive';
  /** The interval between the chunks. */
  every = 0;
  constructor(
    readonly stream: { track: Track },
    readonly options: unknown,
  ) {
    super();
    Recorder.all.push(this);
  }
  start = (every: number) => Object.assign(this, { every, state: 'recording' });
  hear = (text: string) =>
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob([text]) }));
  stop(): void {
    if (this.state === 'inactive' || !this.stream.track.isOpen) throw new Error('It records nothing.');
    this.state = 'inactive';
    this.dispatchEvent(new Event('stop'));
  }
}

class Sound extends EventTarget {
  static all: Sound[] = [];
  static play = () => Promise.resolve();
  /** Is known after a seek to the end. */
  duration = Infinity;
  isPlaying = false;
  #at = 0;
  constructor() {
    super();
    Sound.all.push(this);
  }
  get currentTime(): number {
    return this.#at;
  }
  set currentTime(at: number) {
    this.#at = at;
    if (at > 4) this.duration = 4;
    queueMicrotask(() => this.dispatchEvent(new Event('seeked')));
  }
  set src(_: string) {
    queueMicrotask(() => this.dispatchEvent(new Event('loadedmetadata')));
  }
  play = () => {
    this.isPlaying = true;
    return Sound.play();
  };
  pause = () => void (this.isPlaying = false);
  removeAttribute() {}
}

const allowed = vi.fn<() => Promise<unknown>>();
const reload = vi.fn<() => void>();
const intervals = new Map<number, () => void>();
const encode = vi.fn<(_: string, bytes: ArrayBuffer) => Promise<string>>(async (_, bytes) =>
  Buffer.from(bytes).toString(),
);
const write = vi.fn<(items: ClipboardItem[]) => Promise<unknown>>();

class ClipboardItem {
  constructor(readonly parts: Record<string, Promise<Blob>>) {
    // A browser handles a part that is rejected.
    for (const part of Object.values(parts)) part.catch(() => undefined);
  }
}

beforeEach(() => {
  Object.assign(Recorder, { all: [] });
  Object.assign(Sound, { all: [], play: () => Promise.resolve() });
  intervals.clear();
  allowed.mockImplementation(async () => {
    const track = new Track();
    return { track, getTracks: () => [track] };
  });
  reload.mockReset();
  const page = {
    setInterval: (task: () => void) => intervals.set(1, task) && 1,
    clearInterval: (id: number) => intervals.delete(id),
    location: { reload },
  };
  const navigator = { mediaDevices: { getUserMedia: allowed }, clipboard: { write } };
  const classes = { MediaRecorder: Recorder, Audio: Sound, ClipboardItem };
  const globals = { navigator, document: {}, window: page, ...classes };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
});
afterEach(() => void vi.unstubAllGlobals().restoreAllMocks());

const voice = (id: string) => message(id, { content: [item('', { category: 'audio', blob: 'GkXfo59C' })] });

/** A window whose conversation has a sound, a text and another sound. */
function start(storage: ReturnType<typeof createStorage> | null = null, last = voice('c')) {
  const conversation = fromSnapshot({ person: '', messages: [voice('a'), message('b'), last] });
  const shared = { ...sharedReducer(undefined, { type: '' }), conversation };
  const store = createWindowStateStore(() => shared);
  store.dispatch(act.viewChanged({ view: 'conversation' }));
  const { tools, sent, emit } = toolsBridge();
  const texts = createTextMemory(null);
  const clock = virtualClock();
  const [works, messages] = [createWorkList(clock), new Array<unknown>()];
  const send = (...args: unknown[]) => void messages.push(args);
  const parley = { on: expect.unreachable, send, invoke: encode };
  // The window only encodes and sends, and uses these parts of its store and its page's storage.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  setUpVoice({ parley: parley as never, tools }, { store, texts, works, storage } as never);
  const own = () => store.getState().own;
  return {
    store,
    texts,
    own,
    clock,
    works,
    messages,
    /** The actions for main since the last call. */
    told: () => sent.splice(0).map(([, action]) => action),
    async order<C extends 'capture' | 'sound' | 'requestState'>(...args: Parameters<typeof emit<C>>) {
      Reflect.apply(emit, null, args);
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    },
    alerts: () => own().alerts.waiting.map(({ text }) => text),
  };
}

test('a recording is sent once it has ended, as one sound, and releases the microphone; the person reads when it cannot be sent', async () => {
  const { order, messages, told, alerts } = start();
  await order('capture', 'start', 1);
  const [recorder] = Recorder.all;
  recorder?.hear('one ');
  await order('capture', 'stop', 2);
  expect(messages).toEqual([]);
  recorder?.hear('two');
  await order('capture', 'stop', 1);
  expect(messages).toEqual([['message', { category: 'audio', text: null, blob: 'one two' }]]);
  await order('capture', 'stop', 1);
  expect([messages.length, told(), alerts(), recorder?.stream.track.isOpen]).toEqual([1, [], [], false]);
  expect(allowed).toHaveBeenCalledWith({ audio: true });
  const options = { mimeType: 'audio/webm;codecs=opus', audioBitsPerSecond: 32_000 };
  expect(recorder).toMatchObject({ every: 250, options });
  encode.mockRejectedValueOnce(new Error('gone'));
  await order('capture', 'start', 3);
  Recorder.all[1]?.hear('three');
  await order('capture', 'stop', 3);
  expect([messages.length, told(), alerts()]).toEqual([1, [], ['The recording could not be sent.']]);
});

test('a recording that is discarded, replaced, empty or lost sends nothing and releases the microphone', async () => {
  const { order, messages, told, alerts, own } = start();
  await order('capture', 'start', 1);
  await order('capture', 'start', 2);
  await order('capture', 'discard', 2);
  await order('capture', 'start', 3);
  await order('capture', 'stop', 3);
  expect(alerts()).toEqual(['The microphone was not ready before the recording ended. Nothing was sent.']);
  for (const number of [4, 5]) {
    await order('capture', 'start', number);
    const recorder = Recorder.all.at(-1);
    recorder?.hear('lost');
    Object.assign(recorder ?? {}, { state: 'inactive' });
    if (number === 4) recorder?.stream.track.dispatchEvent(new Event('ended'));
    else recorder?.dispatchEvent(new Event('error'));
    await order('capture', 'stop', number);
    recorder?.dispatchEvent(new Event('error'));
    expect(alerts().slice(number - 3)).toEqual([expect.stringContaining('no longer available')]);
    expect(told()).toEqual([user.recordingFailed({ number })]);
  }
  const ends = Recorder.all.map(({ state, stream }) => `${state} ${stream.track.isOpen}`);
  expect(ends).toEqual(Array(5).fill('inactive false'));
  expect([messages, own().soundProgress]).toEqual([[], null]);
});

test.each([
  ['NotAllowedError', DENIED],
  ['NotFoundError', NO_MICROPHONE],
  ['NotReadableError', MICROPHONE_BUSY],
  ['OtherError', MICROPHONE_BUSY],
])(
  'main learns that the microphone cannot be opened because of %s, and the person reads why',
  async (name, text) => {
    const { order, told, alerts } = start();
    allowed.mockRejectedValueOnce(new DOMException('why', name));
    await order('capture', 'start', 5);
    expect([told(), alerts()]).toEqual([[user.recordingFailed({ number: 5 })], [text]]);
    // A recording that main discards while the microphone opens leaves nothing open, and no alert.
    const opening = order('capture', 'start', 6);
    await order('capture', 'discard', 6);
    await opening;
    expect([Recorder.all[0]?.stream.track.isOpen, told(), alerts()]).toEqual([false, [], [text]]);
  },
);

/** Voice was off when the page was loaded. */
function forbidMicrophone(): void {
  vi.stubGlobal('document', { featurePolicy: { allowsFeature: (name: string) => name !== 'microphone' } });
  allowed.mockRejectedValue(new DOMException('why', 'NotAllowedError'));
}

type Started = ReturnType<typeof start>;

test.each<[string, (window: Started) => unknown]>([
  ['shows nothing', () => {}],
  ['shows nothing but a draft', ({ store }) => store.dispatch(act.textBoxOpened({ text: 'a' }))],
  ['shows an alert', ({ store }) => store.dispatch(act.alertShown({ text: 'a' }))],
  ['shows a dialog', ({ store }) => store.dispatch(act.dialogOpened({ dialog: 'export' }))],
  ['shows the find bar', ({ store }) => store.dispatch(act.findOpened())],
  ['shows long work', ({ works, clock }) => [void works.run('Copying', never), clock.advance(1000)]],
  [
    'has the rest of a paste',
    ({ store, texts }) => {
      texts.pasted.keep('0123456789'.repeat(30), 200);
      store.dispatch(act.textBoxOpened({ text: '0123456789'.repeat(20) }));
    },
  ],
])(
  'a page that was loaded without the microphone loads again to record only when it %s',
  async (what, prepare) => {
    forbidMicrophone();
    const storage = createStorage();
    const window = start(storage);
    prepare(window);
    await window.order('capture', 'start', 1);
    const isReloaded = what.startsWith('shows nothing');
    expect([reload.mock.calls.length, storage.items.size]).toEqual(isReloaded ? [1, 1] : [0, 0]);
    expect(window.alerts().includes(NEEDS_RELOAD)).toBe(!isReloaded);
    expect(window.told()).toEqual([user.recordingFailed({ number: 1 })]);
  },
);

test('a page that was loaded again to record does so once, after main has seen it, does not load again at once, and no page does without storage', async () => {
  forbidMicrophone();
  const storage = createStorage();
  await start(storage).order('capture', 'start', 1);
  const second = start(storage);
  await second.order('capture', 'start', 2);
  expect([second.told(), second.alerts()]).toEqual([[user.recordingFailed({ number: 2 })], [NEEDS_RELOAD]]);
  await second.order('requestState');
  await second.order('requestState');
  expect([second.told(), reload.mock.calls.length]).toEqual([[user.recordingToggleRequested()], 1]);
  const third = start(storage);
  await third.order('requestState');
  expect(third.told()).toEqual([]);
  await third.order('capture', 'start', 3);
  await start().order('capture', 'start', 4);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('a sound reports its progress until it ends, is replaced or is stopped, and leaves no address', async () => {
  const made = vi.spyOn(URL, 'createObjectURL');
  const { order, told, own } = start();
  await order('sound', 1, { message: 0, item: 0 });
  const [first] = Sound.all;
  expect([told(), own().soundProgress]).toEqual([[user.audioWritten({ number: 1 })], { at: 0, of: 4 }]);
  Object.assign(first ?? {}, { currentTime: 2 });
  intervals.get(1)?.();
  expect([told().length, own().soundProgress]).toEqual([1, { at: 2, of: 4 }]);
  await order('sound', 2, { message: 2, item: 0 });
  const second = [user.audioWritten({ number: 2 })];
  expect([first?.isPlaying, Sound.all[1]?.isPlaying, told()]).toEqual([false, true, second]);
  Sound.all[1]?.dispatchEvent(new Event('ended'));
  expect([told(), intervals.size]).toEqual([second, 0]);
  await order('sound', 3, { message: 0, item: 0 });
  await order('sound', 3, null);
  expect([own().soundProgress, intervals.size, Sound.all[2]?.isPlaying]).toEqual([null, 0, false]);
  const loading = order('sound', 4, { message: 0, item: 0 });
  await Promise.all([loading, order('sound', 4, null)]);
  const seeking = order('sound', 5, { message: 0, item: 0 });
  Sound.all[4]?.addEventListener('seeked', () => void order('sound', 5, null), { once: true });
  await seeking;
  expect([Sound.all.map(({ isPlaying }) => isPlaying), told().length]).toEqual([Array(5).fill(false), 1]);
  const addresses = made.mock.results.map(({ value }) => resolveObjectURL(String(value)));
  expect(addresses).toEqual(Array(4).fill(undefined));
  expect(made.mock.calls).toMatchObject(addresses.map(() => [{ type: 'audio/webm' }]));
});

test('main learns that a sound cannot be played, and the person reads why, unless it was stopped before', async () => {
  const { order, told, own } = start();
  await order('sound', 1, { message: 1, item: 0 });
  const said = () => [told(), own().notes?.text];
  expect(said()).toEqual([[user.playbackFailed({ number: 1 })], 'This sound cannot be played.']);
  Sound.play = () => Promise.reject(new DOMException('no press', 'NotAllowedError'));
  await order('sound', 2, { message: 0, item: 0 });
  const text = 'A voice message has arrived. Press its Play button to hear it.';
  expect(said()).toEqual([[user.playbackFailed({ number: 2 })], text]);
  const seen = own().notes;
  for (const isRefused of [true, false]) {
    const answers = new EventEmitter();
    Sound.play = async () => {
      await once(answers, 'play');
      if (isRefused) throw new DOMException('It was paused.', 'AbortError');
    };
    await order('sound', 3, { message: 0, item: 0 });
    await order('sound', 3, null);
    answers.emit('play');
    await order('sound', 3, null);
    expect([told(), own().notes, intervals.size]).toEqual([[], seen, 0]);
  }
});

test('a sound that stayed in main is fetched, and cannot be played when it is gone', async () => {
  const blob = { head: 'GkXfo59C', hash: 'aa', image: null };
  const content = [Object.assign(item('', { category: 'audio' }), { blob })];
  for (const ok of [true, false]) {
    const get = vi.fn<typeof fetch>().mockResolvedValue(new Response('sound', { status: ok ? 200 : 404 }));
    vi.stubGlobal('fetch', get);
    const { order, told } = start(null, message('c', { content }));
    await order('sound', 1, { message: 2, item: 0 });
    expect(get.mock.calls).toEqual([['/blob/2/0/aa']]);
    expect(told()).toEqual([(ok ? user.audioWritten : user.playbackFailed)({ number: 1 })]);
  }
});

/** Returns work that ends only when it is cancelled. */
const never = async (_: unknown, signal: AbortSignal) =>
  void (await once(new EventEmitter(), 'end', { signal }));

test('shows work that takes longer than a moment, until it is done; cancels one, or all, without an error, never shows what is cancelled before a moment has passed, and logs the error of work that failed', async () => {
  const clock = virtualClock();
  const list = createWorkList(clock);
  const shown = () => list.current().map(({ name, done, of }) => [name, done, of]);
  const work = new EventEmitter();
  const changes: number[] = [];
  list.subscribe(() => changes.push(shown().length));
  list.subscribe(expect.unreachable)();
  const copying = list.run('Copying', async () => void (await once(work, 'end')));
  expect(shown()).toEqual([]);
  clock.advance(1000);
  expect(shown()).toEqual([['Copying', 0, 0]]);
  work.emit('end');
  expect([await copying, shown(), changes]).toEqual(['done', [], [1, 0]]);
  const works = ['one', 'two', 'three'].map((name) => list.run(name, never));
  clock.advance(1000);
  list.current()[1]?.cancel();
  expect(await works[1]).toBe('cancelled');
  expect(shown().map(([name]) => name)).toEqual(['one', 'three']);
  list.cancel();
  expect(await Promise.all(works)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  const four = list.run('four', never);
  list.cancel();
  expect(await four).toBe('cancelled');
  clock.advance(1000);
  expect(shown()).toEqual([]);
  const error = new Error('no memory');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  expect(await list.run('Exporting', () => Promise.reject(error))).toBe('failed');
  expect(warn).toHaveBeenCalledWith('Exporting: failed', error);
});

test('long work says how far it is at most every 20 ms, and ends between two parts when it is cancelled', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const clock = virtualClock();
  const list = createWorkList(clock);
  const told: unknown[] = [];
  // Other work stays as it is.
  void list.run('Printing', never);
  clock.advance(1000);
  list.subscribe(() => told.push(list.current().map(({ name, done, of }) => `${name} ${done} of ${of}`)));
  const parts: number[] = [];
  const run = (end: number) =>
    list.run('Copying', async (step) => {
      clock.advance(1000);
      for (let part = 1; part <= 4; part++) {
        parts.push(part);
        now += 15;
        const next = step(part, 4);
        if (part === end) list.cancel();
        await next;
      }
    });
  expect(await run(5)).toBe('done');
  const copying = ['Copying 0 of 0', 'Copying 2 of 4', 'Copying 4 of 4'];
  expect(told.splice(0)).toEqual([...copying.map((one) => ['Printing 0 of 0', one]), ['Printing 0 of 0']]);
  expect([await run(2), parts.slice(4)]).toEqual(['cancelled', [1, 2]]);
});

test('a copy or an export that takes long says how it ended, a sign-out cancels it, and an exported file is offered for an hour', async () => {
  const { store, works } = start();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const commands = createWorkCommands(store as never, works);
  const from = { row: 1, item: 0, offset: 0 };
  const copy = () => commands.copyLater({ from, to: { row: 2, item: Infinity, offset: 0 } });
  const ends = () => store.dispatched.splice(0);
  ends();
  const copies: unknown[] = [];
  write.mockImplementationOnce(async ([one]) => void copies.push((await one?.parts['text/plain'])?.size));
  await copy();
  expect([copies, ends()]).toEqual([[28], [copied({ kind: 'selection', length: 28, outcome: 'copied' })]]);
  write.mockRejectedValueOnce(new Error('denied'));
  vi.spyOn(console, 'warn').mockReturnValue();
  await copy();
  const text = 'The messages could not be copied. Keep this window in front, and copy them again.';
  expect(ends()).toMatchObject([{ payload: { outcome: 'failed' } }, act.noteShown({ text })]);
  write.mockImplementationOnce(() => Promise.reject(new Error('stopped', { cause: works.cancel() })));
  await copy();
  expect(ends()).toMatchObject([{ payload: { outcome: 'cancelled' } }]);
  await commands.print();
  const notPrinted = 'The conversation could not be printed. Export it, and print the file.';
  expect(ends().at(-1)).toEqual(act.noteShown({ text: notPrinted }));
  vi.stubGlobal('print', expect.unreachable);
  const printing = commands.print();
  store.dispatch(act.viewChanged({ view: 'login' }));
  await printing;
  expect(ends()).toEqual([
    workStarted({ work: 'print', format: null }),
    act.viewChanged({ view: 'login' }),
    workEnded({ work: 'print', outcome: 'cancelled' }),
  ]);
  await commands.exportConversation('text');
  const notExported =
    'The conversation could not be exported: it needs too much memory. Export it as plain text.';
  expect(ends().at(-1)).toEqual(act.noteShown({ text: notExported }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'], now: new Date(2026, 10, 2, 9, 5) });
  onTestFinished(() => void vi.useRealTimers());
  const link = { href: '', download: '', click: vi.fn<() => void>() };
  vi.stubGlobal('document', { createElement: () => link });
  await commands.exportConversation('text');
  const name = 'Conversation 2026-11-02 09.05.txt';
  expect([link.download, link.click.mock.calls.length]).toEqual([name, 1]);
  const saved = () => resolveObjectURL(link.href)?.text();
  const note = '3 messages, exported from Parley on 2026-11-02 09:05';
  const pieces = ['...', 'b', '...'].map((words) => `\nAssistant:\n${words}\n`).join('');
  expect(await saved()).toBe(`Conversation\n${note}\n${pieces}`);
  expect(ends()).toEqual([
    workStarted({ work: 'export', format: 'text' }),
    act.noteShown({ text: 'The conversation is exported. Save it as', path: name }),
    workEnded({ work: 'export', outcome: 'done' }),
  ]);
  const isGoneAfter = (ms: number) => vi.advanceTimersByTime(ms) && saved() === undefined;
  expect([isGoneAfter(3_599_999), isGoneAfter(1)]).toEqual([false, true]);
});
