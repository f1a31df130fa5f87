import {
  type DragEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useSelector } from 'react-redux';
import type { Message } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import type { ItemPlace } from '#shared/conversation/blobReference.ts';
import {
  type SharedState,
  selectAppliedUpdates,
  selectAudio,
  selectConnection,
} from '#shared/store/rootReducer.ts';
import { playbackRequested, playbackStopRequested } from '#shared/actions/userActions.ts';
import { itemSaved } from '#shared/actions/outputActions.ts';
import { expansionChanged, leftBottom, reachedBottom } from '#shared/actions/windowActions.ts';
import type { Saving } from '#shared/actions/outputActions.ts';
import type { Expansion } from '#shared/actions/windowSchemas.ts';
import { Announcer } from '#ui/Announcer.tsx';
import { FoundContext, ItemCommandsContext, MessageButtonsContext } from '#ui/base/itemCommands.ts';
import { MessageList } from '#ui/MessageList.tsx';
import { ErrorBoundary } from '#ui/base/ErrorBoundary.tsx';
import type { OnScrolled } from '#ui/useBottom.ts';
import type { ListHandle } from '#ui/useListHandle.ts';
import { AudioControlsContext } from '#ui/ContentItem.tsx';
import type { ConnectionState } from '#shared/store/sharedSlices.ts';
import { LabelButtons } from '../actions/LabelButtons.tsx';
import { MessageActions } from '../actions/MessageActions.tsx';
import { useWindowState, usePicture } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { NoticeButton } from './AnswerButtons.tsx';
import { PlaceButton, usePlace } from './NewMessagesButton.tsx';
import { FindBar } from './FindBar.tsx';
import { Dock } from './Dock.tsx';

const selectConversation = (state: SharedState) => state.conversation;

/** The buttons of messages. */
const BUTTONS = { OfNotice: NoticeButton, InLabel: LabelButtons };

/** Shows the conversation and its controls (spec §4.4). A sent message appears when the platform returns it. */
export function Conversation() {
  const conversation = useSelector(selectConversation);
  const appliedUpdates = useSelector(selectAppliedUpdates);
  const connection = useSelector(selectConnection);
  const { dispatch, copyLater } = useWindowCommands();
  const { isAtBottom } = useWindowState('scroll');
  const isPicture = usePicture() !== null;
  const place = usePlace(conversation);
  const log = useRef<HTMLDivElement>(null);
  const list = useRef<ListHandle>(null);
  const find = useWindowState('find');
  useShownPlace(list, conversation);
  const { messages } = conversation;
  const onScrolled: OnScrolled = useCallback(
    (isThere, pulledFrom) => {
      if (!isThere) dispatch(leftBottom());
      else if (pulledFrom === undefined) dispatch(reachedBottom());
      else dispatch(reachedBottom({ pulledFrom: scrollPlace(messages, pulledFrom) }));
    },
    [dispatch, messages],
  );
  return (
    <DropArea>
      <FindBar messages={conversation.messages} log={log} list={list} />
      <div className="scene">
        <AudioProvider>
          <ItemCommandsProvider>
            <FoundContext value={find?.hit ?? null}>
              <MessageButtonsContext value={BUTTONS}>
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
              </MessageButtonsContext>
            </FoundContext>
          </ItemCommandsProvider>
        </AudioProvider>
        <PlaceButton conversation={conversation} log={log} list={list} />
        <MessageActions conversation={conversation} log={log} />
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

/** Returns a place in the list as the window's state contains it. */
const scrollPlace = (
  messages: Vector<Message>,
  { index, offset }: { readonly index: number; readonly offset: number },
) => ({
  message: index,
  id: itemAt(messages, index)?.id ?? '',
  offset: Math.round(offset),
});

/** Scrolls a picture of a window to the place to which the person had scrolled. */
function useShownPlace(list: RefObject<ListHandle | null>, conversation: SharedState['conversation']): void {
  const scrolledTo = useWindowState('scrolledTo');
  const page = useWindowState('page');
  const isPicture = usePicture() !== null;
  useLayoutEffect(() => {
    if (isPicture && scrolledTo !== null) list.current?.scrollToPlace(scrolledTo.message, scrolledTo.offset);
    // Another size and other messages move the place.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [isPicture, scrolledTo, list, conversation, page]);
}

/** Provides the audio controls to `children`; sounds can be played while the audio module is on. */
function AudioProvider({ children }: { readonly children: ReactNode }) {
  const { isOn, playing } = useSelector(selectAudio);
  const progress = useWindowState('soundProgress');
  const { send } = useWindowCommands();
  const controls = useMemo(
    () =>
      isOn
        ? {
            playing,
            progress,
            play: (place: ItemPlace) => send(playbackRequested(place)),
            stop: () => send(playbackStopRequested()),
          }
        : null,
    [isOn, playing, progress, send],
  );
  return <AudioControlsContext value={controls}>{children}</AudioControlsContext>;
}

/** Provides what a person does with the items of the conversation to `children`. */
function ItemCommandsProvider({ children }: { readonly children: ReactNode }) {
  const expanded = useWindowState('expanded');
  const { dispatch } = useWindowCommands();
  const isPicture = usePicture() !== null;
  const commands = useMemo(
    () => ({
      expanded,
      expand: isPicture ? null : (expansion: Expansion) => dispatch(expansionChanged(expansion)),
      saved: (saving: Saving) => dispatch(itemSaved(saving)),
    }),
    [expanded, dispatch, isPicture],
  );
  return <ItemCommandsContext value={commands}>{children}</ItemCommandsContext>;
}

const hasFiles = (data: DataTransfer): boolean => data.types.includes('Files');

const allowDrop = (event: DragEvent): void => {
  if (!hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'copy';
};

/** Shows the conversation as an area for files, with a hint while one is dragged over the window (spec §4.4.2). */
function DropArea({ children }: { readonly children: ReactNode }) {
  const isDragged = useWindowState('fileDrop');
  const { dropFile } = useWindowCommands();
  return (
    <div className="conversation" onDragOver={allowDrop} onDrop={(event) => dropFile(event.dataTransfer)}>
      {children}
      {isDragged && (
        <div className="drop-here" aria-hidden="true">
          Drop a file to send it
        </div>
      )}
    </div>
  );
}

interface EmptyHintProps {
  readonly conversation: SharedState['conversation'];
  readonly connection: ConnectionState;
}

/** Shows a hint while the conversation has no messages. */
function EmptyHint({ conversation, connection }: EmptyHintProps) {
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
