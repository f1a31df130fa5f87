import {
  type BlobSource,
  blobHead,
  blobPath,
  type ItemPlace,
  soundAt,
} from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { audioType } from '#shared/image/mediaType.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { audioWritten, playbackFailed } from '#shared/actions/userActions.ts';
import { noteShown, soundProgressChanged } from '#shared/actions/windowActions.ts';
import type { SoundProgress } from '#shared/actions/windowSchemas.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { loadSound } from './loadSound.ts';
import { CLICK_TO_HEAR, UNPLAYABLE } from './audioTexts.ts';

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
export function followSound({ tools, conversation, dispatch }: Deps): void {
  let stopCurrent: (() => void) | undefined;

  const start = (number: number, place: ItemPlace) => {
    const stop = playSound({
      number,
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
  readonly number: number;
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
