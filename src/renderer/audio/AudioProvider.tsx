import { type ReactNode, useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { selectAudio } from '#shared/store/selectors.ts';
import type { Progress } from '#ui/AudioItem.tsx';
import { AudioControlsContext } from '#ui/audioControls.ts';
import type { Cell } from '../base/cell.ts';
import { useCell } from '../base/useCell.ts';

interface Props {
  readonly tools: Pick<ParleyToolsBridge, 'send'>;
  readonly progress: Cell<Progress | null>;
  readonly children: ReactNode;
}

/** Provides the audio controls to `children`; sounds can be played while the audio module is on. */
export function AudioProvider({ tools, progress: progressCell, children }: Props) {
  const { isOn, playing } = useSelector(selectAudio);
  const progress = useCell(progressCell);
  const controls = useMemo(
    () =>
      isOn
        ? {
            playing,
            progress,
            play: (place: { readonly message: number; readonly item: number }) => tools.send('play', place),
            stop: () => tools.send('stopPlayback'),
          }
        : null,
    [isOn, playing, progress, tools],
  );
  return <AudioControlsContext value={controls}>{children}</AudioControlsContext>;
}
