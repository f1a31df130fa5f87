import { z } from 'zod';
import { tryParseJson } from '#shared/json.ts';
import { limitedText } from '#shared/actions/windowSchemas.ts';
import { isOneCharacter } from '#ui/window/conversation/keys.ts';
import { PastedText } from './PastedText.ts';
import { KEPT_TEXTS, type RecallDirection, TextList } from './TextList.ts';

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
