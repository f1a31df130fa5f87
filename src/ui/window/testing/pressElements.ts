import { vi } from 'vitest';
import type { WindowCommands } from '../base/WindowCommands.ts';

/** An element that was drawn. */
export type Drawn = readonly [type: unknown, props: Readonly<Record<string, unknown>>];

/** What the handlers of the elements did. */
const done: string[] = [];

const does = (name: string, ...args: readonly unknown[]) =>
  done.push([name, ...args.map((one) => JSON.stringify(one ?? null))].join(' '));

/** Returns something that says what is done with it, beside these fields. */
const standIn = (fields: object): object =>
  new Proxy(fields, {
    get: (known, name) =>
      Reflect.get(known, name) ?? ((...args: readonly unknown[]) => void does(`${String(name)}()`, ...args)),
    set: (_, name, value) => does(`${String(name)} =`, value) > 0,
  });

const entry = standIn({ textContent: 'First', toJSON: () => 'first entry', getBoundingClientRect: Object });

const refuse = () => Promise.reject(new Error('No.'));

/** Stands for each element of the page. */
const element = standIn({
  toJSON: () => 'element',
  contains: () => false,
  getBoundingClientRect: () => ({ left: 0, top: 0, width: 0, height: 0 }),
  querySelectorAll: () => [entry],
  createElement: (name: string) => standIn({ toJSON: () => name }),
  files: ['file'],
  decode: refuse,
  value: ' 30 ',
  checked: true,
  selectionStart: 0,
  selectionEnd: 0,
  scrollHeight: 9,
  offsetWidth: 100,
  clientWidth: 100,
});

/** Returns what stands for the message of a row of the conversation. */
export function elementOfRow(row: number): object {
  const label = { checkVisibility: () => true };
  const article = { closest: () => ({ dataset: { row } }), querySelector: () => label };
  vi.stubGlobal('Element', { [Symbol.hasInstance]: (one: unknown) => one === article });
  return article;
}

/** Returns commands that say that they were given. */
export const recordingCommands = (commands: WindowCommands): WindowCommands =>
  new Proxy(commands, {
    get: ({ works }, name) =>
      name === 'works' ? works : (...args: readonly unknown[]) => does(String(name), ...args),
  });

const KEYS =
  'Enter, Enter held, Alt+Enter, Escape, Tab, Tab held, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, +';

function eventOf(keys: string): object {
  const key = keys.replace(/Alt\+| held/u, '');
  const fields = { key, altKey: keys.startsWith('Alt'), repeat: keys.endsWith('held') };
  return { ...fields, nativeEvent: fields };
}

/** What is done with an element, in this order: its handler, and the fields of its event. */
const EVENTS: readonly (readonly [handler: string, way: string, fields: object])[] = [
  ['onClick', 'click', { detail: 1 }],
  ['onClick', 'second click', { detail: 2 }],
  ['onClick', 'click when the clipboard is not allowed', { detail: 1, isRefused: true }],
  ['onMouseDown', 'mouse down', {}],
  ...KEYS.split(', ').map((keys) => ['onKeyDown', keys, eventOf(keys)] as const),
  ['onChange', 'change', {}],
  ['onChange', 'emptied', { target: { value: '', checked: false, files: [] } }],
  ['onSubmit', 'submit', {}],
  ['onBlur', 'blur', { relatedTarget: null }],
  ['onClose', 'close', {}],
  ['onToggle', 'opening', { newState: 'open' }],
  ['onToggle', 'closing', { newState: 'closed' }],
  ['onDrop', 'drop', { dataTransfer: 'data' }],
  ['onDragOver', 'drag of a file', { dataTransfer: standIn({ types: ['Files'] }) }],
  ['onDragOver', 'drag of a text', { dataTransfer: standIn({ types: ['text/plain'] }) }],
  ['onLoad', 'load', {}],
  ['onDoubleClick', 'double click', { clientX: 20, clientY: 30 }],
];

/** A clipboard, and one that is not allowed. */
const CLIPBOARDS = [standIn({}), { writeText: refuse, write: refuse }];

