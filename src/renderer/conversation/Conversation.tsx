import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectAppliedUpdates, selectConnection, selectInitials } from '#shared/store/selectors.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { Announcer } from '#ui/Announcer.tsx';
import { ErrorBoundary } from '#ui/failure/ErrorBoundary.tsx';
import { MessageList } from '#ui/MessageList.tsx';
import type { Bridge } from '../base/bridge.ts';
import { AttachButton } from './AttachButton.tsx';
import { ClosedNotice } from './ClosedNotice.tsx';
import { Composer } from './Composer.tsx';
import { EmptyHint } from './EmptyHint.tsx';
import { MicrophoneButton } from './MicrophoneButton.tsx';
import { droppedFile, sendFile } from './sendFile.ts';
import { useFileDrop } from './useFileDrop.ts';

interface Props {
  readonly bridge: Bridge;
  readonly alert: (text: string) => void;
  /** Whether a dialog or an alert is open. */
  readonly isInert: boolean;
}

/** Options of a focus that the program moves for keyboard users: it neither scrolls nor shows the focus ring. */
const QUIETLY = { preventScroll: true, focusVisible: false };

const selectConversation = (state: SharedState) => state.conversation;

/** Shows the conversation and its controls (spec §4.4). A sent message appears when the platform returns it. */
export function Conversation({ bridge: { parley, tools }, alert, isInert }: Props) {
  const conversation = useSelector(selectConversation);
  const appliedUpdates = useSelector(selectAppliedUpdates);
  const connection = useSelector(selectConnection);
  const initials = useSelector(selectInitials);
  const log = useRef<HTMLDivElement>(null);
  const focusLog = () => log.current?.focus(QUIETLY);
  useEffect(focusLog, []);

  const send = (file: File) => void sendFile(file, { parley, alert });
  const { isDragging, handlers } = useFileDrop((data) => {
    const file = droppedFile(data, alert);
    if (file) send(file);
  });

  return (
    <div className="conversation" {...handlers}>
      <ClosedNotice connection={connection} tools={tools} />
      <div className="scene">
        <MessageList conversation={conversation} appliedUpdates={appliedUpdates} ref={log} />
        <EmptyHint conversation={conversation} connection={connection} />
      </div>
      <div className="dock">
        <AttachButton onFile={send} />
        <MicrophoneButton tools={tools} />
        <Composer
          initials={initials}
          alert={alert}
          isInert={isInert}
          onClosed={focusLog}
          onSend={(text) => parley.send('message', { category: 'text', text, blob: null })}
        />
      </div>
      <ErrorBoundary of={conversation} fallback={null}>
        <Announcer conversation={conversation} />
      </ErrorBoundary>
      {isDragging && (
        <div className="drop-here" aria-hidden="true">
          Drop a file to send it
        </div>
      )}
    </div>
  );
}
