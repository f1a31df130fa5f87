import { type Store, legacy_createStore } from '@reduxjs/toolkit';
import {
  type CSSProperties,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useMemo,
  useState,
  useLayoutEffect,
} from 'react';
import { createPortal } from 'react-dom';
import { Provider } from 'react-redux';
import type { ShownState } from '#shared/store/windowState.ts';
import { App } from '#ui/window/App.tsx';
import { PictureContext } from '#ui/window/base/Picture.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { useSize } from '../parts/useSize.ts';
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
export function WindowPicture(props: Props) {
  const [root, setRoot] = useState<ShadowRoot | null>(null);
  const open = useCallback((host: HTMLElement | null) => {
    if (host !== null) setRoot(host.shadowRoot ?? openPictureRoot(host));
  }, []);
  return (
    <div ref={open} className="picture-host">
      {root && createPortal(<Drawn {...props} host={root.host} />, root)}
    </div>
  );
}

/** Refuses what a press on a control of the window would do: the focus, and its act. */
function refuse(event: SyntheticEvent): void {
  if (!isWindowControl(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
}

function Drawn({ name, changed, ref, host }: Props & { readonly host: Element }) {
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
      style={usePageStyle(host)}
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

/** Sets `data-changed` on those rows that are in the set. */
function markRows(picture: HTMLElement, changed: ReadonlySet<string>): void {
  for (const row of picture.querySelectorAll<HTMLElement>('[data-row]'))
    row.toggleAttribute('data-changed', changed.has(row.dataset['row'] ?? ''));
}

const CONTROLS = 'button, input, select, textarea, label, summary, a';
const SCROLLED = '.login, .start-failed, dialog';

/** The conversation can be read as in the window: its links, downloads and texts can be opened. */
const isInConversation = (element: Element): boolean => element.closest('.log') !== null;

/** Returns whether an element is a control of the window, which does nothing in a picture. */
const isWindowControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(CONTROLS) !== null && !isInConversation(target);

/** Takes the window's controls out of the tab order; what scrolls stays in it. */
function restrainControls(picture: HTMLElement): void {
  for (const control of picture.querySelectorAll<HTMLElement>(CONTROLS))
    if (!isInConversation(control)) setTabIndex(control, -1);
  for (const scroller of picture.querySelectorAll<HTMLElement>(SCROLLED)) setTabIndex(scroller, 0);
}

/** An attribute that is set again invalidates the styles again. */
function setTabIndex(element: HTMLElement, index: number): void {
  if (element.getAttribute('tabindex') !== String(index)) element.tabIndex = index;
}

/** Calls `adapt` with the element after each change of the elements in it, also of rows that come into view later. */
function useAfterDrawing(ref: RefObject<HTMLElement | null>, adapt: (element: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    adapt(element);
    const changes = new MutationObserver(() => adapt(element));
    changes.observe(element, { childList: true, subtree: true });
    return () => changes.disconnect();
  }, [ref, adapt]);
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

/** All pictures share it. */
let sheet: CSSStyleSheet | undefined;

/**
 * Returns the shadow root of a picture, with the window's styles. In it, neither the styles nor the ids of the window and of the inspector
 * meet.
 */
function openPictureRoot(host: Element): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [(sheet ??= sheetOf(windowStyles))];
  return root;
}

/** Creates a style sheet. The policy of the page refuses style elements. */
export function sheetOf(text: string): CSSStyleSheet {
  const created = new CSSStyleSheet();
  created.replaceSync(text);
  return created;
}
