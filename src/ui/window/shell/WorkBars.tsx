import { useSyncExternalStore } from 'react';
import { formatCount } from '#shared/formatCount.ts';
import { useWindowActs } from '../base/WindowActs.ts';

/** Shows the progress of long work, and a button that cancels it. It does not block the window. */
export function WorkBars() {
  const { works } = useWindowActs();
  const current = useSyncExternalStore(works.subscribe, works.current, works.current);
  return current.map(({ id, name, done, of, cancel }) => (
    <div key={id} className="work">
      <p>
        {name}
        {of > 0 && (
          <span>
            {formatCount(done)} of {formatCount(of)} messages
          </span>
        )}
      </p>
      <progress aria-label={name} {...(of > 0 && { value: done, max: of })} />
      <button type="button" className="secondary" onClick={cancel}>
        Cancel
      </button>
    </div>
  ));
}
