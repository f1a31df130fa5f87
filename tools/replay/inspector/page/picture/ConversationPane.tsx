import { type RefObject, useLayoutEffect, useRef } from 'react';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { StepView, WindowView } from '../../protocol/protocol.ts';
import { formatTime } from '../../time/formatTime.ts';
import { TextButton } from '../parts/controls.tsx';
import { formatPlural } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Shown } from '../session/shownConversation.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { Failure } from './AppPane.tsx';
import { WindowPicture } from './WindowPicture.tsx';

/** Shows the window as it was after the selected step; outlines the changes of the conversation. */
export function ConversationPane() {
  const shown = useInspectorState((state) => state.shown);
  const view = useInspectorState((state) => state.view);
  const windows = useInspectorState((state) => shownInfo(state)?.windows) ?? [];
  const actedIn = windows.length > 1 ? view?.row?.window : undefined;
  const { conversation, window } = view?.parley ?? {};
  return (
    <section className="pane conversation-pane" aria-label="Conversation pane">
      <header className="pane-head">
        <h2>Conversation</h2>
        {shown && (
          <p className="faint">
            {[
              shown.conversation.person ?? 'an unknown person',
              formatPlural(shown.total, 'message'),
              conversation && conversation.changed.length > 0 && `${conversation.changed.length} changed`,
              view && view.waiting > 0 && describeQueue(view.waiting),
              window && windows.length > 0 && describeWindow(window),
              actedIn !== undefined && `action in window ${actedIn}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        {windows.length > 1 && <WindowChoice windows={windows} chosen={window?.number ?? undefined} />}
      </header>
      <div className="pane-body">{shown && view?.parley && <Shot shown={shown} view={view.parley} />}</div>
    </section>
  );
}

/** Says how many updates wait for their tick, and how long. */
const describeQueue = (updates: number): string =>
  `${formatPlural(updates, 'update')} waiting, ${formatTime(updates * QUEUE_TICK_MS)}`;

/** Describes what a picture of a window does not show. */
const describeWindow = ({ number, isVisible, isMinimized, state: { own } }: WindowView): string =>
  [
    number === null && 'no window',
    !isVisible && 'hidden',
    isMinimized && 'minimized',
    !own.scroll.isAtBottom && 'scrolled up',
  ]
    .filter(Boolean)
    .join(', ');

type ShotProps = Readonly<{ shown: Shown; view: NonNullable<StepView['parley']> }>;

/** Shows the picture of the window, and the desktop notification of the step, which is beside the window. */
function Shot({ shown, view: { notification, conversation, window } }: ShotProps) {
  const { start } = shown;
  const { navigate } = useInspector();
  const failure = useInspectorState((state) => state.view?.failure);
  const picture = useRef<HTMLDivElement>(null);
  const anchorScroll = useScrollAnchor(picture, shown);
  const earlier = () => {
    anchorScroll();
    navigate.showEarlier();
  };
  return (
    <div className="conversation-body">
      <Failure title="The app threw at this step" stack={failure} />
      {notification && (
        <section className="desktop-notification" aria-label="Desktop notification">
          {notification.title !== '' && <h3>{notification.title}</h3>}
          <p>{notification.body}</p>
        </section>
      )}
      {start > 0 && (
        <TextButton
          className="text-button earlier"
          name={`Show earlier messages (${start} more)`}
          onClick={earlier}
        />
      )}
      <WindowPicture
        name={window.number === null ? 'The window' : `Window ${window.number}`}
        changed={conversation.changed.map((index) => index - start)}
        ref={picture}
      />
    </div>
  );
}

/** Chooses the window that the pane shows, in a session with several windows. */
function WindowChoice({ windows, chosen }: { windows: readonly number[]; chosen: number | undefined }) {
  const { navigate } = useInspector();
  return (
    <select
      className="window-choice"
      aria-label="Window"
      value={chosen ?? ''}
      onChange={({ target }) => navigate.chooseWindow(Number(target.value))}
    >
      {chosen === undefined && <option value="">none open</option>}
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
