import { local } from '../store/local.ts';
import { betweenCharacters } from '../clip.ts';
import { OWN_TEXT_LENGTH } from '../limits.ts';

/**
 * Makes the payloads of actions of windows: each text is limited. A replay reduces recorded actions and makes none, so these functions are apart
 * from the reducers.
 */

/** Returns a text as a window's own state contains it: at most `OWN_TEXT_LENGTH` long. */
export const limitText = (text: string): string =>
  text.length <= OWN_TEXT_LENGTH ? text : text.slice(0, betweenCharacters(text, OWN_TEXT_LENGTH));

interface Text {
  readonly text: string;
}

/** Makes the payload with a text. */
export const textPayload = ({ text }: Text) => ({ payload: { text: limitText(text) } });

/** Makes the payload of a note. */
export const notePayload = ({ text, path }: Text & { readonly path?: string }) => ({
  payload: { text: limitText(text), ...(path !== undefined && { path: limitText(path) }) },
});

/** Makes the payload of the edited fields of the sign-in form. */
export const fieldsPayload = ({ email, name }: { readonly email: string; readonly name: string }) => ({
  payload: { email: limitText(email), name: limitText(name) },
});

/** Makes the payload with the error of the sign-in form; `null` when there is none. */
export const errorPayload = ({ error }: { readonly error: string | null }) => ({
  payload: { error: error === null ? null : limitText(error) },
});

/** Makes the payload of a fact about the window with this number. It stays in main. */
export const numberPayload = (number: number) => local({ number });

interface Progress {
  readonly at: number;
  readonly of: number;
}

/** Makes the payload with the progress of a playback; `null` while its numbers are not known. */
export const progressPayload = (progress: Progress | null): { readonly payload: Progress | null } => ({
  payload: progress !== null && [progress.at, progress.of].every(Number.isFinite) ? progress : null,
});
