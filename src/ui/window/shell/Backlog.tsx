import { useSelector } from 'react-redux';
import { formatBacklog } from '#shared/formatBacklog.ts';
import { selectBacklog } from '#shared/store/selectors.ts';

/** Shows the number of waiting updates and how long they wait. Screen readers do not announce it, because it changes each second. */
export function Backlog() {
  const { updates } = useSelector(selectBacklog);
  if (updates === 0) return null;
  const text = formatBacklog(updates);
  return (
    <p className="backlog" title={text}>
      {text}
    </p>
  );
}
