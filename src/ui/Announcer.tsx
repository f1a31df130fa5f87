import { useCallback, useEffect, useRef, useState } from 'react';
import { currentItem } from '#shared/conversation/applyUpdate.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { newItems } from './newItems.ts';
import { spokenText } from './spokenText.ts';

/** An announcement stands this long, in milliseconds: read out once, then gone, so that nobody comes upon it later. */
const STANDS_MS = 1000;
/** The newest item is announced when it has rested this long, in milliseconds: it may be a text that still grows. */
const RESTS_MS = 500;

/** Tells screen readers what is new in the conversation, each item once; nothing of it is to be seen. */
export function Announcer({ conversation }: { readonly conversation: Conversation }) {
  const spoken = useAnnouncements(conversation);
  return (
    <div className="visually-hidden" aria-live="polite" aria-relevant="additions">
      {spoken.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

interface Announcement {
  readonly id: number;
  readonly text: string;
}

function useAnnouncements(conversation: Conversation): readonly Announcement[] {
  const [spoken, say] = useSpoken();
  const before = useRef(conversation);
  const isAwaited = useRef(false);

  useEffect(() => {
    const sayNewest = (of: Conversation) => {
      const text = newestText(of);
      if (isAwaited.current) say([text]);
      isAwaited.current &&= text === '';
    };
    const items = newItems(before.current, conversation);
    if (items === null) isAwaited.current = false;
    else if (items.length > 0) {
      sayNewest(before.current);
      say(items.slice(0, -1).map(spokenText));
      isAwaited.current = true;
    }
    before.current = conversation;
    const rest = setTimeout(() => sayNewest(conversation), RESTS_MS);
    return () => clearTimeout(rest);
  }, [conversation, say]);

  return spoken;
}

function newestText(conversation: Conversation): string {
  const item = currentItem(conversation);
  return item === undefined ? '' : spokenText(item);
}

/** What is being said, and a function that says more. */
function useSpoken() {
  const [spoken, setSpoken] = useState<readonly Announcement[]>([]);
  const ids = useRef(0);
  const say = useCallback((texts: readonly string[]) => {
    const told = texts.filter((text) => text !== '').map((text) => ({ id: ids.current++, text }));
    if (told.length === 0) return;
    setSpoken((already) => [...already, ...told]);
    setTimeout(() => setSpoken((already) => already.filter((one) => !told.includes(one))), STANDS_MS);
  }, []);
  return [spoken, say] as const;
}
