import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import { isJsonObject } from '#shared/json.ts';
import { stackOf } from '../../../adapter/stackOf.ts';
import type { Pane } from '../../../engine/appAdapter.ts';
import { PANE_SCOPE, appExports } from '../../protocol/appScripts.ts';
import type { SessionInfo } from '../../protocol/protocol.ts';
import { formatPlural, formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { ShadowHost } from './ShadowHost.tsx';

/** Shows another app as it was after the selected step: drawn by the pane of its adapter, or the result of its `display`. */
export function AppPane({ app }: { readonly app: NonNullable<SessionInfo['app']> }) {
  const { history } = useInspector();
  const showChosen = ({ nativeEvent }: MouseEvent) => history.showChosen(nativeEvent.target);
  const view = useInspectorState((state) => state.view?.app);
  const failure = useInspectorState((state) => state.view?.failure);
  const waiting = useInspectorState((state) => state.view?.waiting ?? 0);
  const [{ pane, styles = '', loadFailure }] = useState(loadPane);
  const [thrown, setThrown] = useState<string>();
  const failures = {
    'The adapter threw at this step': failure,
    'The pane threw when it was loaded': loadFailure,
    'This state cannot be shown': pane ? undefined : view?.failure,
    'The pane threw': thrown,
  };
  return (
    <section className="pane conversation-pane app-pane" aria-label="App pane">
      <header className="pane-head">
        <h2>{app.name}</h2>
        {app.hasQueue && (
          <p className="faint">{waiting > 0 && `${formatPlural(waiting, 'update')} waiting`}</p>
        )}
      </header>
      <div className="pane-body scrolled">
        {Object.entries(failures).map(([title, stack]) => (
          <Failure key={title} title={title} stack={stack} />
        ))}
        {view && pane && (
          <ShadowHost className="app-host" styles={styles}>
            {() => <Drawn pane={pane} state={view.state} onThrown={setThrown} onClick={showChosen} />}
          </ShadowHost>
        )}
        {view && !pane && view.failure === undefined && (
          // The tree of the state does the same.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div className="display-view" onClick={showChosen}>
            <Value value={view.display === undefined ? view.state : view.display} />
          </div>
        )}
      </div>
    </section>
  );
}

type FailureProps = Readonly<{ title: string; stack: string | undefined }>;

/** Shows the stack of an exception, if there is one. */
export const Failure = ({ title, stack }: FailureProps) =>
  stack !== undefined && (
    <section className="app-failure" role="alert">
      <h3>{title}</h3>
      <pre>{stack}</pre>
    </section>
  );

interface DrawnProps {
  readonly pane: Pane;
  readonly state: unknown;
  /** Receives the stack of an exception of the pane; `undefined` when it has drawn the state. */
  readonly onThrown: (stack: string | undefined) => void;
  readonly onClick: (event: MouseEvent) => void;
}

/** Contains what the pane of an app draws. */
function Drawn({ pane, state, onThrown, onClick }: DrawnProps) {
  const drawn = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: element } = drawn;
    if (element === null) return;
    try {
      pane(element, state);
      onThrown(undefined);
    } catch (error) {
      element.replaceChildren();
      onThrown(stackOf(error));
    }
  }, [pane, state, onThrown]);
  // The tree of the state does the same.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
  return <div ref={drawn} onClick={onClick} />;
}

/** Returns the pane of the script before that of the page, if there is one, with its styles; or why it cannot be loaded. */
function loadPane() {
  try {
    const loaded = appExports(PANE_SCOPE);
    if (loaded === undefined) return {};
    const { pane, styles } = isJsonObject(loaded) ? loaded : {};
    if (!isPane(pane))
      throw new TypeError('The module of the pane must export a function `pane(element, state)`.');
    return { pane, styles: typeof styles === 'string' ? styles : '' };
  } catch (error) {
    return { loadFailure: stackOf(error) };
  }
}

const isPane = (value: unknown): value is Pane => typeof value === 'function';

/** The maximum number of entries of a list or an object that are shown. */
const MOST = 500;

/** Shows plain data as text: fields by name, items of a list below each other. */
function Value({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null) return <span>{String(value)}</span>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="faint">empty</span>;
  return (
    <ul>
      {entries.slice(0, MOST).map(([name, entry]) => (
        <li key={name}>
          {!Array.isArray(value) && (
            <>
              <b>{name}</b>{' '}
            </>
          )}
          <Value value={entry} />
        </li>
      ))}
      {entries.length > MOST && <li className="faint">and {formatCount(entries.length - MOST)} more</li>}
    </ul>
  );
}
