import { REPLAY } from '../../../base/command.ts';
import { useCallback, useState, useEffect } from 'react';
import { formatBytes } from '#shared/formatText.ts';
import { formatTime } from '../../time/formatTime.ts';
import { TextButton } from '../parts/controls.tsx';
import { KeysDialog } from '../parts/ModalDialog.tsx';
import { formatPlural, formatCount } from '../parts/format.ts';
import { useInspectorState, useInspector } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { MakeTestDialog } from '../whatif/MakeTestDialog.tsx';
import { Header, chooseCapture } from './Header.tsx';
import { Workspace } from './Workspace.tsx';
import { SHOWN_KEYS, useShortcuts } from './shortcuts.ts';

/** Shows the page. `canMakeTest`: the host can write tests; without it the person can only save a capture. */
export function InspectorApp({ canMakeTest }: { readonly canMakeTest: boolean }) {
  const phase = useInspectorState((state) => state.phase.kind);
  const [dialog, setDialog] = useState<'keys' | 'test'>();
  const showKeys = useCallback(() => setDialog('keys'), []);
  const close = () => setDialog(undefined);
  const isOver = useCaptureDrop();
  useShortcuts(showKeys);
  return (
    <div className="inspector" data-phase={phase}>
      <Header onKeys={showKeys} onMakeTest={canMakeTest ? () => setDialog('test') : undefined} />
      <main>{phase === 'ready' ? <Workspace /> : <Welcome />}</main>
      <Footer />
      {dialog === 'keys' && <KeysDialog keys={SHOWN_KEYS} onClose={close} />}
      {dialog === 'test' && <MakeTestDialog onClose={close} />}
      {isOver && (
        <div className="drop-here" aria-hidden="true">
          Drop the capture to open it
        </div>
      )}
    </div>
  );
}

/** Shows the warning about the session, the notice and the counts of the session. */
function Footer() {
  const state = useInspectorState((all) => all);
  const { notice, warning, phase } = state;
  const info = shownInfo(state);
  return (
    <footer className="foot">
      <output className={notice?.isError ? 'notice error' : 'notice'}>{notice?.text}</output>
      {warning && (
        <p className={warning.isError ? 'notice error' : 'notice'} role="alert">
          {warning.text}
        </p>
      )}
      {phase.kind === 'ready' && phase.rest && (
        <output className="reading">
          Reading the rest <ReadBar name="Reading the rest of the capture" {...phase.rest} />
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

/** Opens a capture that is dropped on the page; returns whether one is being dragged over it. */
function useCaptureDrop(): boolean {
  const { open } = useInspector();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const drag = (event: DragEvent) => {
      const { type, dataTransfer, relatedTarget } = event;
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      // A move from one element to another does not leave the page.
      setOver(type !== 'drop' && !(type === 'dragleave' && relatedTarget === null));
      const [file] = dataTransfer.files;
      if (type === 'drop' && file) void open({ kind: 'file', file, name: file.name });
    };
    for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'] as const)
      document.addEventListener(type, drag, { signal: ended.signal });
    return () => ended.abort();
  }, [open]);
  return isOver;
}

/** Shows the welcome screen in place of the panes when no session is loaded. */
function Welcome() {
  const phase = useInspectorState((state) => state.phase);
  const choose = <TextButton className="secondary" name="Choose a capture" onClick={chooseCapture} />;
  switch (phase.kind) {
    case 'empty':
      return (
        <div className="welcome drop-zone">
          <h2>Drop a capture here, or choose one</h2>
          <p>
            A capture is a <code>.parley.jsonl</code> file, gzipped or not: one that the app recorded or
            saved, or that <code>{REPLAY} record</code> wrote. It stays on this machine.
          </p>
          {choose}
        </div>
      );
    case 'ready':
      return null;
    case 'loading':
      return (
        <output className="welcome">
          <h2>Reading {phase.name}</h2>
          <ReadBar {...phase} name={`Reading ${phase.name}`} />
          <p className="faint">
            {formatBytes(phase.read)}
            {phase.total > 0 && ` of ${formatBytes(phase.total)}`}
          </p>
        </output>
      );
    case 'failed':
      return (
        <div className="welcome" role="alert">
          <h2>{phase.name} could not be opened</h2>
          <p className="error">{phase.text}</p>
          <p>Drop another capture here, or choose one.</p>
          {choose}
        </div>
      );
    default:
      return phase satisfies never;
  }
}

/** Shows how much of a capture has been read. */
const ReadBar = ({ name, read, total }: { readonly name: string; read: number; total: number }) => (
  <progress aria-label={name} {...(total > 0 && { value: read, max: total })} />
);
