import { formatCount } from '../parts/format.ts';
import { shownSteps } from '../session/state.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { KindFilter } from './KindFilter.tsx';
import { StepGrid } from './StepGrid.tsx';

/** Shows the steps of the session that match the filters. */
export function StepsPane() {
  const count = useInspectorState((state) => state.list.count);
  const version = useInspectorState((state) => state.list.version);
  const steps = useInspectorState(shownSteps);
  return (
    <section className="pane steps" aria-label="Step list">
      <header className="pane-head">
        <h2>Steps</h2>
        <output className="faint count">
          {count === steps ? formatCount(steps) : `${formatCount(count)} of ${formatCount(steps)}`}
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
  const { list, timeline, store } = useInspector();
  if (!isFiltered)
    return <p className="empty">This capture has no steps: nothing was recorded after its header.</p>;
  const clear = () => {
    list.filter({ text: '', kinds: [], changedOnly: false });
    if (store.get().range) void timeline.select(undefined);
  };
  return (
    <div className="empty">
      <p>No step fits the filters.</p>
      <button type="button" className="secondary" onClick={clear}>
        Clear the filters
      </button>
    </div>
  );
}
