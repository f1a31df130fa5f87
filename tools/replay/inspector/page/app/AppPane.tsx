import { useState } from 'react';
import { stackOf } from '../../../adapter/stackOf.ts';
import type { AppInfo, AppView } from '../../protocol/protocol.ts';
import { formatPlural } from '../parts/format.ts';
import { useInspectorState } from '../session/InspectorContext.ts';
import { DisplayView } from './DisplayView.tsx';
import { type LoadedPane, loadedPane } from './loadedPane.ts';
import { PaneHost } from './PaneHost.tsx';

/** Shows another app as it was after the selected step: drawn by the pane of its adapter, or the result of its `display`. */
export function AppPane({ app }: { readonly app: AppInfo }) {
  const view = useInspectorState((state) => state.view?.app);
  const failure = useInspectorState((state) => state.view?.failure);
  const waiting = useInspectorState((state) => state.view?.waiting ?? 0);
  const [pane] = useState(tryLoadPane);
  return (
    <section className="pane conversation-pane app-pane" aria-label="App pane">
      <header className="pane-head">
        <h2>{app.name}</h2>
        {app.hasQueue && (
          <p className="faint">{waiting > 0 && `${formatPlural(waiting, 'update')} waiting`}</p>
        )}
      </header>
      <div className="pane-body scrolled">
        {failure !== undefined && <Failure title="The adapter threw at this step" stack={failure} />}
        {typeof pane === 'string' && <Failure title="The pane threw when it was loaded" stack={pane} />}
        {view && <Shown view={view} pane={typeof pane === 'string' ? undefined : pane} />}
      </div>
    </section>
  );
}

/** Returns the pane of the adapter; `undefined` when it has none, and the stack of its exception when it cannot be loaded. */
function tryLoadPane(): LoadedPane | string | undefined {
  try {
    return loadedPane();
  } catch (error) {
    return stackOf(error);
  }
}

interface ShownProps {
  readonly view: AppView;
  readonly pane: LoadedPane | undefined;
}

function Shown({ view: { state, display, failure }, pane }: ShownProps) {
  const [thrown, setThrown] = useState<string>();
  if (failure !== undefined && pane === undefined)
    return <Failure title="This state cannot be shown" stack={failure} />;
  if (pane === undefined) return <DisplayView value={display === undefined ? state : display} />;
  return (
    <>
      {thrown !== undefined && <Failure title="The pane threw" stack={thrown} />}
      <PaneHost pane={pane} state={state} onThrown={setThrown} />
    </>
  );
}

/** Shows an exception of the app's code. */
function Failure({ title, stack }: { readonly title: string; readonly stack: string }) {
  return (
    <section className="app-failure" role="alert">
      <h3>{title}</h3>
      <pre>{stack}</pre>
    </section>
  );
}
