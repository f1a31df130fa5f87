import { vi } from 'vitest';
import type { WindowCommands } from '../base/WindowCommands.ts';

type Props = Readonly<Record<string, unknown>>;

/** An element that was drawn. */
export type Drawn = readonly [type: unknown, props: Props];

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

/** Stands for each element of the page. */
const element = standIn({
  toJSON: () => 'element',
  contains: () => false,
  querySelectorAll: () => [{ textContent: 'First', toJSON: () => 'first entry' }],
  createElement: (name: string) => standIn({ toJSON: () => name }),
  files: ['file'],
  value: '30',
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

/** A clipboard that is not allowed. */
const refuse = () => Promise.reject(new Error('No.'));
const refused = { writeText: refuse, write: refuse };

/** Returns commands that say that they were given. */
export const recordingCommands = (commands: WindowCommands): WindowCommands =>
  new Proxy(commands, {
    get: ({ works }, name) =>
      name === 'works' ? works : (...args: readonly unknown[]) => does(String(name), ...args),
  });

const KEYS = [
  'Enter',
  'Enter held',
  'Alt+Enter',
  'Escape',
  'Tab',
  'Tab held',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  '+',
];

const held = (name: string): object => {
  const key = name.replace(/Alt\+| held/u, '');
  const fields = { key, altKey: name.startsWith('Alt'), repeat: name.endsWith('held') };
  return { ...fields, nativeEvent: fields };
};

const finger = (pointerId: number, clientX: number, clientY: number) => ({
  pointerId,
  clientX,
  clientY,
  button: 0,
});

/** What is done with an element, in this order: its handler, and the fields of its event. */
const EVENTS: readonly (readonly [handler: string, way: string, fields: object])[] = [
  ['onClick', 'click', { detail: 1 }],
  ['onClick', 'second click', { detail: 2 }],
  ['onClick', 'click when the clipboard is not allowed', { detail: 1, isRefused: true }],
  ['onMouseDown', 'mouse down', {}],
  ...KEYS.map((name) => ['onKeyDown', name, held(name)] as const),
  ['onChange', 'change', {}],
  ['onSubmit', 'submit', {}],
  ['onBlur', 'blur', { relatedTarget: null }],
  ['onClose', 'close', {}],
  ['onToggle', 'opening', { newState: 'open' }],
  ['onToggle', 'closing', { newState: 'closed' }],
  ['onDrop', 'drop', { dataTransfer: 'data' }],
  ['onDragOver', 'drag of a file', { dataTransfer: standIn({ types: ['Files'] }) }],
  ['onDragOver', 'drag of a text', { dataTransfer: standIn({ types: ['text/plain'] }) }],
  ['onDoubleClick', 'double click', { clientX: 20, clientY: 30 }],
  ['onPointerDown', 'press of the other button', { ...finger(1, 0, 0), button: 2 }],
  ['onPointerMove', 'move', finger(1, 5, 5)],
  ['onPointerDown', 'press', finger(1, 0, 0)],
  ['onPointerMove', 'drag', finger(1, 10, 20)],
  ['onPointerDown', 'press of another finger', finger(2, 10, 40)],
  ['onPointerMove', 'spread', finger(2, 10, 50)],
  ['onPointerUp', 'release', finger(1, 10, 20)],
  ['onPointerMove', 'drag with the other finger', finger(2, 13, 54)],
  ['onPointerCancel', 'end', finger(2, 13, 54)],
  ['onPointerMove', 'move after the end', finger(2, 20, 60)],
];

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

/** Calls each handler of the elements that were drawn; returns a line for what each one did. There is no document: what a browser does itself does not happen. */
export async function pressElements(all: readonly Drawn[]): Promise<readonly string[]> {
  const lines: string[] = [];
  vi.stubGlobal('document', element);
  vi.stubGlobal('getComputedStyle', () => ({ lineHeight: '20px' }));
  vi.stubGlobal('HTMLTextAreaElement', Array);
  vi.stubGlobal('FormData', function FormData() {
    return { get: (name: string) => (name.startsWith('_') ? 'markdown' : `the ${name}`), has: () => true };
  });
  vi.stubGlobal('ClipboardItem', Object);
  vi.stubGlobal('Blob', function Blob(parts: unknown, { type }: { readonly type: string }) {
    return { parts, type };
  });
  vi.stubGlobal('URL', {
    createObjectURL: (blob: unknown) => `blob:${JSON.stringify(blob)}`,
    revokeObjectURL: (address: string) => does('revoked', address.slice(0, 5)),
  });
  vi.stubGlobal('setTimeout', (act: () => void, time: number) => {
    does('later', time);
    act();
  });
  for (const [, { ref }] of all)
    if (ref !== null && typeof ref === 'object') Object.assign(ref, { current: element });
  let clicked = '';
  for (const one of all)
    for (const [handler, way, fields] of EVENTS) {
      const handle = one[1][handler];
      if (typeof one[0] !== 'string' || typeof handle !== 'function' || one[1]['disabled'] === true) continue;
      const preventDefault = () => does('prevented');
      vi.stubGlobal('navigator', { clipboard: 'isRefused' in fields ? refused : standIn({}) });
      handle({ ...fields, target: element, currentTarget: element, preventDefault, toJSON: () => 'event' });
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
