import { useRef } from 'react';
import { STEP_KINDS, type StepKind } from '../../protocol/protocol.ts';
import { Icon } from '../parts/icons.tsx';
import { KINDS } from '../parts/kinds.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { isParley } from '../session/state.ts';
import { useDismiss } from '../parts/useDismiss.ts';

/** Returns the label: the name of one kind or the number of several, because there is little space. */
function selectionLabel([first, ...more]: readonly StepKind[]): string {
  if (first === undefined) return 'Every kind';
  return more.length === 0 ? KINDS[first].label : `${more.length + 1} kinds`;
}

/** Selects the kinds that the list shows; no selection means all kinds. */
export function KindFilter() {
  const { list } = useInspector();
  const kinds = useInspectorState((state) => state.filter.kinds);
  const ofParley = useInspectorState(isParley);
  const shown = ofParley ? STEP_KINDS : STEP_KINDS.filter((kind) => kind !== 'notification');
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  const toggle = (kind: StepKind) =>
    list.filter({ kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] });
  return (
    <details ref={details} className="popover kind-filter">
      <summary>
        {selectionLabel(kinds)}
        <Icon name="down" />
      </summary>
      <fieldset>
        <legend className="visually-hidden">Kinds to show</legend>
        {shown.map((kind) => (
          <label key={kind} data-kind={kind}>
            <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
            <span className="sign" aria-hidden="true">
              {KINDS[kind].sign}
            </span>
            {KINDS[kind].label}
          </label>
        ))}
        <button
          type="button"
          className="text-button"
          disabled={kinds.length === 0}
          onClick={() => list.filter({ kinds: [] })}
        >
          Show every kind
        </button>
      </fieldset>
    </details>
  );
}
