import { useState, useCallback, useLayoutEffect } from 'react';
import { isJsonObject } from '#shared/json.ts';
import { stackOf } from '../../../adapter/stackOf.ts';
import type { Pane } from '../../../engine/appAdapter.ts';
import { PANE_SCOPE, appExports } from '../../protocol/appScripts.ts';
import type { AppView, SessionInfo } from '../../protocol/protocol.ts';
import { formatPlural, formatCount } from '../parts/format.ts';
import { useInspectorState } from '../session/InspectorContext.ts';
import { sheetOf } from './WindowPicture.tsx';

/** Shows another app as it was after the selected step: drawn by the pane of its adapter, or the result of its `display`. */
export function AppPane({ app }: { readonly app: NonNullable<SessionInfo['app']> }) {
  const view = useInspectorState((state) => state.view?.app);
  const failure = useInspectorState((state) => state.view?.failure);
  const waiting = useInspectorState((state) => state.view?.waiting ?? 0);
  const [pane] = useState(loadPane);
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

function Shown({
  view: { state, display, failure },
  pane,
}: {
  readonly view: AppView;
  readonly pane: LoadedPane | undefined;
}) {
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

interface HostProps {
  readonly pane: LoadedPane;
  readonly state: unknown;
  /** Receives the stack of an exception of the pane; `undefined` when it has drawn the state. */
  readonly onThrown: (stack: string | undefined) => void;
}

/** Contains what the pane of an app draws, in a shadow root of its own. */
function PaneHost({ pane, state, onThrown }: HostProps) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const open = useCallback(
    (host: HTMLElement | null) => {
      if (host !== null) setElement(openRoot(host, pane.styles));
    },
    [pane],
  );
  useLayoutEffect(() => {
    if (element === null) return;
    try {
      pane.draw(element, state);
      onThrown(undefined);
    } catch (error) {
      element.replaceChildren();
      onThrown(stackOf(error));
    }
  }, [pane, element, state, onThrown]);
  return <div ref={open} className="app-host" />;
}

function openRoot(host: HTMLElement, styles: CSSStyleSheet | undefined): HTMLElement {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  if (styles !== undefined) root.adoptedStyleSheets = [styles];
  const element = host.ownerDocument.createElement('div');
  root.replaceChildren(element);
  return element;
}

/** The pane of an app, with its styles. */
interface LoadedPane {
  readonly draw: Pane;
  readonly styles: CSSStyleSheet | undefined;
}

/** Returns the pane of the script before that of the page; `undefined` without one, and a stack when it cannot be loaded. */
function loadPane(): LoadedPane | string | undefined {
  try {
    const loaded = appExports(PANE_SCOPE);
    if (loaded === undefined) return undefined;
    const { pane, styles } = isJsonObject(loaded) ? loaded : {};
    if (!isPane(pane))
      throw new TypeError('The module of the pane must export a function `pane(element, state)`.');
    return { draw: pane, styles: typeof styles === 'string' ? sheetOf(styles) : undefined };
  } catch (error) {
    return stackOf(error);
  }
}

const isPane = (value: unknown): value is Pane => typeof value === 'function';

/** The maximum number of entries of a list or an object that are shown. */
const MOST = 500;

/** Shows plain data as text: fields by name, items of a list below each other. */
const DisplayView = ({ value }: { readonly value: unknown }) => (
  <div className="display-view">
    <Value value={value} />
  </div>
);

function Value({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null) return <span>{String(value)}</span>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="faint">empty</span>;
  const hasNames = !Array.isArray(value);
  return (
    <ul>
      {entries.slice(0, MOST).map(([name, entry]) => (
        <li key={name}>
          {hasNames && (
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
