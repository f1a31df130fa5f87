import { type Store, legacy_createStore } from '@reduxjs/toolkit';
import { type CSSProperties, type RefObject, type SyntheticEvent, useLayoutEffect, useMemo } from 'react';
import { Provider } from 'react-redux';
import type { ShownState } from '#shared/store/windowState.ts';
import { ErrorBoundary } from '#ui/base/ErrorBoundary.tsx';
import { App } from '#ui/window/App.tsx';
import { PictureContext } from '#ui/window/base/Picture.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { useSize } from '../parts/useSize.ts';
import { ShadowHost } from './ShadowHost.tsx';
import windowStyles from './windowStyles.css?inline';

interface Props {
  /** The accessible name. */
  readonly name: string;
  /** The indexes of the shown messages that the step changed. */
  readonly changed: readonly number[];
  /** Set to the element that contains the window. */
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** Shows the window as it was after the selected step: the window's own components, drawn from the replayed store. Its controls do nothing. */
export const WindowPicture = (props: Props) => (
  <ShadowHost className="picture-host" styles={windowStyles}>
    {(host) => <Drawn {...props} host={host} />}
  </ShadowHost>
);

const CANNOT_BE_DRAWN = (
  <p role="alert">The window cannot be drawn: its components threw an error at this state.</p>
);

/** Refuses what a press on a control of the window would do: the focus, and its act. */
function refuse(event: SyntheticEvent): void {
  if (!isWindowControl(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
}

function Drawn({ name, changed, ref, host }: Props & { readonly host: Element }) {
  const inspector = useInspector();
  const store = useMemo(() => pictureStore(inspector), [inspector]);
  const shown = useInspectorState((state) => state.picture);
  const theme = useInspectorState(({ picture }) => picture?.preferences.theme);
  const recordedMs = useInspectorState(({ view }) => view?.parley?.window.recordedMs ?? 0);
  const picture = useMemo(() => ({ name, recordedMs }), [name, recordedMs]);
  useAdaptedDrawing(ref, changed.join());
  return (
    <div
      ref={ref}
      className="window-picture"
      lang="en"
      data-theme={theme}
      style={usePageStyle(host)}
      onMouseDownCapture={refuse}
      onClickCapture={(event) => {
        refuse(event);
        if (!isControl(event.target)) inspector.history.showChosen(event.target);
      }}
    >
      <Provider store={store}>
        <PictureContext value={picture}>
          <ErrorBoundary of={shown} fallback={CANNOT_BE_DRAWN}>
            <App />
          </ErrorBoundary>
        </PictureContext>
      </Provider>
    </div>
  );
}

/** Returns the style that gives a picture the size of the window's page, or a smaller one that fits its host; without a recorded size it fills it. */
function usePageStyle(host: Element): CSSProperties | undefined {
  const page = useInspectorState(({ picture }) => picture?.own.page ?? null);
  const room = useSize(host);
  if (room.width === 0 || page === null || page.width === 0 || page.height === 0) return undefined;
  const { width, height } = page;
  const scale = Math.min(1, room.width / width, room.height / height);
  const left = Math.max(0, (room.width - width * scale) / 2);
  return { inset: 'auto', top: 0, left, width, height, transformOrigin: '0 0', transform: `scale(${scale})` };
}

const CONTROLS = 'button, input, select, textarea, label, summary, a';

/**
 * Returns whether an element is in a control of the window, which does nothing in a picture. The conversation can be read as in the window: its
 * links, downloads and texts can be opened.
 */
const isWindowControl = (target: EventTarget): boolean =>
  isControl(target) && target.closest('.log') === null;

const isControl = (target: EventTarget): target is Element =>
  target instanceof Element && target.closest(CONTROLS) !== null;

/**
 * Adapts the elements of a picture after each change of them, also of rows that come into view later: sets `data-changed` on the changed rows, and takes
 * the window's controls out of the tab order; what scrolls stays in it.
 */
function useAdaptedDrawing(ref: RefObject<HTMLElement | null>, changed: string): void {
  useLayoutEffect(() => {
    const picture = ref.current;
    if (picture === null) return undefined;
    const all = (selector: string) => Array.from(picture.querySelectorAll<HTMLElement>(selector));
    const adapt = () => {
      for (const row of all('[data-row]'))
        row.toggleAttribute('data-changed', changed.split(',').includes(row.dataset['row'] ?? ''));
      for (const control of all(CONTROLS)) if (isWindowControl(control)) control.tabIndex = -1;
      for (const scroller of all('.login, .start-failed, dialog')) scroller.tabIndex = 0;
    };
    adapt();
    const changes = new MutationObserver(adapt);
    changes.observe(picture, { childList: true, subtree: true });
    return () => changes.disconnect();
  }, [ref, changed]);
}

/** Creates a view of the inspector's state in the form of a window's store. It ignores actions; a picture of the state must be shown. */
const pictureStore = ({ store }: Pick<Inspector, 'store'>): Store<ShownState> => {
  const state = (): ShownState => {
    const { picture } = store.get();
    if (picture === undefined) throw new Error('No step is shown.');
    return picture;
  };
  return { ...legacy_createStore(state), getState: state, subscribe: store.subscribe };
};
