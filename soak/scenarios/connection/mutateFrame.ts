import { isJsonObject } from '#shared/isJsonObject.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
};

const ODD_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', 'length', '', '0'];
const DEPTHS = [20, 199, 200, 201, 400, 1720, 2000, 10_000];
const MARKUP = [
  '<frameset>',
  '<frameset><frame></frameset>',
  '<svg><style><img src=x onerror=alert(1)>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  `${'<b>'.repeat(60)}${'<p>x'.repeat(60)}`,
  `${'<div>'.repeat(600)}deep`,
  '<template><template><template>',
  '<select><option><table><caption><body onload=1>',
];
const DEEP_LIST = '['.repeat(1000);
const DEEP_OBJECT = '{"a":'.repeat(1000);
/** Stands for something that JSON.stringify could not write. */
const PLACE = '@place@';

const oddValues = (random: Random): unknown =>
  pick(random, [
    null,
    true,
    -0,
    1e308,
    '',
    '\u0000',
    '\uD800',
    '\u202E\u200B',
    'x'.repeat(100_000),
    [],
    {},
    [[[]]],
    [null],
    Array.from({ length: 1000 }, () => 0),
  ]);

/** Mutations are made up to this depth. */
const MOST_LEVELS = 20;

/** Returns every object and list within a value, the value itself first. */
function* containersIn(value: unknown, level = 0): Generator<Record<string, unknown> | unknown[]> {
  if (Array.isArray(value)) yield value;
  else if (isJsonObject(value)) yield value;
  else return;
  if (level === MOST_LEVELS) return;
  for (const child of Object.values(value)) yield* containersIn(child, level + 1);
}

/** Sets a field of its own, whatever its name; a list has no names, so it is appended to. */
function setOwn(container: object, key: string, value: unknown): void {
  if (Array.isArray(container) && !/^\d+$/.test(key)) container.push(value);
  else Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

type Edit = (container: object, random: Random) => (json: string) => string;

const keep = (json: string) => json;

/** Puts something at a random place of a container. */
const put = (container: object, random: Random, value: unknown) => {
  const keys = Object.keys(container);
  setOwn(container, keys.length > 0 && random() < 0.8 ? pick(random, keys) : pick(random, ODD_KEYS), value);
};

const EDITS: readonly Edit[] = [
  (container, random) => {
    put(container, random, oddValues(random));
    return keep;
  },
  (container, random) => {
    setOwn(container, pick(random, ODD_KEYS), oddValues(random));
    return keep;
  },
  (container, random) => {
    put(container, random, PLACE);
    const depth = pick(random, DEPTHS);
    const isList = random() < 0.5;
    const nested = `${(isList ? '[' : '{"a":').repeat(depth)}1${(isList ? ']' : '}').repeat(depth)}`;
    return (json) => json.replaceAll(`"${PLACE}"`, nested);
  },
  (container, random) => {
    put(container, random, PLACE);
    return (json) => json.replaceAll(`"${PLACE}"`, pick(random, ['1e999', '-1e-999', '0.1e+1', '"\\ud800"']));
  },
  (container, random) => {
    const keys = Object.keys(container);
    if (keys.length > 0) Reflect.deleteProperty(container, pick(random, keys));
    return keep;
  },
  (container, random) => {
    setOwn(container, 'html', pick(random, MARKUP));
    setOwn(container, 'category', 'html');
    return keep;
  },
];

function mutateValue(value: unknown, random: Random): string {
  const container = pick(random, Array.from(containersIn(value)));
  const finish = pick(random, EDITS)(container, random);
  return finish(JSON.stringify(value));
}

/** Changes the text itself, often beyond JSON. */
function mutateText(text: string, random: Random): string | Uint8Array {
  const at = Math.floor(random() * text.length);
  const bytes = Buffer.from(text);
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + pick(random, ['"', '{', '}', '[', ',', '\\', '\u0000']) + text.slice(at);
    case 2:
      return text + text;
    default:
      bytes[at % bytes.length] = Math.floor(random() * 256);
      return bytes;
  }
}

/** Returns a frame with one to three random changes, as text or as bytes that need not be UTF-8. */
export function mutateFrame(frame: string, random: Random): string | Uint8Array {
  let text = frame;
  for (let round = 0; round <= Math.floor(random() * 3); round++) {
    const value = tryParseJson(text);
    // JSON.stringify cannot write what an earlier change has nested too deep.
    const isDeep = text.includes(DEEP_LIST) || text.includes(DEEP_OBJECT);
    if (isJsonObject(value) && !isDeep && text.length < 500_000) text = mutateValue(value, random);
  }
  return random() < 0.2 ? mutateText(text, random) : text;
}
