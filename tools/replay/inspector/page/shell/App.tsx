import { useCallback, useState } from 'react';
import { MakeTestDialog } from '../whatif/MakeTestDialog.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { useInspectorState } from '../session/InspectorContext.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { SHOWN_KEYS } from './keys.ts';
import { Welcome } from './Welcome.tsx';
import { Workspace } from './Workspace.tsx';
import { useCaptureDrop } from './useCaptureDrop.ts';
import { useShortcuts } from './useShortcuts.ts';

/** Shows the page. `canMakeTest`: the host can write tests; without it the person can only save a capture. */
export function App({ canMakeTest }: { readonly canMakeTest: boolean }) {
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
