import type { Middleware } from '@reduxjs/toolkit';
import { z } from 'zod';
import { showsConversation } from './windowStateStore.ts';
import {
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { limitedText, type WindowState } from '#shared/actions/windowSchemas.ts';
import { betweenCharacters } from '#shared/formatText.ts';
import { isOfType } from '#shared/isOfType.ts';
import { tryParseJson } from '#shared/json.ts';
import { isOneCharacter } from '#ui/window/conversation/keys.ts';

/** The storage of a page. */
type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The draft of the text box, and the last texts that were sent from it or dropped, of one account. They are in the page's session storage, so that
 * they survive a reload. A password is never among them: they come from the text box only.
 */
export interface TextMemory {
  /** Begins with the stored texts of the account with a mark (`notices.account`); deletes them when they are another account's, or when no account is signed in. */
  readonly setAccount: (account: string | false) => void;
  readonly draft: () => string;
  readonly keepDraft: (text: string) => void;
  /** Keeps a text that was sent, and deletes the draft. */
  readonly keepSent: (text: string) => void;
  /** Keeps a text that was dropped, and deletes the draft. A single character can only be restored by `takeDropped`, and the empty text drops nothing. */
  readonly keepDropped: (text: string) => void;
  /** Returns the text that was dropped last, once; empty when the person has written another one since. */
  readonly takeDropped: () => string;
  /** The last pasted text that was too long for the text box. */
  readonly pasted: PastedText;
  /** Returns an older or newer text than the contents of the text box (`TextList.recall`). */
  readonly recall: (direction: RecallDirection, current: string) => string | undefined;
}

/** Number of texts that are kept. */
const KEPT_TEXTS = 20;
const KEYS = { account: 'parley-account-mark', draft: 'parley-draft', texts: 'parley-texts' } as const;

const textsSchema = z.array(limitedText.min(1)).max(KEPT_TEXTS);

/**
 * Creates the memory.
 * @param storage `null`: the texts are kept until the page ends.
 */
export function createTextMemory(storage: TextStorage | null): TextMemory {
  let account: string | false | undefined;
  let draft = '';
  let dropped = '';
  let list = new TextList();
  const pasted = new PastedText();

  const keepDraft = (text: string) => {
    draft = text;
    if (text !== '') dropped = '';
    write(storage, 'draft', text);
  };
  const keepText = (text: string) => {
    keepDraft('');
    list.add(text);
    write(storage, 'texts', JSON.stringify(list.texts));
  };
  return {
    setAccount(next) {
      if (next === account) return;
      account = next;
      const mark = next === false ? '' : next;
      if (storage?.getItem(KEYS.account) !== mark) clear(storage);
      write(storage, 'account', mark);
      draft = storage?.getItem(KEYS.draft) ?? '';
      dropped = '';
      pasted.forget();
      list = new TextList(readTexts(storage));
    },
    draft: () => draft,
    keepDraft,
    keepSent(text) {
      keepText(text);
      dropped = '';
    },
    keepDropped(text) {
      if (text === '') return;
      if (isOneCharacter(text)) keepDraft('');
      else keepText(text);
      dropped = text;
    },
    takeDropped() {
      const text = dropped;
      dropped = '';
      return text;
    },
    pasted,
    recall: (direction, current) => list.recall(direction, current),
  };
}

function write(storage: TextStorage | null, key: keyof typeof KEYS, text: string): void {
  try {
    if (text === '') storage?.removeItem(KEYS[key]);
    else storage?.setItem(KEYS[key], text);
  } catch (error) {
    console.warn('The storage of the page refused a text, which a reload loses.', error);
  }
}

const clear = (storage: TextStorage | null): void => {
  for (const key of Object.values(KEYS)) storage?.removeItem(key);
};

const readTexts = (storage: TextStorage | null): readonly string[] =>
  textsSchema.safeParse(tryParseJson(storage?.getItem(KEYS.texts) ?? '')).data ?? [];

/** A direction in the list: to older or to newer texts. */
type RecallDirection = 'older' | 'newer';

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

/** Keeps the texts of the text box in the memory, and opens the box with the draft when the window shows the conversation (after a reload). */
export const rememberTexts =
  (memory: TextMemory): Middleware<object, { readonly own: WindowState }> =>
  ({ getState, dispatch }) => {
    const restoreDraft = () => {
      const { own } = getState();
      const text = memory.draft();
      if (showsConversation(own) && own.textBox === null && text !== '') dispatch(textBoxOpened({ text }));
    };
    return (next) => (action) => {
      const text = getState().own.textBox ?? '';
      const result = next(action);
      if (isOfType(action, textBoxOpened) || isOfType(action, textBoxEdited))
        memory.keepDraft(getState().own.textBox ?? '');
      else if (isOfType(action, textBoxSent)) memory.keepSent(text);
      else if (isOfType(action, textBoxClosed)) memory.keepDropped(text);
      else if (isOfType(action, viewChanged) || isOfType(action, startFailureChanged)) restoreDraft();
      return result;
    };
  };

/** Returns the session storage of a page; `null` when the browser's settings refuse it. */
export function sessionStorageOf(page: Window): Storage | null {
  try {
    return page.sessionStorage;
  } catch (error) {
    console.warn('The page has no storage: a reload loses the draft.', error);
    return null;
  }
}
