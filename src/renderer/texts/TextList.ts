/** Number of texts that are kept. */
export const KEPT_TEXTS = 20;

/** A direction in the list: to older or to newer texts. */
export type RecallDirection = 'older' | 'newer';

/** The last texts that left the text box, the newest last, each once; and which of them is recalled. */
export class TextList {
  #texts: readonly string[];
  /** The index of the recalled text; the number of texts while none is recalled. */
  #at: number;

  constructor(texts: readonly string[] = []) {
    this.#texts = texts;
    this.#at = texts.length;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Adds a text, which becomes the newest one. */
  add(text: string): void {
    this.#texts = [...this.#texts.filter((one) => one !== text), text].slice(-KEPT_TEXTS);
    this.#at = this.#texts.length;
  }

  /**
   * Returns the text that is older or newer than `current`, the contents of the text box; the empty text follows the newest one. Returns
   * `undefined` when there is none, and when `current` is neither empty nor the recalled text: then the person has edited it.
   */
  recall(direction: RecallDirection, current: string): string | undefined {
    if (current === '') this.#at = this.#texts.length;
    else if (current !== this.#texts[this.#at]) return undefined;
    const next = this.#at + (direction === 'older' ? -1 : 1);
    if (next < 0 || next > this.#texts.length) return undefined;
    this.#at = next;
    return this.#texts[next] ?? '';
  }
}
