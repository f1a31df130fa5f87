import type { RefObject } from 'react';
import { useWindowActs } from '../base/WindowActs.ts';
import { AnswerButtons } from './AnswerButtons.tsx';
import { AttachButton } from './AttachButton.tsx';
import { Composer } from './Composer.tsx';
import { MicrophoneButton } from './MicrophoneButton.tsx';

interface Props {
  /** The conversation: takes the focus of what disappears. */
  readonly log: RefObject<HTMLElement | null>;
}

/** Shows what a person answers with, below the conversation: the buttons about the newest answer, and below them those of a new message. */
export function Dock({ log }: Props) {
  const { sendFile } = useWindowActs();
  return (
    <>
      <AnswerButtons log={log} />
      <div className="dock">
        <AttachButton onFile={sendFile} />
        <MicrophoneButton />
        <Composer log={log} />
      </div>
    </>
  );
}
