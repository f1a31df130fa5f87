import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { Name } from '#ui/base/Name.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { nextItem } from '../menu/nextItem.ts';
import type { MessageAction } from './messageActions.ts';

/** The distance from the border of the window, and half of it from the button, in CSS pixels. */
const GAP = 8;

/** The length of a file's name in the menu, in UTF-16 units. */
const NAME_LENGTH = 30;

interface Props {
  /** Set to the element of the menu. */
  readonly menu: RefObject<HTMLDivElement | null>;
  readonly id: string;
  /** The message whose button the menu belongs to. */
  readonly article: Element;
  readonly actions: readonly MessageAction[];
  readonly onToggle: (isOpen: boolean) => void;
}

/** Shows the menu of a message in front of everything else; Escape and a click elsewhere close it, and the focus returns. */
export function ActionMenu({ menu, id, article, actions, onToggle }: Props) {
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
export function enterMenu(menu: HTMLElement | null, article: Element): void {
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
