import { useSelector } from 'react-redux';
import { backlogWords } from '#shared/backlogWords.ts';
import { selectBacklog } from '#shared/store/selectors.ts';

/** How many updates wait and for how long, beside the connection. It changes each second, so it is not read out. */
export function Backlog() {
  const { updates } = useSelector(selectBacklog);
  if (updates === 0) return null;
  const words = backlogWords(updates);
  return (
    <p className="backlog" title={words}>
      {words}
    </p>
  );
}
