import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { rowOf } from '#ui/export/selectedRange.ts';
import { CheckIcon, MoreIcon } from '#ui/base/icons.tsx';
import { Name } from '#ui/base/ClippedText.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { nextItem } from '../base/nextItem.ts';
import { type MessageAction, messageActions } from './messageActions.ts';
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

/** The distance from the border of the window, and half of it from the button, in CSS pixels. */
const GAP = 8;

/** The length of a file's name in the menu, in UTF-16 units. */
const NAME_LENGTH = 30;

interface ActionMenuProps {
  /** Set to the element of the menu. */
  readonly menu: RefObject<HTMLDivElement | null>;
  readonly id: string;
  /** The message whose button the menu belongs to. */
  readonly article: Element;
  readonly actions: readonly MessageAction[];
  readonly onToggle: (isOpen: boolean) => void;
}

/** Shows the menu of a message in front of everything else; Escape and a click elsewhere close it, and the focus returns. */
function ActionMenu({ menu, id, article, actions, onToggle }: ActionMenuProps) {
  const { focus } = useWindowActs();
  const isOpen = actions.length > 0;
  useLayoutEffect(() => {
    if (isOpen) enterMenu(menu.current, article);
  }, [isOpen, menu, article]);

  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Tab') menu.current?.hidePopover();
    const labels = actions.map(({ label }) => label);
    const next = nextItem(event.key, at, labels);
    if (next === null) return;
    event.preventDefault();
    focus(menu.current?.querySelectorAll('button')[next]);
  };
  const choose = (action: MessageAction) => {
    menu.current?.hidePopover();
    action.run();
  };
  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      role="menu"
      aria-label="Message actions"
      className="action-menu"
      onToggle={(event) => onToggle(event.newState === 'open')}
    >
      {actions.map((action, at) => (
        <button
          key={`${action.label} ${action.name ?? ''}`}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => choose(action)}
          onKeyDown={(event) => onKeyDown(event, at)}
        >
          <ActionLabel {...action} />
        </button>
      ))}
    </div>
  );
}

const ActionLabel = ({ label, name }: Pick<MessageAction, 'label' | 'name'>) =>
  name === undefined ? (
    label
  ) : (
    <>
      {label}{' '}
      <bdi>
        <Name text={name} length={NAME_LENGTH} />
      </bdi>
    </>
  );

/** Places the menu that is shown at the button of its message, and moves the focus into it. */
function enterMenu(menu: HTMLElement | null, article: Element): void {
  const button = article.querySelector('.message-actions');
  if (menu === null || button === null) return;
  placeAt(menu, button);
  menu.querySelector('button')?.focus();
}

/** Places the menu under the button, or above it where there is no room, within the window. */
function placeAt(menu: HTMLElement, button: Element): void {
  const { left, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const isAbove = bottom + offsetHeight + GAP > innerHeight;
  const within = (value: number, size: number, space: number) =>
    Math.max(GAP, Math.min(value, space - size - GAP));
  menu.style.left = `${within(left, offsetWidth, innerWidth)}px`;
  menu.style.top = `${within(isAbove ? top - offsetHeight - GAP / 2 : bottom + GAP / 2, offsetHeight, innerHeight)}px`;
}
