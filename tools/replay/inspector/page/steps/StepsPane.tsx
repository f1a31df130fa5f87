import { STEP_KINDS, type StepKind } from '../../protocol/protocol.ts';
import { Popover, Sign, TextButton } from '../parts/controls.tsx';
import { formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownSteps, isParley } from '../session/inspectorState.ts';
import { StepGrid } from './StepGrid.tsx';
import { KINDS } from './StepLine.tsx';

/** Shows the steps of the session that match the filters. */
export function StepsPane() {
  const { count, version, steps: listed } = useInspectorState((state) => state.list);
  const steps = useInspectorState(shownSteps);
  return (
    <section className="pane steps" aria-label="Step list">
      <header className="pane-head">
        <h2>Steps</h2>
        <output className="faint count">
          {listed === steps ? formatCount(steps) : `${formatCount(listed)} of ${formatCount(steps)}`}
        </output>
        <Filters />
      </header>
      <div className="pane-body">
        <StepGrid />
        {count === 0 && version > 0 && <NothingHere isFiltered={steps > 0} />}
      </div>
    </section>
  );
}

function Filters() {
  const { list } = useInspector();
  const filter = useInspectorState((state) => state.filter);
  return (
    <search className="filters" aria-label="Filter the steps">
      <input
        id="filter-text"
        type="search"
        aria-label="Filter by text"
        placeholder="Filter"
        value={filter.text}
        spellCheck={false}
        onChange={({ target }) => list.filter({ text: target.value })}
      />
      <KindFilter />
      <label className="check">
        <input
          type="checkbox"
          checked={filter.changedOnly}
          onChange={({ target }) => list.filter({ changedOnly: target.checked })}
        />
        Hide what changed nothing
      </label>
    </search>
  );
}

function NothingHere({ isFiltered }: { readonly isFiltered: boolean }) {
  const { list, timeline } = useInspector();
  if (!isFiltered)
    return <p className="empty">This capture has no steps: nothing was recorded after its header.</p>;
  const clear = () => {
    list.filter({ text: '', kinds: [], changedOnly: false });
    timeline.clearRange();
  };
  return (
    <div className="empty">
      <p>No step fits the filters.</p>
      <TextButton className="secondary" name="Clear the filters" onClick={clear} />
    </div>
  );
}

/** Selects the kinds that the list shows; no selection means all kinds. */
function KindFilter() {
  const { list } = useInspector();
  const kinds = useInspectorState((state) => state.filter.kinds);
  const ofParley = useInspectorState(isParley);
  const shown = ofParley ? STEP_KINDS : STEP_KINDS.filter((kind) => kind !== 'notification');
  const [first] = kinds;
  const label = first === undefined ? 'Every kind' : KINDS[first].label;
  const toggle = (kind: StepKind) =>
    list.filter({ kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] });
  return (
    <Popover className="kind-filter" label={kinds.length > 1 ? `${kinds.length} kinds` : label}>
      <fieldset>
        <legend className="visually-hidden">Kinds to show</legend>
        {shown.map((kind) => (
          <label key={kind} data-kind={kind}>
            <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
            <Sign>{KINDS[kind].sign}</Sign>
            {KINDS[kind].label}
          </label>
        ))}
        <TextButton
          name="Show every kind"
          disabled={kinds.length === 0}
          onClick={() => list.filter({ kinds: [] })}
        />
      </fieldset>
    </Popover>
  );
}
