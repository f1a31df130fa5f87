/** Normalizes the text of an answer, whose parts can be cut anywhere. */
export interface TextNormalizer {
  /** Returns the part as far as it is complete: a carriage return or half a character at its end waits for the next part. */
  add(text: string): string;
  /** Returns what still waits. */
  end(): string;
}

/** Characters that can be the first half of a pair: a high surrogate, and the carriage return of CRLF. */
const HALF = /[\uD800-\uDBFF\r]$/;

/** Creates a normalizer: line ends become `\n`, and a lone surrogate becomes U+FFFD. */
export function createTextNormalizer(): TextNormalizer {
  let waiting = '';
  return {
    add(text) {
      const all = waiting + text;
      waiting = HALF.exec(all)?.[0] ?? '';
      return normalize(all.slice(0, all.length - waiting.length));
    },
    end() {
      const rest = normalize(waiting);
      waiting = '';
      return rest;
    },
  };
}

const normalize = (text: string): string => text.replaceAll(/\r\n?/g, '\n').toWellFormed();
