import type { ShownState } from '#shared/window/ownReducer.ts';
import { isSameJson, ownField } from '../../../diff/valueDiff.ts';
import type { WindowView } from '../../protocol/protocol.ts';
import type { Shown } from './shownConversation.ts';

type Playing = ShownState['audio']['playing'];

/** Returns the state of the window's store at a step. Unchanged slices keep their references, so that their parts do not re-render. */
export function pictureState({ state }: WindowView, shown: Shown, before?: ShownState): ShownState {
  const { own, ...slices } = {
    ...state,
    audio: { ...state.audio, playing: playingIn(shown, state.audio.playing) },
  };
  const { arrivals, conversation } = shown;
  if (before === undefined) return { ...slices, own, arrivals, conversation };
  return { ...keepSlices(slices, before), own: keepSlices(own, before.own), arrivals, conversation };
}

/** Returns the place of the playing sound among the shown messages, which are the newest. */
const playingIn = ({ start }: Shown, playing: Playing): Playing =>
  playing && { ...playing, message: playing.message - start };

/** Replaces slices that are the same as before with those. */
const keepSlices = <T extends object>(now: T, before: object): T => ({
  ...now,
  ...Object.fromEntries(
    Object.entries(now)
      .map(([name, slice]) => [name, slice, ownField(before, name)] as const)
      .filter(([, slice, old]) => isSameJson(slice, old))
      .map(([name, , old]) => [name, old]),
  ),
});
