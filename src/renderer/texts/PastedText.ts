import { betweenCharacters } from '#shared/formatText.ts';

/** Length of the part of a pasted text by which its end is found in the text box, in UTF-16 units. It is not found in a shorter room. */
const MARK_LENGTH = 100;

/**
 * The last pasted text that was longer than the room in the text box: the box has its beginning. The rest is added when the text is sent as a file.
 * It is neither in the window's state nor stored.
 */
export class PastedText {
  #pasted = '';
  /** The length of the beginning that is in the box; 0 when none is kept. */
  #fitting = 0;

  /**
   * Keeps a pasted text; returns whether its rest can be added later.
   * @param room the number of UTF-16 units that fit into the box.
   */
  keep(pasted: string, room: number): boolean {
    const canComplete = room > MARK_LENGTH;
    this.#pasted = canComplete ? pasted : '';
    this.#fitting = canComplete ? betweenCharacters(pasted, room) : 0;
    return canComplete;
  }

  forget(): void {
    this.#pasted = '';
    this.#fitting = 0;
  }

  /** Returns the text of the box with the rest of the pasted text where it was cut. */
  complete(text: string): string {
    const at = this.#cutIn(text);
    return at === undefined ? text : text.slice(0, at) + this.#pasted.slice(this.#fitting) + text.slice(at);
  }

  /** Returns whether a text has the beginning of the pasted one, but was changed where that was cut: then the rest is not added. */
  isChangedAtCut(text: string): boolean {
    const beginning = this.#pasted.slice(0, MARK_LENGTH);
    return beginning !== '' && text.includes(beginning) && this.#cutIn(text) === undefined;
  }

  /** Returns the index in a text at which the pasted text was cut. */
  #cutIn(text: string): number | undefined {
    if (this.#fitting === 0) return undefined;
    // A text with repetitions has the end of its beginning in several places, but the whole beginning in one.
    return this.#endIn(text, 0) ?? this.#endIn(text, this.#fitting - MARK_LENGTH);
  }

  /** Returns where the beginning of the pasted text, from an index in it on, ends in a text. */
  #endIn(text: string, from: number): number | undefined {
    const part = this.#pasted.slice(from, this.#fitting);
    const found = text.lastIndexOf(part);
    return found === -1 ? undefined : found + part.length;
  }
}
