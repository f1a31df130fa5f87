import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import type { Cell } from '../base/cell.ts';
import { useCell } from '../base/useCell.ts';
import { About } from './About.tsx';
import { DeleteData } from './DeleteData.tsx';
import { Settings } from './Settings.tsx';
import type { OpenDialog } from './followDialogs.ts';

interface Props {
  readonly shown: Cell<OpenDialog | undefined>;
  readonly tools: ParleyToolsBridge;
}

/** Shows the open dialog, if any. */
export function Dialogs({ shown: shownCell, tools }: Props) {
  const shown = useCell(shownCell);
  const close = () => shownCell.set(undefined);
  if (shown?.dialog === 'settings') return <Settings {...shown.settings} tools={tools} onClose={close} />;
  if (shown?.dialog === 'deleteData') return <DeleteData {...shown.deletion} tools={tools} onClose={close} />;
  if (shown?.dialog === 'about') return <About about={shown.about} onClose={close} />;
  return null;
}
