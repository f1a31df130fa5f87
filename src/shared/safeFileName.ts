/** Long enough for any real name, short enough for every file system (bytes are at most four a character). */
const LENGTH = 60;

// Control characters, and those that turn the direction of what follows and so can hide a file's true ending.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;
const FORBIDDEN = /[<>:"/\\|?*]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/**
 * A name under which a file may be saved on any system: no folders, no invisible characters, no device names, its
 * ending kept. A name of which nothing remains is `file`.
 */
export function safeFileName(name: string): string {
  const visible = name
    .replaceAll(INVISIBLE, '')
    .replaceAll(FORBIDDEN, '_')
    .replace(/^[\s.]+/u, '')
    .replace(/[\s.]+$/u, '');
  const fitting = shortened(visible);
  if (fitting === '') return 'file';
  return RESERVED.test(fitting) ? `_${fitting}` : fitting;
}

/** The beginning, and the ending if the name has a short one. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LENGTH) return name;
  const ending = Array.from(/\.[^.]{1,12}$/u.exec(name)?.[0] ?? '');
  return [...characters.slice(0, LENGTH - ending.length), ...ending].join('');
}
