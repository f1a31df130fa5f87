import { createContext, useContext } from 'react';
import { useSelector } from 'react-redux';
import type { ShownState } from '#shared/store/windowState.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';

/** What a picture of a window needs beside the window's store. */
export interface Picture {
  /** The accessible name of the picture. */
  readonly name: string;
  /** How long the recording has lasted, in milliseconds. */
  readonly recordedMs: number;
}

/** `null` in the window itself. A picture announces nothing and has no clock; its page has a `main` of its own. */
export const PictureContext = createContext<Picture | null>(null);

/** Returns the picture in which the component is; `null` in the window itself. */
export const usePicture = (): Picture | null => useContext(PictureContext);

/** Returns the `aria-live` of an element whose changes the window announces. */
export const useLive = (): 'polite' | 'off' => (usePicture() === null ? 'polite' : 'off');

/** Returns one slice of the window's state; the component re-renders when that slice changes. */
export const useWindowState = <S extends keyof WindowState>(slice: S): WindowState[S] =>
  useSelector(({ own }: ShownState) => own[slice]);
