import { type RefObject, useId, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { rowOf } from '#ui/selection/rowOf.ts';
import { CheckIcon, MoreIcon } from '#ui/base/icons.tsx';
import { ActionMenu, enterMenu } from './ActionMenu.tsx';
import { messageActions } from './messageActions.ts';
import { useActionEffects } from './useActionEffects.ts';
import { useMessageInUse } from './useMessageInUse.ts';

interface Props {
  readonly conversation: Conversation;
  readonly log: RefObject<HTMLElement | null>;
}

/**
 * Shows a button beside the message under the pointer, or with the focus, and its menu with what can be done with the message. There is
 * one for all messages, so that a row costs nothing more. It is inside the message, whose height it does not change.
 */
export function MessageActions({ conversation, log }: Props) {
  const [opened, setOpened] = useState<HTMLElement | null>(null);
  const menu = useRef<HTMLDivElement>(null);
  const menuId = useId();
  // At once, so that the next key already goes to the menu.
  const openActions = useRef((message: HTMLElement) => {
    flushSync(() => setOpened(message));
    menu.current?.showPopover();
    enterMenu(menu.current, message);
  });
  const inUse = useMessageInUse({ log, openActions });
  const { effects, copied } = useActionEffects();
  const article = opened ?? inUse;
  const place = article?.querySelector('.items');
  const row = rowOf(article ?? null) ?? -1;
  const message = itemAt(conversation.messages, row);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {copied && 'Copied'}
      </p>
      {place && createPortal(<OpenButton menuId={menuId} isOpen={opened !== null} copied={copied} />, place)}
      {article && (
        <ActionMenu
          menu={menu}
          id={menuId}
          article={article}
          actions={opened === null || message === undefined ? [] : messageActions(message, row, effects)}
          onToggle={(isOpen) => setOpened(isOpen ? article : null)}
        />
      )}
    </>
  );
}

interface ButtonProps {
  readonly menuId: string;
  readonly isOpen: boolean;
  /** Whether something was just copied. */
  readonly copied: boolean;
}

/** Shows the button of the menu. It is no Tab stop: Enter on the message opens the menu. */
const OpenButton = ({ menuId, isOpen, copied }: ButtonProps) => (
  <button
    type="button"
    className="message-actions"
    tabIndex={-1}
    aria-label="Message actions"
    title="Message actions"
    aria-haspopup="menu"
    aria-expanded={isOpen}
    popoverTarget={menuId}
  >
    {copied ? <CheckIcon /> : <MoreIcon />}
  </button>
);
