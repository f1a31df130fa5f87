/** Options of a focus that the program moves for keyboard users: it neither scrolls nor shows the focus ring. */
export const QUIETLY = { preventScroll: true, focusVisible: false };
