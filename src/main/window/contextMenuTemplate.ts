import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';

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
