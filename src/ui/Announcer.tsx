import { useCallback, useEffect, useRef, useState } from 'react';
import { currentItem, currentMessage } from '#shared/conversation/applyUpdate.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { newItems } from './newItems.ts';
import { spokenText } from './spokenText.ts';

/** Time that an announcement stays in the document, in milliseconds: long enough to be read out once, but not found later. */
const SPOKEN_MS = 1000;
/** The newest item is announced when it has not changed for this long, in milliseconds: its text may still grow. */
const SETTLED_MS = 500;

/** Announces new content items of others to screen readers, each once and with its sender. It is visually hidden. */
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
  const [spoken, announce] = useSpoken();
  const before = useRef(conversation);
  /** Whether the newest item still has to be announced. */
  const isPending = useRef(false);

  useEffect(() => {
    const announceNewest = (of: Conversation) => {
      const text = newestText(of);
      if (isPending.current) announce([text]);
      isPending.current &&= text === '';
    };
    const items = newItems(before.current, conversation);
    if (items === null) isPending.current = false;
    else if (items.length > 0) {
      announceNewest(before.current);
      announce(items.slice(0, -1).map(({ item, message }) => spokenText(item, message)));
      isPending.current = true;
    }
    before.current = conversation;
    const rest = setTimeout(() => announceNewest(conversation), SETTLED_MS);
    return () => clearTimeout(rest);
  }, [conversation, announce]);

  return spoken;
}

function newestText(conversation: Conversation): string {
  const item = currentItem(conversation);
  return item === undefined ? '' : spokenText(item, currentMessage(conversation) ?? {});
}

/** Returns the current announcements, and a function that adds some. */
function useSpoken() {
  const [spoken, setSpoken] = useState<readonly Announcement[]>([]);
  const ids = useRef(0);
  const announce = useCallback((texts: readonly string[]) => {
    const added = texts.filter((text) => text !== '').map((text) => ({ id: ids.current++, text }));
    if (added.length === 0) return;
    setSpoken((already) => [...already, ...added]);
    setTimeout(() => setSpoken((already) => already.filter((one) => !added.includes(one))), SPOKEN_MS);
  }, []);
  return [spoken, announce] as const;
}
