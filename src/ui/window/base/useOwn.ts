import { useSelector } from 'react-redux';
import type { OwnState, ShownState } from '#shared/window/ownReducer.ts';

/** Returns one slice of the window's own state; the component re-renders when that slice changes. */
export const useOwn = <S extends keyof OwnState>(slice: S): OwnState[S] =>
  useSelector(({ own }: ShownState) => own[slice]);
