import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type * as Electron from 'electron';
import { throwOnMissing } from './electronEmitter.ts';

/** The part of an image that a page needs. */
export type Picture = Pick<Electron.NativeImage, 'isEmpty' | 'isTemplateImage' | 'setTemplateImage'> & {
  toDataURL(): string;
};

/** The file types that Electron reads. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Electron's data URL of an empty image. */
const EMPTY = 'data:image/png;base64,';

function picture(dataUrl: string): Picture {
  let isTemplate = false;
  return throwOnMissing('NativeImage', {
    toDataURL: () => dataUrl,
    isEmpty: () => dataUrl === EMPTY,
    isTemplateImage: () => isTemplate,
    setTemplateImage(option: boolean) {
      isTemplate = option;
    },
  });
}

/** Reads an image file. As in Electron, a missing file or one of another type is an empty image. */
function createFromPath(path: string): Picture {
  const type = TYPES[extname(path).toLowerCase()];
  if (type === undefined || !existsSync(path)) return picture(EMPTY);
  return picture(`data:${type};base64,${readFileSync(path).toString('base64')}`);
}

/** Returns an image, read from a file when its path is given. */
export const pictureFrom = (image: Picture | string): Picture =>
  typeof image === 'string' ? createFromPath(image) : image;

/** Electron's `nativeImage`. */
export const nativeImage = throwOnMissing('nativeImage', {
  createFromPath,
  /** Creates an image from a PNG. */
  createFromBuffer: (png: Buffer) => picture(`${EMPTY}${png.toString('base64')}`),
  createFromDataURL: (dataUrl: string) => picture(dataUrl === '' ? EMPTY : dataUrl),
  createEmpty: () => picture(EMPTY),
} satisfies Partial<Record<keyof typeof Electron.nativeImage, unknown>>);
