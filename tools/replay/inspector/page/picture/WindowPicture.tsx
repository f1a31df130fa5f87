import { type RefObject, type SyntheticEvent, useCallback, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { Provider } from 'react-redux';
import { App } from '#ui/window/App.tsx';
import { PictureContext } from '#ui/window/base/Picture.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { openPictureRoot } from './openPictureRoot.ts';
import { isWindowControl, restrainControls } from './controls.ts';
import { pictureStore } from './pictureStore.ts';
import { useAfterDrawing } from './useAfterDrawing.ts';

interface Props {
  /** The accessible name. */
  readonly name: string;
  /** The indexes of the shown messages that the step changed. */
  readonly changed: readonly number[];
  /** Set to the element that contains the window. */
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** Shows the window as it was after the selected step: the window's own components, drawn from the replayed store. Its controls do nothing. */
export function WindowPicture(props: Props) {
  const [root, setRoot] = useState<ShadowRoot | null>(null);
  const open = useCallback((host: HTMLElement | null) => {
    if (host !== null) setRoot(host.shadowRoot ?? openPictureRoot(host));
  }, []);
  return (
    <div ref={open} className="picture-host">
      {root && createPortal(<Drawn {...props} />, root)}
    </div>
  );
}

/** Refuses what a press on a control of the window would do: the focus, and its act. */
function refuse(event: SyntheticEvent): void {
  if (!isWindowControl(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
}

function Drawn({ name, changed, ref }: Props) {
  const inspector = useInspector();
  const store = useMemo(() => pictureStore(inspector), [inspector]);
  const theme = useInspectorState(({ picture }) => picture?.preferences.theme);
  const recordedMs = useInspectorState(({ view }) => view?.parley?.window.recordedMs ?? 0);
  const picture = useMemo(() => ({ name, recordedMs }), [name, recordedMs]);
  const rows = changed.join();
  useAfterDrawing(
    ref,
    useCallback((element: HTMLElement) => markRows(element, new Set(rows.split(','))), [rows]),
  );
  useAfterDrawing(ref, restrainControls);
  return (
    <div
      ref={ref}
      className="window-picture"
      lang="en"
      data-theme={theme}
      onMouseDownCapture={refuse}
      onClickCapture={refuse}
    >
      <Provider store={store}>
        <PictureContext value={picture}>
          <App />
        </PictureContext>
      </Provider>
    </div>
  );
}

/** Sets `data-changed` on those rows that are in the set. */
function markRows(picture: HTMLElement, changed: ReadonlySet<string>): void {
  for (const row of picture.querySelectorAll<HTMLElement>('[data-row]'))
    row.toggleAttribute('data-changed', changed.has(row.dataset['row'] ?? ''));
}
