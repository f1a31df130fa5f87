const BLOCKS = ' ▁▂▃▄▅▆▇█';

/** A line of blocks, at most `width` of them, the highest value the highest block; what is above nothing shows. */
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
