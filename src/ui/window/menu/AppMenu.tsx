import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectConnection } from '#shared/store/selectors.ts';
import { menuClosed, menuOpened } from '#shared/window/menu.ts';
import { MenuIcon } from '#ui/base/icons.tsx';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { type MenuEntry, menuItems } from './menuItems.ts';
import { nextItem } from './nextItem.ts';

interface Props {
  readonly isSignedIn: boolean;
}

/** Shows the window's menu, with the entries of the application menu for hosts and windows without one. */
export function AppMenu({ isSignedIn }: Props) {
  const acts = useWindowActs();
  const { closedBecause } = useSelector(selectConnection);
  const isOpen = useOwn('menu');
  const open = () => acts.dispatch(menuOpened());
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const close = () => {
    acts.focus(button.current);
    acts.dispatch(menuClosed());
  };
  const choose = ({ channel }: MenuEntry) => {
    close();
    acts.request(channel);
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
      {isOpen && (
        <Entries
          id={menuId}
          entries={menuItems({ isSignedIn, isClosed: closedBecause !== null })}
          onChoose={choose}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Returns whether the focus leaves the element. */
const isLeft = ({ currentTarget, relatedTarget }: React.FocusEvent<HTMLElement>) =>
  !currentTarget.contains(relatedTarget);

interface EntriesProps {
  readonly id: string;
  readonly entries: readonly MenuEntry[];
  readonly onChoose: (entry: MenuEntry) => void;
  readonly onClose: () => void;
}

function Entries({ id, entries, onChoose, onClose }: EntriesProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { focus } = useWindowActs();
  const focusEntry = (index: number) => focus(menu.current?.querySelectorAll('button')[index]);
  useLayoutEffect(() => focus(menu.current?.querySelector('button')), [focus, menu]);
  const move = (event: KeyboardEvent, at: number) => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const labels = entries.map(({ label }) => label);
    const next = nextItem(event.key, at, labels);
    if (next === null && event.key !== 'Escape') return;
    event.preventDefault();
    if (next !== null) focusEntry(next);
  };
  return (
    <div ref={menu} id={id} role="menu" aria-label="Menu">
      {entries.map((entry, at) => (
        <button
          key={entry.channel}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => onChoose(entry)}
          onKeyDown={(event) => move(event, at)}
        >
          {entry.label}
        </button>
      ))}
    </div>
  );
}
