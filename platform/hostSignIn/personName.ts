import { betweenCharacters } from '#shared/clip.ts';
import { NAME_LENGTH } from '#shared/limits.ts';

/** A full name is cut to this length. */
const FULL_NAME_LENGTH = 64;

/**
 * Returns the name of the person behind a user of this machine: the full name, else one made of the user name that fits the
 * form's rule (spec §2.1: 5 to 30 letters and spaces).
 * @param gecos the full name in the user database, with what may follow it after a comma; empty when it is not known.
 */
export function personName(username: string, gecos: string): string {
  const fullName = cut(collapseSpaces(fullNameOf(gecos, username)), FULL_NAME_LENGTH);
  return fullName === '' ? nameFromUsername(username) : fullName;
}

/** Returns the first field. `&` stands for the user name with a capital letter, as in finger(1). */
const fullNameOf = (gecos: string, username: string) =>
  (gecos.split(',')[0] ?? '').replaceAll(/\p{C}/gu, ' ').replaceAll('&', capitalize(username));

function nameFromUsername(username: string): string {
  const words = collapseSpaces(username.replaceAll(/[^\p{L}\p{M}]+/gu, ' '));
  const name = words.split(' ').map(capitalize).join(' ');
  return cut(name.length >= NAME_LENGTH.min ? name : `User ${name}`.trimEnd(), NAME_LENGTH.max);
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Cuts a text to a length in UTF-16 units, between two characters. */
const cut = (text: string, length: number) =>
  text.slice(0, text.length <= length ? length : betweenCharacters(text, length)).trimEnd();
