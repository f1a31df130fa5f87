import { useRef } from 'react';
import { formatBacklog } from '#shared/formatBacklog.ts';
import { MessageList } from '#ui/MessageList.tsx';
import { formatPlural } from '../parts/format.ts';
import type { Shown } from '../session/shownConversation.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { useChangedRows } from './useChangedRows.ts';
import { useScrollAnchor } from './useScrollAnchor.ts';

/** Shows the conversation as the window showed it after the selected step; outlines the changes. */
export function ConversationPane() {
  const shown = useInspectorState((state) => state.shown);
  const changed = useInspectorState((state) => state.view?.conversation.changed);
  const waiting = useInspectorState((state) => state.view?.waiting ?? 0);
  return (
    <section className="pane conversation-pane" aria-label="Conversation pane">
      <header className="pane-head">
        <h2>Conversation</h2>
        {shown && (
          <p className="faint">
            {[
              shown.conversation.person ?? 'an unknown person',
              formatPlural(shown.total, 'message'),
              changed !== undefined && changed.length > 0 && `${changed.length} changed`,
              waiting > 0 && formatBacklog(waiting),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </header>
      <div className="pane-body">
        {shown && <Messages shown={shown} changed={changed ?? []} />}
        {shown?.total === 0 && (
          <p className="empty over">
            {shown.conversation.person === null
              ? 'The window waits for its first snapshot.'
              : 'No message yet.'}
          </p>
        )}
      </div>
    </section>
  );
}

function Messages({ shown, changed }: { readonly shown: Shown; readonly changed: readonly number[] }) {
  const { navigate, fail } = useInspector();
  const log = useRef<HTMLDivElement>(null);
  const anchorScroll = useScrollAnchor(log, shown);
  useChangedRows(
    log,
    changed.map((index) => index - shown.start),
  );
  const earlier = () => {
    anchorScroll();
    navigate.showEarlier().catch(fail);
  };
  return (
    <div className="conversation-body">
      {shown.start > 0 && (
        <button type="button" className="text-button earlier" onClick={earlier}>
          Show earlier messages ({shown.start} more)
        </button>
      )}
      <div className="conversation-list">
        <MessageList conversation={shown.conversation} ref={log} />
      </div>
    </div>
  );
}
