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
import { useSelector } from 'react-redux';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { rowOf } from '#ui/export/selectedRange.ts';
import { CheckIcon, MoreIcon } from '#ui/base/icons.tsx';
import { Name } from '#ui/base/ClippedText.tsx';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { messageMenuClosed, messageMenuOpened } from '#shared/actions/windowActions.ts';
import { useWindowState, usePicture } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { followMenuKeys } from '../base/nextItem.ts';
import { lastQuestion } from './lastQuestion.ts';
import { type ActionEffects, type MessageAction, editAction, messageActions } from './messageActions.ts';
import { CopyButton, endedAnswer } from './LabelButtons.tsx';
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
  const edited = useSelector(selectEdited);
  const { dispatch } = useWindowCommands();
  const opened = useWindowState('messageMenu');
  const menu = useRef<HTMLDivElement>(null);
  // At once, so that the next key already goes to the menu.
  const openActions = useRef((message: HTMLElement) => {
    flushSync(() => dispatch(messageMenuOpened({ message: rowOf(message) ?? 0 })));
    menu.current?.showPopover();
    menu.current?.querySelector('button')?.focus();
  });
  const inUse = useMessageInUse({ log, openActions });
  const { effects, hasCopied } = useActionEffects();
  const article = opened === null ? inUse : articleOf(log.current, opened);
  // After each change of the rows: the message may be gone.
  useEffect(() => {
    if (opened !== null && articleOf(log.current, opened) === null)
      dispatch(messageMenuClosed({ choice: null }));
  });
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
      {article && <CopyInLabel {...{ article, conversation, effects, hasCopied }} />}
      {article && (
        <ButtonAndMenu
          menu={menu}
          article={article}
          hasCopied={hasCopied}
          actions={actionsOf({ conversation, edited }, opened, effects)}
          choose={choose}
          onToggle={toggled}
        />
      )}
    </>
  );
}

interface CopyProps extends Pick<Props, 'conversation'> {
  readonly article: Element;
  readonly effects: ActionEffects;
  readonly hasCopied: boolean;
}

/** Shows the button *Copy* in the visible label of the message in use. The newest answer has one. */
function CopyInLabel({ article, conversation, ...props }: CopyProps) {
  const row = rowOf(article) ?? 0;
  const label = article.querySelector('.label');
  const message = itemAt(conversation.messages, row);
  if (label?.checkVisibility() !== true || message === undefined || endedAnswer(conversation) === row)
    return null;
  const buttons = (
    <div className="label-buttons">
      <CopyButton message={message} {...props} />
    </div>
  );
  return createPortal(buttons, label);
}

/** Shows the open menu in a picture of a window. */
function DrawnActions({ conversation, log }: Props) {
  const edited = useSelector(selectEdited);
  const opened = useWindowState('messageMenu');
  const menu = useRef<HTMLDivElement>(null);
  const [article, setArticle] = useState<HTMLElement | null>(null);
  const { effects } = useActionEffects();
  // After the rows, also those that the list draws when it has scrolled.
  useLayoutEffect(() => {
    const look = () => setArticle(opened === null ? null : articleOf(log.current, opened));
    look();
    if (opened === null || log.current === null) return undefined;
    const changes = new MutationObserver(look);
    changes.observe(log.current, { childList: true, subtree: true });
    return () => changes.disconnect();
  }, [opened, log]);
  const actions = actionsOf({ conversation, edited }, opened, effects);
  if (article === null || actions.length === 0) return null;
  return (
    <>
      <CopyInLabel {...{ article, conversation, effects }} hasCopied={false} />
      <ButtonAndMenu menu={menu} article={article} actions={actions} />
    </>
  );
}

const articleOf = (log: HTMLElement | null, row: number): HTMLElement | null =>
  log?.querySelector<HTMLElement>(`[data-row="${row}"] article`) ?? null;

interface Shown extends Pick<Props, 'conversation'> {
  /** The index of the question that can be edited. */
  readonly edited: number | undefined;
}

function actionsOf(
  { conversation, edited }: Shown,
  opened: number | null,
  effects: ActionEffects,
): readonly MessageAction[] {
  const message = opened === null ? undefined : itemAt(conversation.messages, opened);
  if (opened === null || message === undefined) return [];
  const actions = messageActions(message, opened, effects);
  return opened === edited ? [editAction(message, effects), ...actions] : actions;
}

const selectEdited = (state: SharedState) => lastQuestion(state)?.index;

/** The length of a file's name in the menu, in UTF-16 units. */
const NAME_LENGTH = 30;

interface MenuProps {
  /** Set to the element of the menu. */
  readonly menu: RefObject<HTMLDivElement | null>;
  /** The message whose button the menu belongs to. */
  readonly article: Element;
  /** Empty while the menu is closed. */
  readonly actions: readonly MessageAction[];
  /** Whether something was just copied. */
  readonly hasCopied?: boolean;
  readonly choose?: (action: MessageAction) => void;
  readonly onToggle?: (isOpen: boolean) => void;
}

/**
 * Shows the button of the menu, which is no Tab stop: Enter on the message opens the menu. The menu is in front of everything else; Escape and a click
 * elsewhere close it, and the focus returns. The style sheet places it at the button.
 */
function ButtonAndMenu({ menu, article, actions, hasCopied = false, choose, onToggle }: MenuProps) {
  const { focus } = useWindowCommands();
  const isPicture = usePicture() !== null;
  const isOpen = actions.length > 0;
  const id = useId();
  const place = article.querySelector('.items');
  useLayoutEffect(() => {
    if (isOpen) focus(menu.current?.querySelector('button'));
  }, [isOpen, focus, menu]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') menu.current?.hidePopover();
    followMenuKeys(event, focus);
  };
  const button = (
    <div className="message-actions-place">
      <button
        type="button"
        className="message-actions"
        tabIndex={-1}
        aria-label="Message actions"
        title="Message actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {hasCopied ? <CheckIcon /> : <MoreIcon />}
      </button>
    </div>
  );
  return (
    <>
      {place && createPortal(button, place)}
      {/* Its entries have the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={menu}
        id={id}
        // A picture does not use the layer in front of its page.
        popover={isPicture ? undefined : 'auto'}
        role="menu"
        aria-label="Message actions"
        className="action-menu"
        onToggle={(event) => onToggle?.(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {actions.map((action) => (
          <button
            key={`${action.label} ${action.name ?? ''}`}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => choose?.(action)}
          >
            <ActionLabel {...action} />
          </button>
        ))}
      </div>
    </>
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
