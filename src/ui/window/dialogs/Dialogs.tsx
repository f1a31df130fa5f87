import type { About as Program } from '#shared/ipc/channels.ts';
import { useWindowState } from '../base/Picture.ts';
import { Mark } from '../base/Mark.tsx';
import { Assistant } from './Assistant.tsx';
import { DeleteData } from './DeleteData.tsx';
import { Export } from './Export.tsx';
import { Settings } from './Settings.tsx';
import { Dialog } from './Dialog.tsx';

/** Shows the open dialog, if any. */
export function Dialogs() {
  const shown = useWindowState('dialog');
  if (shown?.dialog === 'settings') return <Settings {...shown.contents} />;
  if (shown?.dialog === 'assistant') return <Assistant {...shown} />;
  if (shown?.dialog === 'deleteData') return <DeleteData {...shown} />;
  if (shown?.dialog === 'about') return <About about={shown.contents} />;
  if (shown?.dialog === 'export') return <Export />;
  return null;
}

/** Shows the program's version and what it runs in. */
function About({ about }: { readonly about: Program }) {
  const facts = [
    ['Version', about.parley],
    ['Runs in', about.host],
    ['Chromium', about.chromium ?? 'another browser'],
    ['Node', about.node],
    ['Licence', about.licence],
  ];
  return (
    <Dialog title="About Parley">
      <div className="about">
        <Mark />
        <p>A messenger for you and an assistant. What you saw can be seen again.</p>
      </div>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
