import { type BlobSource, blobHead, blobPath } from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { type ItemPlace, soundAt } from '#shared/conversation/sounds.ts';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { audioType } from '#shared/mediaType.ts';
import type { Progress } from '#ui/AudioItem.tsx';
import { bytesOf } from '#ui/base/base64.ts';
import { type Cell, cell } from '../base/cell.ts';
import { loadSound } from './loadSound.ts';
import { CLICK_TO_HEAR, UNPLAYABLE } from './words.ts';

interface Deps {
  readonly tools: Pick<ParleyToolsBridge, 'on' | 'send'>;
  readonly conversation: () => Conversation;
  /** Something that the person may want to know, and that nothing waits for. */
  readonly note: (words: string) => void;
}

/** While sound comes out, main is told this often, in milliseconds: each time is an "audio write" (spec §3.3). */
const WRITE_MS = 100;

/**
 * The window's half of playback: main says what sounds, this window has the loudspeaker. Gives how far the sound is, or
 * `null` while this window is silent.
 *
 *     silent ── a place ──▶ loading ── loaded ──▶ sounding ── its end ──▶ silent
 *        ▲                     │                     │
 *        └─ undecodable, not allowed, another, or none (from either)
 */
export function followSound({ tools, conversation, note }: Deps): Cell<Progress | null> {
  const progress = cell<Progress | null>(null);
  let silence: (() => void) | undefined;

  const start = (number: number, place: ItemPlace) => {
    const sound = sounding({
      number,
      file: fileAt(conversation(), place),
      written: (how) => {
        progress.set(how);
        tools.send('audioWritten', number);
      },
      failed: (words) => {
        tools.send('playbackFailed', number);
        note(words);
      },
    });
    return () => {
      sound();
      progress.set(null);
    };
  };
  tools.on('sound', (number, place) => {
    silence?.();
    silence = place === null ? undefined : start(number, place);
  });
  return progress;
}

/** The sound at a place; `null` when there is none that is known. It is fetched when main has kept it. */
async function fileAt(conversation: Conversation, place: ItemPlace): Promise<Blob | null> {
  const source = soundAt(conversation, place)?.blob ?? '';
  const type = audioType(blobHead(source));
  const bytes = type === null ? null : await bytesAt(source, place);
  return bytes && type !== null ? new Blob([bytes], { type }) : null;
}

/** @throws {Error} when it is no longer in the conversation, or main cannot be reached. */
async function bytesAt(source: BlobSource, place: ItemPlace): Promise<BlobPart | null> {
  if (typeof source === 'string') return bytesOf(source);
  const path = blobPath(source, place);
  if (path === null) return null;
  const response = await fetch(path);
  if (!response.ok) throw new Error('The sound could not be fetched.');
  return response.arrayBuffer();
}

interface Sounding {
  readonly number: number;
  readonly file: Promise<Blob | null>;
  readonly written: (how: Progress) => void;
  readonly failed: (words: string) => void;
}

/** One sound, from its loading to its end; gives what silences it. */
function sounding({ file, written, failed }: Sounding): () => void {
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
    if (sound === null) throw new Error('It is no sound that is played here.');
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
