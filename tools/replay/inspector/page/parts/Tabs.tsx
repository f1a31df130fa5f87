import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface Tab<T> {
  readonly id: T;
  readonly label: string;
}

interface Props<T> {
  readonly name: string;
  readonly tabs: readonly Tab<T>[];
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  /** Content beside the tabs. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a pane with tabs; only the selected tab's content is rendered. */
export function Tabs<T extends string>({ name, tabs, chosen, onChoose, tools, children }: Props<T>) {
  const id = useId();
  return (
    <section className="pane" aria-label={name}>
      <header className="pane-head">
        <div className="tabs" role="tablist" tabIndex={-1} aria-label={name} onKeyDown={walk}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === chosen ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {tools}
      </header>
      <div id={`${id}-panel`} className="pane-body" role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </section>
  );
}

/** Moves from tab to tab with the arrow keys. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by === 0) return;
  event.stopPropagation();
  const tabs = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]'));
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  const next = tabs[(at + by + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}
