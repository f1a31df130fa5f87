import type { Conversation } from '#shared/conversation/conversation.ts';
import type { ConnectionState } from '#shared/store/connection.ts';

interface Props {
  readonly conversation: Conversation;
  readonly connection: ConnectionState;
}

/** Shows a hint while the conversation has no messages. */
export function EmptyHint({ conversation, connection }: Props) {
  if (conversation.messages.length > 0) return null;
  const isLoading = conversation.person === null && connection.status === 'disconnected';
  if (isLoading)
    return connection.closedBecause === null ? <p className="empty">Opening your conversation…</p> : null;
  return (
    <div className="empty">
      <p className="empty-title">Say hello</p>
      <p>Just start typing, or drop or paste a file.</p>
    </div>
  );
}
