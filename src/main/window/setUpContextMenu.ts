import {
  BrowserWindow,
  Menu,
  type WebContents,
  app,
  clipboard,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
  session,
} from 'electron';
import { downloadEnded } from '#shared/actions/mainActions.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import type { MainStore } from '../store/mainStore.ts';
import { APP_ORIGIN } from './servePages.ts';

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

/** What the entries of the menu do that have no role. */
export interface ContextMenuCommands {
  readonly replaceMisspelling: (word: string) => void;
  readonly copyText: (text: string) => void;
  readonly copyImage: () => void;
  readonly save: (url: string) => void;
}

/** The facts about the clicked place that decide about the menu. */
export type ClickedPlace = Pick<
  ContextMenuParams,
  | 'isEditable'
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'selectionText'
  | 'linkURL'
  | 'mediaType'
  | 'hasImageContents'
  | 'srcURL'
  | 'editFlags'
>;

type Group = readonly MenuItemConstructorOptions[];

const MAILTO = 'mailto:';
/** Addresses that mean something outside of Parley; those of files and images do not. */
const COPIED_LINK = /^(?:https?:|mailto:)/iu;

/** Returns the entries of the menu of a place in a page, with separators between its groups. */
export function contextMenuTemplate(
  place: ClickedPlace,
  commands: ContextMenuCommands,
): MenuItemConstructorOptions[] {
  const groups = [
    ...(place.isEditable
      ? [suggestions(place, commands), undo(place)]
      : [link(place, commands), image(place, commands)]),
    edit(place),
  ];
  const entries: MenuItemConstructorOptions[] = [];
  for (const group of groups.filter(({ length }) => length > 0)) {
    if (entries.length > 0) entries.push({ type: 'separator' });
    entries.push(...group);
  }
  return entries;
}

const suggestions = (
  { misspelledWord, dictionarySuggestions }: ClickedPlace,
  { replaceMisspelling }: ContextMenuCommands,
): Group => {
  if (misspelledWord === '') return [];
  if (dictionarySuggestions.length === 0) return [{ label: 'No suggestions', enabled: false }];
  return dictionarySuggestions.map((word) => ({ label: word, click: () => replaceMisspelling(word) }));
};

const undo = ({ editFlags }: ClickedPlace): Group => [
  { role: 'undo', enabled: editFlags.canUndo },
  { role: 'redo', enabled: editFlags.canRedo },
];

function link({ linkURL }: ClickedPlace, { copyText }: ContextMenuCommands): Group {
  if (!COPIED_LINK.test(linkURL)) return [];
  const isMail = linkURL.toLowerCase().startsWith(MAILTO);
  return isMail
    ? [{ label: 'Copy email address', click: () => copyText(linkURL.slice(MAILTO.length)) }]
    : [{ label: 'Copy link address', click: () => copyText(linkURL) }];
}

const image = (
  { mediaType, hasImageContents, srcURL }: ClickedPlace,
  { copyImage, save }: ContextMenuCommands,
): Group =>
  mediaType === 'image' && hasImageContents
    ? [
        { label: 'Copy image', click: copyImage },
        { label: 'Save image…', click: () => save(srcURL) },
      ]
    : [];

function edit({ isEditable, selectionText, editFlags }: ClickedPlace): Group {
  const selectAll = { role: 'selectAll', enabled: editFlags.canSelectAll } as const;
  if (!isEditable) return selectionText === '' ? [selectAll] : [{ role: 'copy' }, selectAll];
  return [
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    selectAll,
  ];
}

/** The addresses that main itself downloads for the person: such a download has no page that began it. */
const requested = new Set<string>();

/** Saves what a page shows at an address. */
export function saveFor(contents: WebContents, url: string): void {
  requested.add(url);
  contents.downloadURL(url);
}

interface Options {
  /** Shows a sentence in every window. */
  readonly notify: (text: string) => void;
  readonly store: Pick<MainStore, 'dispatch'>;
}

/**
 * Allows downloads of our own pages only, and those of `saveFor`. The person selects the place in the system's dialog, which suggests a name that is
 * safe on every system. Saved files are never opened. A browser says itself when a file cannot be saved; Electron does not.
 */
export function setUpDownloads({ notify, store }: Options): void {
  session.defaultSession.on('will-download', (event, item) => {
    const isRequested = requested.delete(item.getURL());
    if (!isRequested && item.getInitiatorOrigin() !== APP_ORIGIN) return event.preventDefault();
    const name = safeFileName(item.getFilename());
    item.once('done', (_, outcome) => {
      store.dispatch(downloadEnded({ outcome }));
      if (outcome === 'interrupted')
        notify(`${name} could not be saved. Check the folder and the space on its disk, then save it again.`);
    });
    return item.setSaveDialogOptions({ defaultPath: name });
  });
}
