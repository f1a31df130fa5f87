import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { rowOf } from '#ui/export/selectedRange.ts';
import { CheckIcon, MoreIcon } from '#ui/base/icons.tsx';
import { Name } from '#ui/base/ClippedText.tsx';
import { messageMenuClosed, messageMenuOpened } from '#shared/actions/windowActions.ts';
import { useWindowState, usePicture } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { nextItem } from '../base/nextItem.ts';
import { type ActionEffects, type MessageAction, messageActions } from './messageActions.ts';
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
export const MessageActions = (props: Props) =>
  usePicture() === null ? <LiveActions {...props} /> : <DrawnActions {...props} />;

function LiveActions({ conversation, log }: Props) {
  const { dispatch } = useWindowCommands();
  const opened = useWindowState('messageMenu');
  const menu = useRef<HTMLDivElement>(null);
  // At once, so that the next key already goes to the menu.
  const openActions = useRef((message: HTMLElement) => {
    flushSync(() => dispatch(messageMenuOpened({ message: rowOf(message) ?? 0 })));
    menu.current?.showPopover();
    enterMenu(menu.current, message);
  });
  const inUse = useMessageInUse({ log, openActions });
  const { effects, hasCopied } = useActionEffects();
  const article = opened === null ? inUse : articleOf(log.current, opened);
  const isGone = opened !== null && article === null;
  useEffect(() => {
    if (isGone) dispatch(messageMenuClosed({ choice: null }));
  }, [isGone, dispatch]);
  const row = rowOf(article) ?? 0;
  const toggled = (isOpen: boolean) => {
    if (isOpen && opened !== row) dispatch(messageMenuOpened({ message: row }));
    if (!isOpen && opened !== null) dispatch(messageMenuClosed({ choice: null }));
  };
  const choose = ({ choice, run }: MessageAction) => {
    dispatch(messageMenuClosed({ choice }));
    menu.current?.hidePopover();
    run();
  };
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {hasCopied && 'Copied'}
      </p>
      {article && (
        <ButtonAndMenu
          menu={menu}
          article={article}
          hasCopied={hasCopied}
          actions={actionsOf(conversation, opened, effects)}
          choose={choose}
          onToggle={toggled}
        />
      )}
    </>
  );
}

/** Does nothing: the menu of a picture. */
const NO_EFFECTS: ActionEffects = {
  copy: () => undefined,
  copyHtml: () => undefined,
  quote: () => undefined,
  saved: () => undefined,
};

/** Shows the open menu in a picture of a window. */
function DrawnActions({ conversation, log }: Props) {
  const opened = useWindowState('messageMenu');
  const menu = useRef<HTMLDivElement>(null);
  const [article, setArticle] = useState<HTMLElement | null>(null);
  // After the rows, also those that the list draws when it has scrolled.
  useLayoutEffect(() => {
    const element = log.current;
    const look = () => {
      const drawn = opened === null ? null : articleOf(element, opened);
      setArticle(drawn);
      if (drawn !== null) placeMenu(menu.current, drawn);
    };
    look();
    if (opened === null || element === null) return undefined;
    const changes = new MutationObserver(look);
    changes.observe(element, { childList: true, subtree: true });
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      changes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [opened, log]);
  const actions = actionsOf(conversation, opened, NO_EFFECTS);
  if (article === null || actions.length === 0) return null;
  return <ButtonAndMenu menu={menu} article={article} hasCopied={false} actions={actions} />;
}

const articleOf = (log: HTMLElement | null, row: number): HTMLElement | null =>
  log?.querySelector<HTMLElement>(`[data-row="${row}"] article`) ?? null;

function actionsOf(
  { messages }: Conversation,
  opened: number | null,
  effects: ActionEffects,
): readonly MessageAction[] {
  const message = opened === null ? undefined : itemAt(messages, opened);
  return opened === null || message === undefined ? [] : messageActions(message, opened, effects);
}

interface BothProps extends Omit<ActionMenuProps, 'id'> {
  readonly hasCopied: boolean;
}

function ButtonAndMenu({ hasCopied, ...props }: BothProps) {
  const id = useId();
  const place = props.article.querySelector('.items');
  const button = <OpenButton menuId={id} isOpen={props.actions.length > 0} copied={hasCopied} />;
  return (
    <>
      {place && createPortal(button, place)}
      <ActionMenu id={id} {...props} />
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
  readonly choose?: (action: MessageAction) => void;
  readonly onToggle?: (isOpen: boolean) => void;
}

/** Shows the menu of a message in front of everything else; Escape and a click elsewhere close it, and the focus returns. */
function ActionMenu({ menu, id, article, actions, choose, onToggle }: ActionMenuProps) {
  const { focus } = useWindowCommands();
  const isPicture = usePicture() !== null;
  const isOpen = actions.length > 0;
  useLayoutEffect(() => {
    if (!isOpen) return;
    if (isPicture) placeMenu(menu.current, article);
    else enterMenu(menu.current, article);
  }, [isOpen, isPicture, menu, article]);

  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Tab') menu.current?.hidePopover();
    const labels = actions.map(({ label }) => label);
    const next = nextItem(event.key, at, labels);
    if (next === null) return;
    event.preventDefault();
    focus(menu.current?.querySelectorAll('button')[next]);
  };
  return (
    <div
      ref={menu}
      id={id}
      // A picture does not use the layer in front of its page.
      popover={isPicture ? undefined : 'auto'}
      role="menu"
      aria-label="Message actions"
      className="action-menu"
      onToggle={(event) => onToggle?.(event.newState === 'open')}
    >
      {actions.map((action, at) => (
        <button
          key={`${action.label} ${action.name ?? ''}`}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => choose?.(action)}
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
  if (placeMenu(menu, article)) menu?.querySelector('button')?.focus();
}

/** Places the menu under the button of its message, or above it where there is no room, within the window; returns whether there is a button. */
function placeMenu(menu: HTMLElement | null, article: Element): boolean {
  const button = article.querySelector('.message-actions');
  if (menu === null || button === null) return false;
  const frame = frameOf(menu);
  const { offsetWidth, offsetHeight } = menu;
  const { left, top, bottom } = button.getBoundingClientRect();
  const start = (left - frame.left) / frame.scale;
  const above = (top - frame.top) / frame.scale;
  const below = (bottom - frame.top) / frame.scale;
  const isAbove = below + offsetHeight + GAP > frame.height;
  const within = (value: number, size: number, space: number) =>
    Math.max(GAP, Math.min(value, space - size - GAP));
  menu.style.left = `${within(start, offsetWidth, frame.width)}px`;
  menu.style.top = `${within(isAbove ? above - offsetHeight - GAP / 2 : below + GAP / 2, offsetHeight, frame.height)}px`;
  return true;
}

/** Returns where the window is in its page, and its size: the page itself, or the picture of a window, which may be scaled. */
function frameOf(menu: Element) {
  const picture = menu.closest<HTMLElement>('.window-picture');
  if (picture === null) return { left: 0, top: 0, width: innerWidth, height: innerHeight, scale: 1 };
  const { left, top, width } = picture.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = picture;
  return { left, top, width: offsetWidth, height: offsetHeight, scale: width / offsetWidth };
}
