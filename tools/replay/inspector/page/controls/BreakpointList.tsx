import { useRef } from 'react';
import { IconButton } from '../parts/IconButton.tsx';
import { Icon } from '../parts/icons.tsx';
import { formatPlural } from '../parts/format.ts';
import { useDismiss } from '../parts/useDismiss.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Breakpoint } from '../session/state.ts';
import { SEARCH_KINDS } from './searchKinds.ts';

const describe = ({ search: { kind, text } }: Breakpoint) => `${SEARCH_KINDS[kind][0]} ${text.trim()}`;

/** Shows the breakpoints: turns them on and off, and removes them. */
export function BreakpointList() {
  const { breakpoints } = useInspector();
  const all = useInspectorState((state) => state.breakpoints);
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  const remove = (one: Breakpoint) => {
    breakpoints.remove(one);
    // The focused button disappears.
    if (all.length === 1) document.getElementById('go-to')?.focus();
    else details.current?.querySelector('summary')?.focus();
  };
  if (all.length === 0) return null;
  const active = all.filter(({ isOn }) => isOn).length;
  return (
    <details ref={details} className="popover breakpoints">
      <summary>
        {formatPlural(all.length, 'break')}
        {active < all.length && `, ${active} on`}
        <Icon name="down" />
      </summary>
      <ul aria-label="Breakpoints">
        {all.map((one) => (
          <li key={describe(one)}>
            <label>
              <input type="checkbox" checked={one.isOn} onChange={() => breakpoints.toggle(one)} />
              <span className="faint">{SEARCH_KINDS[one.search.kind][0]}</span>{' '}
              <code>{one.search.text.trim()}</code>
            </label>
            <IconButton
              icon="close"
              name={`Delete the breakpoint ${describe(one)}`}
              onClick={() => remove(one)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
