/** A property of an object, and the value that it has for a time. */
export type Replacement = readonly [object: object, name: string, value: unknown];

/** Replaces properties; returns a function that restores them. */
export function replaceProperties(replaced: readonly Replacement[]): () => void {
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

/** Returns `Date` with another clock. @param now returns milliseconds since 1970. */
export function dateWith(now: () => number): DateConstructor {
  const RealDate = Date;
  return new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given: unknown[], newTarget): object =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

/** Returns the replacements of the sources of random numbers. @param random returns a number from 0 up to 1. */
export function randomReplacements(random: () => number): readonly Replacement[] {
  const byte = () => Math.floor(random() * 256);
  const uuid = () => Array.from({ length: 16 }, () => byte().toString(16).padStart(2, '0')).join('');
  const fill = <T extends ArrayBufferView>(array: T): T => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, i, bytes) => {
      bytes[i] = byte();
    });
    return array;
  };
  return [
    [Math, 'random', random],
    [crypto, 'randomUUID', () => uuid().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')],
    [crypto, 'getRandomValues', fill],
  ];
}
