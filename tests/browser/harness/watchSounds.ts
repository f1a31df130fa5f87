import type { Page } from 'playwright-core';

/** The sounds that a page has played since `watchSounds`. */
interface PlayedSounds {
  /** Returns the number of sounds that were started. */
  begun(): Promise<number>;
  /** Returns the number of sounds that are playing. */
  sounding(): Promise<number>;
}

/** Watches the sounds that a page plays, until it is reloaded. */
export async function watchSounds(page: Page): Promise<PlayedSounds> {
  await page.evaluate(() => {
    const played: HTMLMediaElement[] = [];
    Reflect.set(window, 'testPlayed', played);
    const { prototype } = HTMLMediaElement;
    const play: unknown = Reflect.get(prototype, 'play');
    prototype.play = function playAndTell() {
      played.push(this);
      if (typeof play !== 'function') throw new Error('this browser plays nothing');
      const playing: unknown = Reflect.apply(play, this, []);
      return Promise.resolve(playing).then(() => undefined);
    };
  });
  const paused = () =>
    page.evaluate(() => {
      const played: unknown = Reflect.get(window, 'testPlayed');
      return Array.isArray(played) ? played.map((audio: HTMLMediaElement) => audio.paused) : [];
    });
  return {
    begun: async () => (await paused()).length,
    sounding: async () => (await paused()).filter((isPaused) => !isPaused).length,
  };
}
