import { type ReactNode, useCallback } from 'react';
import type { ItemPlace } from '#shared/conversation/sounds.ts';
import { imageOpened } from '#shared/window/viewer.ts';
import { OpenImageContext } from '#ui/image/openImage.ts';
import { useWindowActs } from '../base/WindowActs.ts';

/** Lets the images in `children` open the viewer. */
export function OpenImageProvider({ children }: { readonly children: ReactNode }) {
  const { dispatch } = useWindowActs();
  const open = useCallback((place: ItemPlace) => dispatch(imageOpened(place)), [dispatch]);
  return <OpenImageContext value={open}>{children}</OpenImageContext>;
}
