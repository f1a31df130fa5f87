import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { audioWritten, playbackFailed } from '#shared/actions/userActions.ts';
import { alertShown, noteShown, soundProgressChanged } from '#shared/actions/windowActions.ts';
import type { SoundProgress } from '#shared/actions/windowSchemas.ts';
import {
  type BlobSource,
  blobHead,
  blobPath,
  type ItemPlace,
  soundAt,
} from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { audioType } from '#shared/image/mediaType.ts';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import type { Works } from '#ui/window/base/WindowCommands.ts';
import type { TextMemory } from '../store/createTextMemory.ts';
import type { WindowStore } from '../store/createWindowStore.ts';
import type { Bridge } from '../store/windowStateStore.ts';
import { recordOnRequest, createReloadToRecord } from './recordVoice.ts';

interface VoiceDeps {
  readonly store: WindowStore;
  readonly texts: Pick<TextMemory, 'pasted'>;
  readonly works: Pick<Works, 'current'>;
  /** The page's session storage. */
  readonly storage: Storage | null;
}

const reload = () => window.location.reload();

/** Lets main use this window's microphone and loudspeaker. */
export function setUpVoice({ parley, tools }: Bridge, { store, texts, works, storage }: VoiceDeps): void {
  const { getState, dispatch } = store;
  const alert = (text: string) => void dispatch(alertShown({ text }));
  const losesSomething = () => {
    const { alerts, dialog, find, textBox } = getState().own;
    const isOpen = alerts.waiting.length > 0 || dialog !== null || find !== null;
    // The draft is stored, but not the rest of a pasted text for which the text box had no room.
    const hasRest = textBox !== null && texts.pasted.complete(textBox) !== textBox;
    return isOpen || hasRest || works.current().length > 0;
  };
  const reloadToRecord = createReloadToRecord({ tools, storage, losesSomething, reload });
  recordOnRequest({ parley, tools, alert, reloadToRecord });
  playOnRequest({ tools, dispatch, conversation: () => getState().conversation });
}

const CLICK_TO_HEAR = 'A voice message has arrived. Press its Play button to hear it.';
const UNPLAYABLE = 'This sound cannot be played.';

interface Deps {
  readonly tools: Pick<ParleyToolsBridge, 'on' | 'send'>;
  readonly conversation: () => Conversation;
  readonly dispatch: (action: WindowStateAction) => void;
}

/** Interval between the reports of audio writes to main while a sound plays, in milliseconds (spec §3.3). */
const WRITE_MS = 100;

/**
 * Plays sounds in this window when main requests it, and keeps the progress in the window's state.
 *
 *     silent ── a place ──▶ loading ── loaded ──▶ playing ── end of the sound ──▶ silent
 *        ▲                     │                     │
 *        └─────────────────────┴─────────────────────┘
 *           an error, playback not allowed, another sound, or none
 */
function playOnRequest({ tools, conversation, dispatch }: Deps): void {
  let stopCurrent: (() => void) | undefined;

  const start = (number: number, place: ItemPlace) => {
    const stop = playSound({
      file: fileAt(conversation(), place),
      written: (how) => {
        dispatch(soundProgressChanged(how));
        tools.send('action', audioWritten({ number }));
      },
      failed: (text) => {
        tools.send('action', playbackFailed({ number }));
        dispatch(noteShown({ text }));
      },
    });
    return () => {
      stop();
      dispatch(soundProgressChanged(null));
    };
  };
  tools.on('sound', (number, place) => {
    stopCurrent?.();
    stopCurrent = place === null ? undefined : start(number, place);
  });
}

/** Returns the sound at a place, or `null` when there is none of a known type. Fetches it when it stayed in main. */
async function fileAt(conversation: Conversation, place: ItemPlace): Promise<Blob | null> {
  const source = soundAt(conversation, place)?.blob ?? '';
  const type = audioType(blobHead(source));
  const bytes = type === null ? null : await bytesAt(source, place);
  return bytes && type !== null ? new Blob([bytes], { type }) : null;
}

/**
 * Returns the bytes of a sound, or `null` when it is not base64.
 * @throws {Error} when the sound is no longer in the conversation, or main cannot be reached.
 */
async function bytesAt(source: BlobSource, place: ItemPlace): Promise<BlobPart | null> {
  if (typeof source === 'string') return decodeBase64(source);
  const path = blobPath(source, place);
  if (path === null) return null;
  const response = await fetch(path);
  if (!response.ok) throw new Error('The sound could not be fetched.');
  return response.arrayBuffer();
}

interface PlaybackOptions {
  readonly file: Promise<Blob | null>;
  readonly written: (how: SoundProgress) => void;
  readonly failed: (text: string) => void;
}

/** Loads and plays one sound; returns a function that stops it. */
function playSound({ file, written, failed }: PlaybackOptions): () => void {
  const audio = new Audio();
  let address = '';
  let isOver = false;
  let timer = 0;
  const write = () => written({ at: audio.currentTime, of: audio.duration });
  const end = () => {
    isOver = true;
    window.clearInterval(timer);
    audio.pause();
    audio.removeAttribute('src');
    URL.revokeObjectURL(address);
  };
  const play = async () => {
    const sound = await file;
    if (sound === null) throw new Error('The type of the sound is not supported.');
    if (isOver) return;
    address = URL.createObjectURL(sound);
    await loadSound(audio, address);
    if (isOver) return;
    audio.addEventListener('ended', () => {
      write();
      end();
    });
    await audio.play();
    if (isOver) return;
    write();
    timer = window.setInterval(write, WRITE_MS);
  };
  play().catch((error: unknown) => {
    if (isOver) return;
    end();
    const isForbidden = error instanceof DOMException && error.name === 'NotAllowedError';
    failed(isForbidden ? CLICK_TO_HEAR : UNPLAYABLE);
  });
  return end;
}

/** A time after the end of any sound, in seconds. Seeking there makes the browser determine the sound's length. */
const FAR = 1e9;

/**
 * Loads a sound into an element, so that its length is known and it plays from the beginning. The output of a recorder does not contain
 * its length, so the browser must seek to its end once.
 * @throws {Error} when the browser cannot play the sound.
 */
async function loadSound(audio: HTMLAudioElement, address: string): Promise<void> {
  await waitForEvent(audio, 'loadedmetadata', () => {
    audio.src = address;
  });
  if (Number.isFinite(audio.duration)) return;
  await waitForEvent(audio, 'seeked', () => {
    audio.currentTime = FAR;
  });
  await waitForEvent(audio, 'seeked', () => {
    audio.currentTime = 0;
  });
}

const waitForEvent = (audio: HTMLAudioElement, event: 'loadedmetadata' | 'seeked', cause: () => void) =>
  new Promise<void>((resolve, reject) => {
    const onEvent = () => {
      audio.removeEventListener(event, onEvent);
      audio.removeEventListener('error', onError);
      resolve();
    };
    const onError = () => {
      audio.removeEventListener(event, onEvent);
      audio.removeEventListener('error', onError);
      reject(new Error(audio.error?.message ?? 'the sound cannot be played'));
    };
    audio.addEventListener(event, onEvent);
    audio.addEventListener('error', onError);
    cause();
  });
