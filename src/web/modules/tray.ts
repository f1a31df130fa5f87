import type * as Electron from 'electron';
import { ElectronEmitter } from './electronEmitter.ts';
import { type Picture, pictureFrom } from './nativeImage.ts';

type TrayApi = Pick<Electron.Tray, 'setToolTip' | 'setContextMenu' | 'destroy' | 'isDestroyed'>;

/** Shows a title and an icon (a data URL) in every page; `null` keeps the page's own. */
type ShowTray = (title: string | null, icon: string | null) => void;

/** Returns the icon's data URL; `null` for a template image, because a page has no menu bar that colours it. */
function iconOf(image: Picture | string): string | null {
  const picture = pictureFrom(image);
  return picture.isTemplateImage() ? null : picture.toDataURL();
}

/** Electron's `Tray`: the title and icon of every page. It cannot be clicked. */
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
    this.#update();
  }

  setImage(image: Picture | string): void {
    this.#icon = iconOf(image);
    this.#update();
  }

  setToolTip(toolTip: string): void {
    this.#title = toolTip;
    this.#update();
  }

  /** Does nothing: a page has no place for the menu. */
  setContextMenu(): void {}

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.show(null, null);
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #update(): void {
    if (!this.#destroyed) this.show(this.#title, this.#icon);
  }
}
