import { type ReactNode, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { selectAudio } from '#shared/store/selectors.ts';
import { AudioControlsContext } from '#ui/audioControls.ts';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';

/** Provides the audio controls to `children`; sounds can be played while the audio module is on. */
export function AudioProvider({ children }: { readonly children: ReactNode }) {
  const { isOn, playing } = useSelector(selectAudio);
  const progress = useOwn('soundProgress');
  const { play, request } = useWindowActs();
  const controls = useMemo(
    () => (isOn ? { playing, progress, play, stop: () => request('stopPlayback') } : null),
    [isOn, playing, progress, play, request],
  );
  return <AudioControlsContext value={controls}>{children}</AudioControlsContext>;
}
