/** Maximum length in characters. File systems allow 255 bytes; a character has at most 4. */
const LENGTH = 60;

/**
 * Invisible characters: control characters, zero-width characters, lone surrogates, and characters that change the text direction and
 * so can hide a file's real extension. Variation selectors are permitted after an emoji.
 */
const INVISIBLE =
  /(?!(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Only the beginning and the end of a longer name are used. In UTF-16 units. */
const MOST = 1000;
const FORBIDDEN = /[<>:"/\\|?*]/gu;
/** Windows device names, also with an extension: `con`, `con.txt`, `con .txt`. A superscript digit counts as a digit. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/iu;

/**
 * Returns a name under which a file can be saved on any system: without folders and device names, with invisible characters in
 * visible form (`U+202E`), and with its extension. Returns `file` when nothing remains.
 */
export function safeFileName(name: string): string {
  const bounded = name.length <= MOST ? name : name.slice(0, MOST / 2) + name.slice(-MOST / 2);
  const visible = bounded
    .replaceAll(INVISIBLE, codePoint)
    .replaceAll(FORBIDDEN, '_')
    .replace(/^[\s.]+/u, '');
  const fitting = withoutEnd(shortened(withoutEnd(visible)));
  if (fitting === '') return 'file';
  return DEVICE.test(fitting) ? `_${fitting}` : fitting;
}

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Removes trailing dots and spaces, which Windows drops. */
const withoutEnd = (name: string) => name.replace(/[\s.]+$/u, '');

/** Shortens a name; keeps a short extension. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LENGTH) return name;
  const ending = Array.from(/\.[^.]{1,12}$/u.exec(name)?.[0] ?? '');
  return [...characters.slice(0, LENGTH - ending.length), ...ending].join('');
}
