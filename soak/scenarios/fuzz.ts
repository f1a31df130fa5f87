import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, tryParseJson } from '#shared/json.ts';
import { saveFailingCapture } from '../harness/dataFolder.ts';
import { answersPing, numberedMessage } from '../harness/frames.ts';
import { openPage, showsNewest } from '../harness/openPage.ts';
import { ROOT, startSignedIn } from '../harness/startMessenger.ts';
import { CheckError, type Soak, scenario } from '../run/scenario.ts';

const BATCH = 50;
const LAST = 999_999;
const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

/** Frames that must be rejected with a reason in the log. Each of them once ended the host. */
const FORBIDDEN = [
  '{"modifier":"ai","__proto__":1}',
  '{"modifier":"ai","id":"x","content":[{"category":"text","text":"x","__proto__":{"a":1}}]}',
  '{"person":"Ada","messages":[{"id":"x","extra":{"__proto__":null}}]}',
  `{"modifier":"ai","id":"x","extra":${deep(1720)}}`,
  `{"person":"Ada","messages":[],"extra":${deep(6000)}}`,
  `{"modifier":"ai","id":"x","extra":${deep(100_000)}}`,
];

/** Mutated frames of the captures, sent through a real socket while a window is open. */
export const fuzz = scenario({
  name: 'fuzz',
  sentence:
    'The platform sends mutated frames; the messenger keeps running, and a good conversation arrives afterwards.',
  short: { frames: 1000 },
  long: { frames: 50_000 },
  async run(soak, { frames }) {
    const signedIn = await startSignedIn(soak, { hooks: ['timeLapse'], env: { SOAK_TIME_LAPSE: '10' } });
    const { messenger, platform } = signedIn;
    const current = () => platform.sockets.all.at(-1) ?? signedIn.socket;
    const { page, errors } = await openPage(soak, messenger.url);

    const send = async (name: string, batch: readonly (string | Uint8Array)[]) => {
      for (const frame of batch) current().sendText(frame);
      const answers = await answersPing(current(), messenger);
      await messenger.evaluate('1').catch(() => undefined);
      if (answers && messenger.isRunning()) return;
      const path = saveFailingCapture(name, batch);
      soak.check('the messenger survives every frame', false, `the frames are in ${path}`);
      throw new CheckError('the messenger has ended');
    };

    for (const [index, frame] of FORBIDDEN.entries()) await send(`forbidden-${index}`, [frame]);
    await fuzzBatches(soak, frames, send);
    soak.check('the messenger survives every frame', true);
    soak.check('a frame with its own __proto__ is rejected', messenger.log().includes('"reason":"protoKey"'));
    soak.check('a frame that is too deep is rejected', messenger.log().includes('"reason":"tooDeep"'));

    await soak.waitFor('the platform can still send', 20, () => answersPing(current(), messenger));
    // Directly before it, frames that must not delay it.
    for (const frame of FORBIDDEN) current().sendText(frame);
    current().send({ person: 'Ada Lovelace', messages: [numberedMessage(LAST)] });
    // The queue first releases the updates that wait, 100 a second.
    await soak.waitFor(
      'a good conversation arrives in the window',
      60 + frames / 100,
      showsNewest(page, LAST),
    );
    soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
    soak.check(
      'the main process has no uncaught error',
      !/uncaught|unhandled|unexpected error/i.test(messenger.log() + messenger.printed.stderr),
    );
    soak.addFigure('frames', frames, '');
    soak.addFigure('rejected', countRejected(messenger.log()), '');
  },
});

async function fuzzBatches(
  soak: Soak,
  frames: number,
  send: (name: string, batch: readonly (string | Uint8Array)[]) => Promise<void>,
): Promise<void> {
  const corpus = readCorpus();
  const { random } = soak;
  for (let sent = 0; sent < frames; sent += BATCH) {
    if (sent % 1000 === 0) soak.showProgress(`${sent} of ${frames} frames`);
    const batch = Array.from({ length: BATCH }, () =>
      mutateFrame(corpus[Math.floor(random() * corpus.length)] ?? '{}', random),
    );
    await send(`fuzz-seed${soak.seed}-${sent}`, batch);
  }
}

/** Counts the rejected frames in a log, repeated lines included. */
function countRejected(log: string): number {
  const counts = log.split('\n').map((line) => {
    if (!line.includes('frame rejected')) return 0;
    return 1 + Number(/"repeated":(?<count>\d+)/.exec(line)?.groups?.count ?? 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

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
function mutateFrame(frame: string, random: Random): string | Uint8Array {
  let text = frame;
  for (let round = 0; round <= Math.floor(random() * 3); round++) {
    const value = tryParseJson(text);
    // JSON.stringify cannot write what an earlier change has nested too deep.
    const isDeep = text.includes(DEEP_LIST) || text.includes(DEEP_OBJECT);
    if (isJsonObject(value) && !isDeep && text.length < 500_000) text = mutateValue(value, random);
  }
  return random() < 0.2 ? mutateText(text, random) : text;
}

const FOLDER = join(ROOT, 'tests', 'captures');
/** Longer frames make mutation slow and find no more faults. In characters. */
const LONGEST = 10_000;

/** Returns the text frames of the captures in `tests/captures`. */
function readCorpus(): readonly string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.parley.jsonl'));
  const lines = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'));
  return lines.flatMap((line) => {
    const record = tryParseJson(line);
    const isText = isJsonObject(record) && record.type === 'recv' && record.encoding === undefined;
    return isText && typeof record.data === 'string' && record.data.length < LONGEST ? [record.data] : [];
  });
}