/** Returns the words of an element. */
function wordsOf(part: unknown): string {
  if (Array.isArray(part)) return part.map(wordsOf).join('');
  if (typeof part === 'string') return part;
  const { children, label } = Object(Reflect.get(Object(part), 'props'));
  return part === undefined || part === null ? '' : wordsOf(children ?? label);
}

function nameOf([type, props]: Drawn): string {
  const words = props['aria-label'] ?? (wordsOf(props['children']) || (props['type'] ?? props['className']));
  return `${String(type)} ${String(words).slice(0, 60)}`;
}

/** What a component does when it is shown; returns what it does when it disappears. */
export type Effect = () => unknown;

const timer = (name: string) => (act: () => void, ms?: number) => [does(name, ms), act(), ms].at(-1);

/** Replaces what the effects and handlers use of a page, whose focus is in `page`. Timers run at once. */
function stubPage(page: object): void {
  const Observer = function Observer() {
    return standIn({});
  };
  const stubs = {
    document: Object.setPrototypeOf(page, element),
    window: standIn({}),
    CSS: { highlights: standIn({ get: () => standIn({}) }) },
    MutationObserver: Observer,
    ResizeObserver: Observer,
    HTMLInputElement: Array,
    HTMLTextAreaElement: Array,
    setTimeout: timer('setTimeout'),
    setInterval: timer('setInterval'),
  };
  for (const [name, value] of Object.entries(stubs)) vi.stubGlobal(name, value);
  for (const name of ['requestAnimationFrame', 'cancelAnimationFrame', 'clearTimeout', 'clearInterval'])
    vi.stubGlobal(name, Reflect.get(standIn({}), name));
}

/** Runs what the components do when they are shown, and when they disappear without and with the focus; returns a line for what each one did. */
function runEffects(effects: readonly Effect[], page: { activeElement: object | null }): readonly string[] {
  return effects.flatMap((effect) => {
    const end = effect();
    const shown = done.splice(0).join(', ');
    const [gone, focused] = [null, element].map((activeElement) => {
      page.activeElement = activeElement;
      if (typeof end === 'function') end();
      return done.splice(0).join(', ');
    });
    const line = Object.entries({ shown, gone, 'gone with the focus': focused === gone ? '' : focused });
    return line.flatMap(([how, what]) => (what === '' ? [] : `${how}: ${what}`)).join('; ') || [];
  });
}

/** Calls each handler of the elements that were drawn; returns a line for what each one did. There is no document: what a browser does itself does not happen. */
export async function pressElements(
  all: readonly Drawn[],
  effects: readonly Effect[],
): Promise<readonly string[]> {
  const page = { activeElement: null };
  stubPage(page);
  vi.stubGlobal('getComputedStyle', () => ({ lineHeight: '20px' }));
  vi.stubGlobal('FormData', function FormData() {
    return { get: (name: string) => (name.startsWith('_') ? 'markdown' : `the ${name}`), has: () => true };
  });
  vi.stubGlobal('ClipboardItem', Object);
  vi.stubGlobal('URL', standIn({}));
  for (const one of all.flatMap(([, { ref, list }]) => [ref, list]))
    if (one !== null && typeof one === 'object') Object.assign(one, { current: element });
  const lines = [...runEffects(effects, page)];
  let clicked = '';
  for (const one of all)
    for (const [handler, way, fields] of EVENTS) {
      const handle = one[1][handler];
      if (typeof one[0] !== 'string' || typeof handle !== 'function' || one[1]['disabled'] === true) continue;
      const preventDefault = () => does('prevented');
      vi.stubGlobal('navigator', { clipboard: CLIPBOARDS['isRefused' in fields ? 1 : 0] });
      handle({ target: element, currentTarget: element, preventDefault, toJSON: () => 'event', ...fields });
      // What is written to the clipboard.
      await new Promise(setImmediate);
      const what = done.splice(0).join(', ');
      // Most buttons do the same at each click.
      const usual = handler === 'onClick' && way !== 'click' ? clicked : '';
      if (way === 'click') clicked = what;
      if (what !== usual) lines.push(`${nameOf(one)}: ${way}: ${what || 'nothing'}`);
    }
  vi.unstubAllGlobals();
  return lines;
}
