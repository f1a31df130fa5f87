import type * as Electron from 'electron';
import { ElectronEmitter } from './electronEmitter.ts';
import { type Picture, pictureFrom } from './nativeImage.ts';

type TrayApi = Pick<Electron.Tray, 'setToolTip' | 'setContextMenu' | 'destroy' | 'isDestroyed'>;

/** Shows a title and an icon (a data URL) in every page; `null` leaves the page's own. */
export type ShowTray = (title: string | null, icon: string | null) => void;

/** A template is a shape for a menu bar to colour; a page has none, and keeps its own icon. */
function iconOf(image: Picture | string): string | null {
  const picture = pictureFrom(image);
  return picture.isTemplateImage() ? null : picture.toDataURL();
}

/** Electron's `Tray`: the pages' title and icon. A browser has none that could be clicked. */
export class HostTray extends ElectronEmitter<{ click: [] }> implements TrayApi {
  #title: string | null = null;
  #icon: string | null;
  #destroyed = false;

  constructor(
    private readonly show: ShowTray,
    image: Picture | string,
  ) {
    super('Tray');
    this.#icon = iconOf(image);
    this.#tell();
  }

  setImage(image: Picture | string): void {
    this.#icon = iconOf(image);
    this.#tell();
  }

  setToolTip(toolTip: string): void {
    this.#title = toolTip;
    this.#tell();
  }

  /** Nothing to do: there is no place to show a menu at. */
  setContextMenu(): void {}

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.show(null, null);
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #tell(): void {
    if (!this.#destroyed) this.show(this.#title, this.#icon);
  }
}
