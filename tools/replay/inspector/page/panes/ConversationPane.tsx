import { useRef } from 'react';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { formatTime } from '../../time/formatTime.ts';
import type { WindowView } from '../../protocol/protocol.ts';
import { formatPlural } from '../parts/format.ts';
import { WindowPicture } from '../picture/WindowPicture.tsx';
import type { Shown } from '../session/shownConversation.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/state.ts';
import { useScrollAnchor } from './useScrollAnchor.ts';
import { WindowChoice } from './WindowChoice.tsx';

/** Shows the window as it was after the selected step; outlines the changes of the conversation. */
export function ConversationPane() {
  const shown = useInspectorState((state) => state.shown);
  const view = useInspectorState((state) => state.view?.parley);
  const waiting = useInspectorState((state) => state.view?.waiting ?? 0);
  const hasWindows = useInspectorState((state) => (shownInfo(state)?.windows ?? []).length > 0);
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
  const { navigate, fail } = useInspector();
  const picture = useRef<HTMLDivElement>(null);
  const anchorScroll = useScrollAnchor(picture, shown);
  const earlier = () => {
    anchorScroll();
    navigate.showEarlier().catch(fail);
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
