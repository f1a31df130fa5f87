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
import tokens from '#ui/base/tokens.css?inline';
import messages from '#ui/messages.css?inline';
import markup from '#ui/markup/markup.css?inline';
import base from '#ui/window/base/base.css?inline';
import titleBar from '#ui/window/shell/titleBar.css?inline';
import connectionBar from '#ui/window/shell/connectionBar.css?inline';
import login from '#ui/window/login.css?inline';
import conversation from '#ui/window/conversation/conversation.css?inline';
import composer from '#ui/window/conversation/composer.css?inline';
import find from '#ui/window/conversation/find.css?inline';
import actions from '#ui/window/actions/actions.css?inline';
import place from '#ui/window/conversation/place.css?inline';
import menu from '#ui/window/shell/menu.css?inline';
import viewer from '#ui/window/viewer/viewer.css?inline';
import dialog from '#ui/window/dialogs/dialog.css?inline';
import assistant from '#ui/window/dialogs/assistant.css?inline';
import alert from '#ui/window/shell/alert.css?inline';
import note from '#ui/window/shell/note.css?inline';
import voice from '#ui/window/conversation/voice.css?inline';
import pictureStyles from '#ui/window/base/picture.css?inline';

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
      style={usePageStyle(ref)}
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

/** Returns the style with which a picture has the size of the window's page, made smaller where it has no room. Without a recorded size it fills its host. */
function usePageStyle(ref: RefObject<HTMLDivElement | null>): CSSProperties | undefined {
  const page = useInspectorState(({ picture }) => picture?.own.page ?? null);
  const [room, setRoom] = useState<{ readonly width: number; readonly height: number } | null>(null);
  useLayoutEffect(() => {
    const root = ref.current?.getRootNode();
    if (!(root instanceof ShadowRoot)) return undefined;
    const look = () => setRoom({ width: root.host.clientWidth, height: root.host.clientHeight });
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(root.host);
    return () => sizes.disconnect();
  }, [ref]);
  if (room === null || page === null || page.width === 0 || page.height === 0) return undefined;
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

/** The style sheets of the window, in its order, and what a picture changes. */
const TEXTS = [
  tokens,
  messages,
  markup,
  base,
  titleBar,
  connectionBar,
  login,
  conversation,
  composer,
  find,
  place,
  actions,
  menu,
  viewer,
  dialog,
  assistant,
  alert,
  note,
  voice,
  pictureStyles,
];

/** All pictures share them. */
let sheets: readonly CSSStyleSheet[] | undefined;

/**
 * Returns the shadow root of a picture, with the window's styles. In it, neither the styles nor the ids of the window and of the inspector
 * meet.
 */
function openPictureRoot(host: Element): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  sheets ??= TEXTS.map(sheetOf);
  root.adoptedStyleSheets = [...sheets];
  return root;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
