import { createContext } from 'react';
import type { ItemPlace } from '#shared/conversation/sounds.ts';

/** Opens the image at a place in the viewer; `null` where there is no viewer. */
export const OpenImageContext = createContext<((place: ItemPlace) => void) | null>(null);
