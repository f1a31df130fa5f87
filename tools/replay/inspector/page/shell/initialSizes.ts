/** The sizes of the panes, in pixels: the widths of the list and the conversation, and the height of the state. */
export interface Sizes {
  readonly steps: number;
  readonly talk: number;
  readonly upper: number;
}

/** Returns the initial sizes for the size of the window. */
export function initialSizes(): Sizes {
  const { innerWidth: width, innerHeight: height } = window;
  return {
    steps: Math.round(Math.min(620, Math.max(360, width * 0.38))),
    talk: Math.round(Math.min(460, Math.max(280, width * 0.29))),
    upper: Math.round(Math.max(120, (height - 320) * 0.5)),
  };
}
