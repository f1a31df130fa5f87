/**
 * The clock and the chance that replayed code may see. Two replays of a reducer that reads one of them then differ for sure, also in the same
 * millisecond.
 */
export interface Surroundings {
  /** Milliseconds since 1970. Each reading is one later. */
  readonly time: number;
  /** Whether the first random number is low. */
  readonly isLow: boolean;
}

/** All parts of the two times differ: the year, the month, the day and so on. */
export const SURROUNDINGS: readonly [Surroundings, Surroundings] = [
  { time: Date.UTC(2001, 1, 3, 4, 5, 6, 7), isLow: true },
  { time: Date.UTC(2034, 10, 26, 17, 48, 59, 500), isLow: false },
];

let current: (Surroundings & { readings: number }) | undefined;

/** Runs a replay whose code sees these surroundings. */
export async function withSurroundings<T>(surroundings: Surroundings, replay: () => Promise<T>): Promise<T> {
  current = { ...surroundings, readings: 0 };
  try {
    return await replay();
  } finally {
    current = undefined;
  }
}

/** Runs replayed code, in the surroundings of the replay if it has some. */
export function inSurroundings<T>(run: () => T): T {
  if (current === undefined) return run();
  const restore = replaceGlobals(current);
  try {
    return run();
  } finally {
    restore();
  }
}

function replaceGlobals(state: NonNullable<typeof current>): () => void {
  const { time, isLow } = state;
  const now = () => time + state.readings++;
  const random = () => (isLow === (state.readings++ % 2 === 0) ? 0.0625 : 0.9375);
  const byte = () => Math.floor(random() * 256);
  const RealDate = Date;
  const TimedDate = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given: unknown[], newTarget): object =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  const uuid = () => Array.from({ length: 16 }, () => byte().toString(16).padStart(2, '0')).join('');
  const fill = (array: NodeJS.TypedArray) => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, i, bytes) => {
      bytes[i] = byte();
    });
    return array;
  };
  const replaced: readonly (readonly [object: object, name: string, value: unknown])[] = [
    [globalThis, 'Date', TimedDate],
    [Math, 'random', random],
    [performance, 'now', () => now() - time / 2],
    [crypto, 'randomUUID', () => uuid().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')],
    [crypto, 'getRandomValues', fill],
  ];
  const restores = replaced.map(([object, name, value]) => {
    const before = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
    return () =>
      before === undefined
        ? Reflect.deleteProperty(object, name)
        : Reflect.defineProperty(object, name, before);
  });
  return () => {
    for (const restore of restores) restore();
  };
}
