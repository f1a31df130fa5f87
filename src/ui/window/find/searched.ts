import type { RefObject } from 'react';
import type { Message } from '#shared/conversation/conversation.ts';
import type { Vector } from '#shared/conversation/vector.ts';
import type { ListHandle } from '#ui/useListHandle.ts';

/** The conversation that the find bar searches. */
export interface Searched {
  readonly messages: Vector<Message>;
  readonly log: RefObject<HTMLElement | null>;
  readonly list: RefObject<ListHandle | null>;
}
