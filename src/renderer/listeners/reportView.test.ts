import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as act from '#shared/actions/windowActions.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import { virtualClock } from '#shared/clock.ts';
import { fromSnapshot, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { REST_MS, STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { hideGoneExpansions, reportPlace, reportPageSize, reportScroll } from './reportView.ts';

/** Is longer than the window's state keeps it. */
const B = 'b'.repeat(STATE_TEXT_LENGTH + 1);
const EXPANDED = { message: 1, id: limitText(B), item: 0, part: 'markup', steps: 1 } as const;

const conversationOf = (...ids: string[]) =>
  fromSnapshot({ person: 'Ada', messages: ids.map((id) => ({ id })) });

const missing = { person: 'Ada', messages: vectorOf([MISSING_MESSAGE, MISSING_MESSAGE]) };

test.each([
  ['without it', conversationOf('a'), []],
  ['with another message at its place', conversationOf('a', 'c'), []],
  ['with the same message', conversationOf('a', B, 'c'), [EXPANDED]],
  ['in which it is on its way', missing, [EXPANDED]],
])('keeps what is expanded of a message only in a conversation that can have it: %s', (_, next, expanded) => {
  let conversation = conversationOf('a', B);
  const store = createWindowStateStore(() => ({ conversation }));
  store.dispatch(act.expansionChanged(EXPANDED));
  hideGoneExpansions(store);
  store.changed();
  conversation = next;
  store.changed();
  expect(store.getState().own.expanded).toEqual(expanded);
});

function watchedWindow() {
  const events = new EventEmitter();
  const addEventListener = (type: string, listener: () => void) => void events.on(type, listener);
  const document = { isFocused: true, visibilityState: 'visible' as DocumentVisibilityState };
  const hasFocus = () => document.isFocused;
  let count = 0;
  const conversation = () => conversationOf(...Array.from({ length: count }, String));
  const store = createWindowStateStore(() => ({ conversation: conversation() }));
  store.dispatch(act.viewChanged({ view: 'conversation' }));
  reportPlace({ document: Object.assign(document, { hasFocus, addEventListener }), addEventListener }, store);
  return {
    dispatch: store.dispatch,
    arrive(messages: number) {
      count += messages;
      store.changed();
    },
    focus(is: boolean) {
      document.isFocused = is;
      events.emit(is ? 'focus' : 'blur');
    },
    show(is: boolean) {
      document.visibilityState = is ? 'visible' : 'hidden';
      events.emit('visibilitychange');
    },
    /** Returns the reports since the last call. */
    reports: () => {
      const all = store.dispatched.splice(0).filter(({ type }) => type.startsWith('place/'));
      return all.map(({ type, payload }) => [type, payload]);
    },
  };
}

const left = (messages: number, isAway: boolean) => ['place/left', { messages, isAway }];
const returned = (messages: number) => ['place/returned', { messages }];

test('the person leaves with the focus, a window that is not visible or by scrolling up, and returns at the bottom of a window with the focus; nothing is left without messages or outside of the conversation', () => {
  const window = watchedWindow();
  window.focus(false);
  window.focus(true);
  window.arrive(2);
  window.focus(false);
  window.arrive(3);
  expect(window.reports()).toEqual([left(2, true)]);
  window.focus(true);
  window.arrive(1);
  expect(window.reports()).toEqual([returned(5)]);
  window.show(false);
  window.focus(false);
  window.focus(true);
  expect(window.reports()).toEqual([left(6, true)]);
  window.show(true);
  expect(window.reports()).toEqual([returned(6)]);
  window.dispatch(act.leftBottom());
  window.focus(false);
  window.dispatch(act.reachedBottom());
  expect(window.reports()).toEqual([left(6, false)]);
  window.focus(true);
  expect(window.reports()).toEqual([returned(6)]);
  window.dispatch(act.viewChanged({ view: 'login' }));
  window.focus(false);
  expect(window.reports()).toEqual([]);
});

test('says a size once, when a resize or a zoom rests', () => {
  const events = new EventEmitter();
  const addEventListener = (type: string, listener: () => void) => void events.on(type, listener);
  const target = { innerWidth: 480, innerHeight: 760, devicePixelRatio: 1.100000023841858, addEventListener };
  const clock = virtualClock();
  const store = createWindowStateStore();
  reportPageSize(target, store, clock);
  const resize = (size: Partial<typeof target>, rest: number) => {
    Object.assign(target, size);
    events.emit('resize');
    clock.advance(rest);
  };
  expect(store.dispatched.splice(0)).toEqual([act.pageResized({ width: 480, height: 760, pixelRatio: 1.1 })]);
  resize({}, REST_MS);
  resize({ innerWidth: 500 }, REST_MS - 1);
  resize({ innerWidth: 600 }, REST_MS - 1);
  expect(store.dispatched).toEqual([]);
  clock.advance(1);
  resize({ devicePixelRatio: 2 }, REST_MS);
  expect(store.dispatched).toEqual([
    act.pageResized({ width: 600, height: 760, pixelRatio: 1.1 }),
    act.pageResized({ width: 600, height: 760, pixelRatio: 2 }),
  ]);
});

/** A view of the conversation, at twice its size, with the row of one message, which begins `top` pixels below the top of the view. */
class View {
  isConnected = true;
  constructor(
    public index: number,
    public top: number,
    readonly role = 'log',
  ) {}
  matches = () => this.role === 'log';
  offsetHeight = 250;
  scrollHeight = 900;
  clientHeight = 500;
  scrollTop = 100;
  getBoundingClientRect = () => ({ top: 0, bottom: 500, height: 500 });
  querySelectorAll = () => {
    const getBoundingClientRect = () => ({ top: this.top, bottom: this.top + 50 });
    return [{ dataset: { row: String(this.index) }, getBoundingClientRect }];
  };
}

test('the place to which the person scrolled is the message at the top of the view when it rests, once, and another one in its place', () => {
  vi.stubGlobal('HTMLElement', View);
  onTestFinished(() => void vi.unstubAllGlobals());
  let conversation = conversationOf('a', 'b', 'c');
  const store = createWindowStateStore(() => ({ conversation }));
  const [clock, events] = [virtualClock(), new EventEmitter()];
  const addEventListener = (_: string, listen: (event: Event) => void) => void events.on('scroll', listen);
  reportScroll({ addEventListener }, store, clock);
  const scroll = (view: View, rest: number = REST_MS) => {
    events.emit('scroll', { target: view });
    clock.advance(rest);
  };
  const place = () => store.getState().own.scrolledTo;
  // Not at the bottom, of another element, and of a view that is gone.
  scroll(new View(1, -20));
  store.dispatch(act.leftBottom());
  scroll(new View(1, -20, 'list'));
  scroll(Object.assign(new View(1, -20), { isConnected: false }));
  expect(store.dispatched).toEqual([act.leftBottom()]);
  scroll(new View(1, -20), REST_MS - 1);
  scroll(new View(2, -20.8), REST_MS - 1);
  expect(place()).toBeNull();
  clock.advance(1);
  expect(place()).toEqual({ message: 2, id: 'c', offset: -10 });
  scroll(new View(2, -20));
  expect(store.dispatched).toHaveLength(2);
  conversation = conversationOf('a', 'b', 'd');
  scroll(new View(2, -20));
  expect(place()).toEqual({ message: 2, id: 'd', offset: -10 });
  scroll(new View(2, -40));
  expect(place()).toEqual({ message: 2, id: 'd', offset: -20 });
});
