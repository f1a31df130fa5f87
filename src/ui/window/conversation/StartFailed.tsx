import { useEffect, useRef } from 'react';
import type { StartFailure } from '#shared/ipc/tools.ts';
import { useWindowActs } from '../base/WindowActs.ts';

interface Props {
  readonly failure: StartFailure;
}

/** Shows why the conversation is not opened: the program ended twice while it opened it. */
export function StartFailed({ failure }: Props) {
  const { focus, request, logOut } = useWindowActs();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focus(heading.current, { preventScroll: true }), [focus]);
  return (
    <section className="start-failed" aria-labelledby="start-failed">
      <h2 id="start-failed" ref={heading} tabIndex={-1}>
        Parley stopped twice while it opened your conversation
      </h2>
      <p>
        The conversation was not opened again. Try again, or sign out.
        {failure.canSave && ' You can save what was received: the replay tool shows it.'}
      </p>
      <div className="start-failed-buttons">
        <button type="button" className="primary" onClick={() => request('tryAgain')}>
          Try again
        </button>
        {failure.canSave && (
          <button type="button" className="secondary" onClick={() => request('saveReceived')}>
            Save what was received
          </button>
        )}
        <button type="button" className="secondary" onClick={logOut}>
          Sign out
        </button>
      </div>
    </section>
  );
}
