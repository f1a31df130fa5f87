import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import type { ParleyToolsBridge, SavedSession } from '#shared/ipc/channels.ts';
import { assistantAnswered, dialogOpened, noteShown } from '#shared/actions/windowActions.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';

const COPIED = 'The diagnostics are on the clipboard. They contain no names, addresses or messages.';
const NOT_COPIED = 'The diagnostics could not be copied: the clipboard is not allowed here.';

/** The browser's version, for a main that does not run in a browser. */
const BROWSER = /Chrome\/(?<version>[\d.]+)/.exec(globalThis.navigator?.userAgent ?? '')?.groups?.version;

const ASSISTANT_SAVED = 'Your choice of the assistant is saved. It applies from your next message on.';

interface Deps {
  readonly tools: Pick<ParleyToolsBridge, 'on'>;
  readonly dispatch: (action: WindowStateAction) => void;
}

/** Limits the texts of the endpoint. */
const limitResult = (result: AssistantResult): AssistantResult => {
  if (result.kind === 'failed') return { ...result, message: limitText(result.message) };
  if (result.kind === 'saved') return result;
  return { ...result, model: limitText(result.model), models: result.models.map(limitText) };
};

const savedNote = (session: SavedSession) =>
  noteShown(
    'path' in session ? { text: 'This session is saved in', path: session.path } : { text: session.error },
  );

/** Follows what main sends to this window only: shows its answers, and the dialogs that a person chose in this window or in the application menu. */
export function followTools({ tools, dispatch }: Deps): void {
  const note = (text: string) => dispatch(noteShown({ text }));
  tools.on('saved', (session) => dispatch(savedNote(session)));
  tools.on('diagnosticsCopied', (isCopied) => note(isCopied ? COPIED : NOT_COPIED));
  tools.on('voiceNote', note);
  tools.on('settings', (contents) => dispatch(dialogOpened({ dialog: 'settings', contents })));
  tools.on('assistant', (contents) => dispatch(dialogOpened({ dialog: 'assistant', contents })));
  tools.on('assistantResult', (result) => {
    dispatch(assistantAnswered({ result: limitResult(result) }));
    if (result.kind === 'saved') note(ASSISTANT_SAVED);
  });
  tools.on('deleteData', (contents) => dispatch(dialogOpened({ dialog: 'deleteData', contents })));
  tools.on('export', () => dispatch(dialogOpened({ dialog: 'export' })));
  tools.on('about', (about) =>
    dispatch(
      dialogOpened({ dialog: 'about', contents: { ...about, chromium: about.chromium ?? BROWSER ?? null } }),
    ),
  );
}
