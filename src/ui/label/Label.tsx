import { blobSource } from '#shared/conversation/blobReference.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { clip } from '#shared/clip.ts';
import { Name } from '../base/Name.tsx';
import { Avatar } from './Avatar.tsx';

/** A name that is longer than this, in UTF-16 units, may not fit in its line: its tooltip shows it whole. */
const FITTING_LENGTH = 20;
/** Longer tooltips are clipped to this length, in UTF-16 units. */
const TOOLTIP_LENGTH = 2000;

interface Props {
  readonly id: string;
  readonly message: Message;
  /** The index of the message. */
  readonly index: number;
  /** Whether the label is visible; a hidden one still names the message. */
  readonly isVisible: boolean;
}

/** Shows the sender of a message, in one line (spec §2.5). */
export function Label({ id, message: { context = '', avatar }, index, isVisible }: Props) {
  const title = context.length > FITTING_LENGTH ? clip(context, TOOLTIP_LENGTH) : undefined;
  return (
    <div className={isVisible ? 'label' : 'visually-hidden'}>
      <Avatar source={blobSource(avatar)} message={index} />
      <span id={id} dir="auto" title={title}>
        <Name text={context} />
      </span>
    </div>
  );
}
