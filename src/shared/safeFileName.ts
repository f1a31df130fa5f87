/** Long enough for any real name, short enough for every file system (bytes are at most four a character). */
const LENGTH = 60;

/**
 * What cannot be seen: control characters, zero-width characters, lone halves of a pair, and characters that turn the
 * direction of what follows and so can hide a file's true ending. An emoji may choose its own form.
 */
const INVISIBLE =
  /(?!(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Of a longer name only its beginning and its end are looked at, in UTF-16 units. */
const MOST = 1000;
const FORBIDDEN = /[<>:"/\\|?*]/gu;
/** Windows' devices, however an ending follows: `con`, `con.txt`, `con .txt`; a superscript digit counts as a digit. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/iu;

/**
 * Returns a name under which a file may be saved on any system: no folders, no device names, invisible characters in
 * visible form (`U+202E`), its ending kept. A name of which nothing remains is `file`.
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

/** Windows drops dots and spaces at the end of a name. */
const withoutEnd = (name: string) => name.replace(/[\s.]+$/u, '');

/** The beginning, and the ending if the name has a short one. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LENGTH) return name;
  const ending = Array.from(/\.[^.]{1,12}$/u.exec(name)?.[0] ?? '');
  return [...characters.slice(0, LENGTH - ending.length), ...ending].join('');
}
