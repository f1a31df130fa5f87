import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type * as Electron from 'electron';
import { onlyWhatIs } from './electronEmitter.ts';

/** An image, as far as a page needs it. */
export type Picture = Pick<Electron.NativeImage, 'isEmpty' | 'isTemplateImage' | 'setTemplateImage'> & {
  toDataURL(): string;
};

/** The kinds that Electron reads. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** What Electron gives for no image at all. */
const EMPTY = 'data:image/png;base64,';

function picture(dataUrl: string): Picture {
  let isTemplate = false;
  return onlyWhatIs('NativeImage', {
    toDataURL: () => dataUrl,
    isEmpty: () => dataUrl === EMPTY,
    isTemplateImage: () => isTemplate,
    setTemplateImage(option: boolean) {
      isTemplate = option;
    },
  });
}

/** As in Electron, a file that is not there, or no image, is an empty image. */
function createFromPath(path: string): Picture {
  const type = TYPES[extname(path).toLowerCase()];
  if (type === undefined || !existsSync(path)) return picture(EMPTY);
  return picture(`data:${type};base64,${readFileSync(path).toString('base64')}`);
}

export const pictureFrom = (image: Picture | string): Picture =>
  typeof image === 'string' ? createFromPath(image) : image;

/** Electron's `nativeImage`. */
export const nativeImage = onlyWhatIs('nativeImage', {
  createFromPath,
  /** Of a PNG. */
  createFromBuffer: (png: Buffer) => picture(`${EMPTY}${png.toString('base64')}`),
  createFromDataURL: (dataUrl: string) => picture(dataUrl === '' ? EMPTY : dataUrl),
  createEmpty: () => picture(EMPTY),
} satisfies Partial<Record<keyof typeof Electron.nativeImage, unknown>>);
