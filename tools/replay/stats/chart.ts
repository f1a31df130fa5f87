const BLOCKS = ' ▁▂▃▄▅▆▇█';

/** Draws values as a line of at most `width` blocks. The highest value is the highest block; every value above 0 is visible. */
export function chart(values: readonly number[], width: number): string {
  const columns = Math.min(values.length, width);
  const highest = values.reduce((a, b) => Math.max(a, b), 0);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * values.length) / columns);
    const to = Math.floor(((column + 1) * values.length) / columns);
    const value = values.slice(from, to).reduce((a, b) => Math.max(a, b), 0);
    return BLOCKS[highest === 0 ? 0 : Math.ceil((value / highest) * (BLOCKS.length - 1))];
  }).join('');
}
