import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { ariaShortcut, formatShortcut, system } from './system.ts';
import { followMenuKeys } from './nextItem.ts';
import { type WindowCommands, useWindowCommands } from './WindowCommands.ts';

const isMac = system.os === 'mac';

/** An entry of a menu. */
export interface MenuEntry {
  readonly label: string;
  /** The keys that do the same in this host, as on Windows and Linux: `Ctrl+F`. */
  readonly shortcut?: string | undefined;
  /** Whether it is the chosen one of several. */
  readonly isChosen?: boolean;
  /** Without it, the entry only says something. */
  readonly choose?: (commands: WindowCommands) => void;
  /** Whether the menu stays open until the choice is done. */
  readonly isKeptOpen?: boolean;
}

/** Entries that belong together; a line separates them from the next group. */
export type MenuGroup = readonly MenuEntry[];

interface Props {
  readonly className: string;
  /** The accessible name of the menu and of its button. */
  readonly name: string;
  readonly title: string;
  readonly isOpen: boolean;
  readonly groups: readonly MenuGroup[];
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** The contents of the button. */
  readonly children: ReactNode;
}

/** Shows a button with a menu. Escape, Tab and a choice close it, and the focus returns to the button; a click elsewhere closes it too. */
export function Menu({ className, name, title, isOpen, groups, onOpen, onClose, children }: Props) {
  const commands = useWindowCommands();
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const close = () => {
    commands.focus(button.current);
    onClose();
  };
  const choose = (entry: MenuEntry) => {
    if (entry.choose !== undefined && entry.isKeptOpen !== true) close();
    entry.choose?.(commands);
  };
  return (
    <div
      className={`menu ${className}`}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOpen && !currentTarget.contains(relatedTarget)) onClose();
      }}
    >
      <button
        ref={button}
        type="button"
        className="quiet"
        aria-label={name}
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={isOpen ? close : onOpen}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onOpen();
        }}
      >
        {children}
      </button>
      {isOpen && <Entries id={menuId} {...{ name, groups, button }} onChoose={choose} onClose={close} />}
    </div>
  );
}

interface EntriesProps extends Pick<Props, 'name' | 'groups' | 'onClose'> {
  readonly id: string;
  /** Gets the focus back. */
  readonly button: RefObject<HTMLElement | null>;
  readonly onChoose: (entry: MenuEntry) => void;
}

function Entries({ id, name, groups, button, onChoose, onClose }: EntriesProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { focus } = useWindowCommands();
  const first = groups[0]?.[0]?.label;
  useLayoutEffect(() => {
    const shown = menu.current;
    if (shown?.contains(document.activeElement) !== true)
      focus(shown?.querySelector<HTMLElement>('[aria-checked="true"]') ?? shown?.querySelector('button'));
    // Also when the entry with the focus was replaced by others.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [focus, menu, first]);
  useLayoutEffect(() => {
    const [shown, opener] = [menu.current, button.current];
    return () => {
      if (shown?.contains(document.activeElement) === true) focus(opener);
    };
  }, [focus, menu, button]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    if (event.key === 'Escape') event.preventDefault();
    followMenuKeys(event, focus);
  };
  return (
    // Its entries have the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div ref={menu} id={id} role="menu" aria-label={name} onKeyDown={onKeyDown}>
      {groups.map((group, at) => (
        <Fragment key={group[0]?.label}>
          {at > 0 && <hr />}
          {group.map((one) => (
            <button
              key={one.label}
              type="button"
              role={one.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={one.isChosen}
              aria-disabled={one.choose === undefined || undefined}
              tabIndex={-1}
              aria-keyshortcuts={one.shortcut && ariaShortcut(one.shortcut, isMac)}
              onClick={() => onChoose(one)}
            >
              {one.label}
              {one.shortcut && <kbd aria-hidden="true">{formatShortcut(one.shortcut, isMac)}</kbd>}
            </button>
          ))}
        </Fragment>
      ))}
    </div>
  );
}
