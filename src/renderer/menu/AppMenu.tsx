import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { selectConnection } from '#shared/store/selectors.ts';
import { MenuIcon } from '#ui/base/icons.tsx';
import { type MenuEntry, menuItems } from './menuItems.ts';
import { nextItem } from './nextItem.ts';

interface Props {
  readonly tools: Pick<ParleyToolsBridge, 'send'>;
  readonly isSignedIn: boolean;
}

/** Shows the window's menu, with the entries of the application menu for hosts and windows without one. */
export function AppMenu({ tools, isSignedIn }: Props) {
  const { closedBecause } = useSelector(selectConnection);
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const close = () => {
    button.current?.focus();
    setIsOpen(false);
  };
  const choose = ({ channel }: MenuEntry) => {
    close();
    tools.send(channel);
  };
  return (
    <div className="app-menu" onBlur={(event) => isLeft(event) && setIsOpen(false)}>
      <button
        ref={button}
        type="button"
        className="quiet"
        aria-label="Menu"
        title="Menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setIsOpen(true);
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
  const focus = (index: number) => menu.current?.querySelectorAll('button')[index]?.focus();
  useLayoutEffect(() => {
    menu.current?.querySelector('button')?.focus();
  }, [menu]);
  const move = (event: KeyboardEvent, at: number) => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const labels = entries.map(({ label }) => label);
    const next = nextItem(event.key, at, labels);
    if (next === null && event.key !== 'Escape') return;
    event.preventDefault();
    if (next !== null) focus(next);
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
