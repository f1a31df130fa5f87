import { formatTime } from '../../time/formatTime.ts';
import { formatPlural, formatCount } from '../parts/format.ts';
import { shownInfo } from '../session/state.ts';
import { useInspectorState } from '../session/InspectorContext.ts';

/** Shows the warning about the session, the notice and the counts of the session. */
export function Footer() {
  const notice = useInspectorState((state) => state.notice);
  const warning = useInspectorState((state) => state.warning);
  const info = useInspectorState(shownInfo);
  const rest = useInspectorState(({ phase }) => (phase.kind === 'ready' ? phase.rest : undefined));
  return (
    <footer className="foot">
      <output className={notice?.isError ? 'notice error' : 'notice'}>{notice?.text}</output>
      {warning && (
        <p className={warning.isError ? 'notice error' : 'notice'} role="alert">
          {warning.text}
        </p>
      )}
      {rest && (
        <output className="reading">
          Reading the rest{' '}
          <progress
            aria-label="Reading the rest of the capture"
            {...(rest.total > 0 && { value: rest.read, max: rest.total })}
          />
        </output>
      )}
      {info && (
        <ul className="numbers" aria-label="The session in numbers">
          <li>{formatCount(info.frames.received)} received</li>
          <li>{formatCount(info.frames.sent)} sent</li>
          <li className={info.frames.rejected > 0 ? 'error' : ''}>
            {formatCount(info.frames.rejected)} rejected
          </li>
          <li>{formatPlural(info.updates, 'update')}</li>
          {info.messages !== undefined && <li>{formatPlural(info.messages, 'message')}</li>}
          <li>{formatTime(info.duration)} long</li>
        </ul>
      )}
    </footer>
  );
}
