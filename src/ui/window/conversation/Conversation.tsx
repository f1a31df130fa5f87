import { useCallback, useRef } from 'react';
import { useSelector } from 'react-redux';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { selectAppliedUpdates, selectConnection } from '#shared/store/selectors.ts';
import { leftBottom, reachedBottom } from '#shared/window/scroll.ts';
import { Announcer } from '#ui/Announcer.tsx';
import { FoundContext } from '#ui/base/found.ts';
import { MessageList } from '#ui/MessageList.tsx';
import { ErrorBoundary } from '#ui/failure/ErrorBoundary.tsx';
import type { ListHandle } from '#ui/useListHandle.ts';
import { MessageActions } from '../actions/MessageActions.tsx';
import { usePicture } from '../base/Picture.ts';
import { useOwn } from '../base/useOwn.ts';
import { NewMessagesButton } from '../place/NewMessagesButton.tsx';
import { usePlace } from '../place/usePlace.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { FindBar } from '../find/FindBar.tsx';
import { AudioProvider } from './AudioProvider.tsx';
import { Dock } from './Dock.tsx';
import { DropArea } from './DropArea.tsx';
import { EmptyHint } from './EmptyHint.tsx';

const selectConversation = (state: SharedState) => state.conversation;

/** Shows the conversation and its controls (spec §4.4). A sent message appears when the platform returns it. */
export function Conversation() {
  const conversation = useSelector(selectConversation);
  const appliedUpdates = useSelector(selectAppliedUpdates);
  const connection = useSelector(selectConnection);
  const { dispatch, copyLater } = useWindowActs();
  const { isAtBottom } = useOwn('scroll');
  const isPicture = usePicture() !== null;
  const place = usePlace(conversation);
  const log = useRef<HTMLDivElement>(null);
  const list = useRef<ListHandle>(null);
  const find = useOwn('find');
  const onScrolled = useCallback(
    (isThere: boolean) => dispatch(isThere ? reachedBottom() : leftBottom()),
    [dispatch],
  );
  return (
    <DropArea>
      <FindBar messages={conversation.messages} log={log} list={list} />
      <div className="scene">
        <AudioProvider>
          <FoundContext value={find?.hit ?? null}>
            <MessageList
              conversation={conversation}
              appliedUpdates={appliedUpdates}
              ref={log}
              list={list}
              {...place}
              onScrolled={onScrolled}
              shownAtBottom={isPicture ? isAtBottom : undefined}
              copyLater={isPicture ? undefined : copyLater}
            />
          </FoundContext>
        </AudioProvider>
        <NewMessagesButton conversation={conversation} log={log} />
        {!isPicture && <MessageActions conversation={conversation} log={log} />}
        <EmptyHint conversation={conversation} connection={connection} />
      </div>
      <Dock log={log} />
      {!isPicture && (
        <ErrorBoundary of={conversation} fallback={null}>
          <Announcer conversation={conversation} />
        </ErrorBoundary>
      )}
    </DropArea>
  );
}
