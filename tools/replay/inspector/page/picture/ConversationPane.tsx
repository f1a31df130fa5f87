import { useRef, type RefObject, useLayoutEffect } from 'react';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { WindowView } from '../../protocol/protocol.ts';
import { formatTime } from '../../time/formatTime.ts';
import { formatPlural } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Shown } from '../session/shownConversation.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { WindowPicture } from './WindowPicture.tsx';

/** Shows the window as it was after the selected step; outlines the changes of the conversation. */
export function ConversationPane() {
  const shown = useInspectorState((state) => state.shown);
  const view = useInspectorState((state) => state.view?.parley);
  const waiting = useInspectorState((state) => state.view?.waiting ?? 0);
  const hasWindows = useInspectorState((state) => (shownInfo(state)?.windows ?? []).length > 0);
  const actedIn = useInspectorState((state) =>
    (shownInfo(state)?.windows ?? []).length > 1 ? state.view?.row?.window : undefined,
  );
  return (
    <section className="pane conversation-pane" aria-label="Conversation pane">
      <header className="pane-head">
        <h2>Conversation</h2>
        {shown && (
          <p className="faint">
            {[
              shown.conversation.person ?? 'an unknown person',
              formatPlural(shown.total, 'message'),
              view && view.conversation.changed.length > 0 && `${view.conversation.changed.length} changed`,
              waiting > 0 && describeQueue(waiting),
              view && hasWindows && describeWindow(view.window),
              actedIn !== undefined && `action in window ${actedIn}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        <WindowChoice />
      </header>
      <div className="pane-body">
        {shown && view && (
          <Shot shown={shown} changed={view.conversation.changed} number={view.window.number} />
        )}
      </div>
    </section>
  );
}

/** Says how many updates wait for their tick, and how long. */
const describeQueue = (updates: number): string =>
  `${formatPlural(updates, 'update')} waiting, ${formatTime(updates * QUEUE_TICK_MS)}`;

/** Describes what a picture of a window does not show. */
function describeWindow({ number, isVisible, isMinimized, state: { own } }: WindowView): string {
  return [
    number === null && 'no window',
    !isVisible && 'hidden',
    isMinimized && 'minimized',
    !own.scroll.isAtBottom && 'scrolled up',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Shows the desktop notification of the selected step, which is beside the window. */
function DesktopNotification() {
  const notification = useInspectorState((state) => state.view?.parley?.notification);
  if (notification === undefined) return null;
  return (
    <section className="desktop-notification" aria-label="Desktop notification">
      {notification.title !== '' && <h3>{notification.title}</h3>}
      <p>{notification.body}</p>
    </section>
  );
}

interface ShotProps {
  readonly shown: Shown;
  readonly changed: readonly number[];
  readonly number: number | null;
}

function Shot({ shown, changed, number }: ShotProps) {
  const { navigate } = useInspector();
  const picture = useRef<HTMLDivElement>(null);
  const anchorScroll = useScrollAnchor(picture, shown);
  const earlier = () => {
    anchorScroll();
    navigate.showEarlier();
  };
  return (
    <div className="conversation-body">
      <DesktopNotification />
      {shown.start > 0 && (
        <button type="button" className="text-button earlier" onClick={earlier}>
          Show earlier messages ({shown.start} more)
        </button>
      )}
      <WindowPicture
        name={number === null ? 'The window' : `Window ${number}`}
        changed={changed.map((index) => index - shown.start)}
        ref={picture}
      />
    </div>
  );
}

/** Chooses the window that the pane shows, in a session with several windows. */
function WindowChoice() {
  const { navigate } = useInspector();
  const windows = useInspectorState((state) => shownInfo(state)?.windows);
  const number = useInspectorState((state) => state.view?.parley?.window.number ?? undefined);
  if (windows === undefined || windows.length < 2) return null;
  return (
    <select
      className="window-choice"
      aria-label="Window"
      value={number ?? ''}
      onChange={({ target }) => navigate.chooseWindow(Number(target.value))}
    >
      {number === undefined && <option value="">none open</option>}
      {windows.map((one) => (
        <option key={one} value={one}>
          Window {one}
        </option>
      ))}
    </select>
  );
}

const listIn = (picture: HTMLElement | null) => picture?.querySelector('.log') ?? null;

/**
 * Scrolls the list to its end when the conversation changes. Returns a function to call before earlier messages are added above;
 * it keeps the visible messages in view.
 */
function useScrollAnchor(picture: RefObject<HTMLElement | null>, shown: Shown): () => void {
  const kept = useRef<{ readonly fromEnd: number; readonly before: Shown }>(undefined);
  useLayoutEffect(() => {
    const list = listIn(picture.current);
    if (list === null || kept.current === undefined || kept.current.before === shown) return undefined;
    const { fromEnd } = kept.current;
    kept.current = undefined;
    // Observers run in the order of their creation: this one runs after the list's own, and before the next paint.
    const sizes = new ResizeObserver(() => {
      list.scrollTop = list.scrollHeight - fromEnd;
      sizes.disconnect();
    });
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [picture, shown]);
  return () => {
    const list = listIn(picture.current);
    if (list !== null) kept.current = { fromEnd: list.scrollHeight - list.scrollTop, before: shown };
  };
}
