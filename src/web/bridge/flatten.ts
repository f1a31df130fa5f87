import { stringify, unflatten } from 'devalue';
import * as z from 'zod/mini';

/** A value in devalue's flat form, and the long texts in it, which are sent beside it. */
export interface Flat {
  readonly json: string;
  /** The long texts, one after the other; the flat form contains their places. */
  readonly texts: string;
}

/** A text of this length is sent as it is: to escape one for JSON and to parse it again takes longer than everything else. */
const LONG_TEXT = 4096;

const reducers = {
  Error(value: unknown) {
    // devalue calls this with every value before it encodes it.
    if (typeof value === 'string' && hasTooManyEscapes(value)) throw new RangeError('too much to escape');
    return value instanceof Error && [value.name, value.message, value.stack];
  },
};

/** V8 ends the process when one string needs more than 67,108,864 replacements. */
const MAX_ESCAPES = 32 * 1024 * 1024;

/** Returns whether devalue would escape more characters of a string than V8 can replace. */
function hasTooManyEscapes(text: string): boolean {
  if (text.length <= MAX_ESCAPES) return false;
  let escapes = 0;
  for (let i = 0; i < text.length && escapes <= MAX_ESCAPES; i++)
    if (isEscaped(text.charCodeAt(i))) escapes++;
  return escapes > MAX_ESCAPES;
}

/** Returns whether devalue escapes a character that JSON does not: `<` and the line separators. */
const isEscaped = (code: number) => code === 0x3c || code === 0x2028 || code === 0x2029;

/**
 * Encodes a value as devalue's flat form, as the structured clone does.
 * @throws {Error} `An object could not be cloned.`, as Electron does, for functions, symbols and other values without a clone.
 */
export const flatten = (value: unknown): string => withClone(value, (plain) => stringify(plain, reducers));

/**
 * Encodes a value as {@link flatten} does, with its long texts beside it.
 * @throws {Error} as {@link flatten}.
 */
export const flattenWithTexts = (value: unknown): Flat =>
  withClone(value, (plain) => {
    let texts = '';
    const Text = (text: unknown) => {
      // UTF-8 has no lone surrogates, JSON escapes them.
      if (typeof text !== 'string' || text.length < LONG_TEXT || !text.isWellFormed()) return false;
      const from = texts.length;
      texts += text;
      return [from, texts.length];
    };
    return { json: stringify(plain, { Text, ...reducers }), texts };
  });

/** Encodes a value. devalue accepts plain values only, so others (an instance, for example) are cloned first. */
function withClone<T>(value: unknown, encode: (value: unknown) => T): T {
  try {
    return encode(value);
  } catch {
    try {
      return encode(structuredClone(value));
    } catch {
      throw new Error('An object could not be cloned.');
    }
  }
}

const errorPartsSchema = z.tuple([z.string(), z.string(), z.optional(z.string())]);
const placeSchema = z.tuple([z.number(), z.number()]);

const Error_ = (parts: unknown) => {
  const [name, message, stack] = errorPartsSchema.parse(parts);
  return Object.assign(new Error(message), { name, stack });
};

/**
 * Decodes a value.
 * @param texts the long texts that were sent beside it.
 * @throws {Error} for anything but a flat form.
 */
export function unflattened(flat: unknown, texts = ''): unknown {
  if (typeof flat !== 'number' && !Array.isArray(flat)) throw new TypeError('Not a value of the bridge.');
  const Text = (place: unknown) => texts.slice(...placeSchema.parse(place));
  const value: unknown = unflatten(flat, { Error: Error_, Text });
  return value;
}
