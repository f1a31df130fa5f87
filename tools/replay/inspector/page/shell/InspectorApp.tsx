import { useCallback, useState, useEffect } from 'react';
import { formatBytes } from '#ui/base/formatBytes.ts';
import { formatTime } from '../../time/formatTime.ts';
import { KeysDialog } from '../parts/ModalDialog.tsx';
import { formatPlural, formatCount } from '../parts/format.ts';
import { useInspectorState, useInspector } from '../session/InspectorContext.ts';
import { shownInfo, type Phase } from '../session/inspectorState.ts';
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

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Opens a capture that is dropped on the page; returns whether one is being dragged over it. */
function useCaptureDrop(): boolean {
  const { open } = useInspector();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // A move from one element to another does not leave the page.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void open({ kind: 'file', file, name: file.name });
    };
    const handlers = [
      ['dragenter', over],
      ['dragover', over],
      ['dragleave', leave],
      ['drop', drop],
    ] as const;
    for (const [kind, handler] of handlers) document.addEventListener(kind, handler);
    return () => {
      for (const [kind, handler] of handlers) document.removeEventListener(kind, handler);
    };
  }, [open]);
  return isOver;
}

/** Shows the welcome screen in place of the panes when no session is loaded. */
function Welcome() {
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
