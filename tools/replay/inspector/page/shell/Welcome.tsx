import { formatBytes } from '#ui/base/formatBytes.ts';
import type { Phase } from '../session/inspectorState.ts';
import { useInspectorState } from '../session/InspectorContext.ts';
import { chooseCapture } from './Header.tsx';

/** Shows the welcome screen in place of the panes when no session is loaded. */
export function Welcome() {
  const phase = useInspectorState((state) => state.phase);
  switch (phase.kind) {
    case 'empty':
      return (
        <div className="welcome drop-zone">
          <h2>Drop a capture here, or choose one</h2>
          <p>
            A capture is a <code>.parley.jsonl</code> file, gzipped or not: one that the app recorded or
            saved, or that <code>npm run replay -- record</code> wrote. It stays on this machine.
          </p>
          <ChooseButton />
        </div>
      );
    case 'ready':
      return null;
    case 'loading':
      return <Loading phase={phase} />;
    case 'failed':
      return (
        <div className="welcome" role="alert">
          <h2>{phase.name} could not be opened</h2>
          <p className="error">{phase.text}</p>
          <p>Drop another capture here, or choose one.</p>
          <ChooseButton />
        </div>
      );
    default:
      return phase satisfies never;
  }
}

/** Shows a second button to open a capture, in the middle of the page. */
const ChooseButton = () => (
  <button type="button" className="secondary" onClick={chooseCapture}>
    Choose a capture
  </button>
);

function Loading({ phase: { name, read, total } }: { readonly phase: Extract<Phase, { kind: 'loading' }> }) {
  return (
    <output className="welcome">
      <h2>Reading {name}</h2>
      <progress aria-label={`Reading ${name}`} {...(total > 0 && { value: read, max: total })} />
      <p className="faint">
        {formatBytes(read)}
        {total > 0 && ` of ${formatBytes(total)}`}
      </p>
    </output>
  );
}
