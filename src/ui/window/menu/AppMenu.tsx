import { Fragment, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectConnection } from '#shared/store/selectors.ts';
import { menuClosed, menuOpened } from '#shared/window/menu.ts';
import { MenuIcon } from '#ui/base/icons.tsx';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { system } from '../base/system.ts';
import { ariaShortcut, formatShortcut } from './formatShortcut.ts';
import { type MenuEntry, type MenuGroup, menuItems } from './menuItems.ts';
import { nextItem } from './nextItem.ts';

const isMac = system.os === 'mac';

interface Props {
  readonly isSignedIn: boolean;
}

/** Shows the window's menu, with the entries of the application menu for hosts and windows without one. */
export function AppMenu({ isSignedIn }: Props) {
  const acts = useWindowActs();
  const isOpen = useOwn('menu');
  const groups = useGroups(isSignedIn);
  const open = () => acts.dispatch(menuOpened());
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const close = () => {
    acts.focus(button.current);
    acts.dispatch(menuClosed());
  };
  const choose = (entry: MenuEntry) => {
    close();
    entry.choose(acts);
  };
  return (
    <div className="app-menu" onBlur={(event) => isOpen && isLeft(event) && acts.dispatch(menuClosed())}>
      <button
        ref={button}
        type="button"
        className="quiet"
        aria-label="Menu"
        title="Menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={isOpen ? close : open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
      >
        <MenuIcon />
      </button>
      {isOpen && <Entries id={menuId} groups={groups} onChoose={choose} onClose={close} />}
    </div>
  );
}

function useGroups(isSignedIn: boolean): readonly MenuGroup[] {
  const { closedBecause } = useSelector(selectConnection);
  const failure = useOwn('startFailure');
  return menuItems({
    ...system,
    isSignedIn,
    canFind: isSignedIn && failure === null,
    isClosed: closedBecause !== null,
  });
}

/** Returns whether the focus leaves the element. */
const isLeft = ({ currentTarget, relatedTarget }: React.FocusEvent<HTMLElement>) =>
  !currentTarget.contains(relatedTarget);

interface EntriesProps {
  readonly id: string;
  readonly groups: readonly MenuGroup[];
  readonly onChoose: (entry: MenuEntry) => void;
  readonly onClose: () => void;
}

function Entries({ id, groups, onChoose, onClose }: EntriesProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { focus } = useWindowActs();
  const entries = groups.flat();
  const focusEntry = (index: number) => focus(menu.current?.querySelectorAll('button')[index]);
  useLayoutEffect(() => focus(menu.current?.querySelector('button')), [focus, menu]);
  const move = (event: KeyboardEvent, entry: MenuEntry) => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const labels = entries.map(({ label }) => label);
    const next = nextItem(event.key, entries.indexOf(entry), labels);
    if (next === null && event.key !== 'Escape') return;
    event.preventDefault();
    if (next !== null) focusEntry(next);
  };
  return (
    <div ref={menu} id={id} role="menu" aria-label="Menu">
      {groups.map((group, at) => (
        <Fragment key={group[0]?.label}>
          {at > 0 && <hr />}
          {group.map((entry) => (
            <Entry key={entry.label} entry={entry} onChoose={onChoose} onKeyDown={move} />
          ))}
        </Fragment>
      ))}
    </div>
  );
}

interface EntryProps extends Pick<EntriesProps, 'onChoose'> {
  readonly entry: MenuEntry;
  readonly onKeyDown: (event: KeyboardEvent, entry: MenuEntry) => void;
}

function Entry({ entry, onChoose, onKeyDown }: EntryProps) {
  const { label, shortcut } = entry;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-keyshortcuts={shortcut && ariaShortcut(shortcut, isMac)}
      onClick={() => onChoose(entry)}
      onKeyDown={(event) => onKeyDown(event, entry)}
    >
      {label}
      {shortcut && <kbd aria-hidden="true">{formatShortcut(shortcut, isMac)}</kbd>}
    </button>
  );
}
