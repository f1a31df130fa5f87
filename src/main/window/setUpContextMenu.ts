import { BrowserWindow, Menu, type WebContents, app, clipboard } from 'electron';
import { contextMenuTemplate } from './contextMenuTemplate.ts';
import { saveFor } from './setUpDownloads.ts';

/** Shows a menu at a right click, a long touch and the menu key, in every page: Electron has none of its own. */
export function setUpContextMenu(): void {
  app.on('web-contents-created', (_, contents) => followContextMenu(contents));
}

function followContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_, place) => {
    const { x, y, menuSourceType } = place;
    const template = contextMenuTemplate(place, {
      replaceMisspelling: (word) => contents.replaceMisspelling(word),
      copyText: (text) => void clipboard.writeText(text),
      copyImage: () => contents.copyImageAt(x, y),
      save: (url) => saveFor(contents, url),
    });
    const window = BrowserWindow.fromWebContents(contents);
    Menu.buildFromTemplate(template).popup({ ...(window && { window }), x, y, sourceType: menuSourceType });
  });
}
