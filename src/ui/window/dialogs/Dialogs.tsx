import { useOwn } from '../base/useOwn.ts';
import { About } from './About.tsx';
import { Assistant } from './Assistant.tsx';
import { DeleteData } from './DeleteData.tsx';
import { Export } from './Export.tsx';
import { Settings } from './Settings.tsx';

/** Shows the open dialog, if any. */
export function Dialogs() {
  const shown = useOwn('dialog');
  if (shown?.dialog === 'settings') return <Settings {...shown.contents} />;
  if (shown?.dialog === 'assistant') return <Assistant {...shown} />;
  if (shown?.dialog === 'deleteData') return <DeleteData {...shown} />;
  if (shown?.dialog === 'about') return <About about={shown.contents} />;
  if (shown?.dialog === 'export') return <Export />;
  return null;
}
