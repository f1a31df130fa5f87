/** How the base64 of each kind of sound begins. */
const SOUNDS: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^GkXfo/, 'audio/webm'],
  [/^T2dnU/, 'audio/ogg'],
  [/^UklGR.{6}XQVZF/, 'audio/wav'],
  [/^(?:SUQz|\/\/[I-Po-v])/, 'audio/mpeg'],
  [/^\/\/[E-Hk-n]/, 'audio/aac'],
  [/^.{5}[GWm2]Z0eXB/, 'audio/mp4'],
  [/^ZkxhQ/, 'audio/flac'],
];

/** The media type of a sound, told from its first bytes (base64); `null` of anything else. */
export const audioType = (base64: string): string | null =>
  SOUNDS.find(([beginning]) => beginning.test(base64))?.[1] ?? null;
