/** A lane of the drawing: its base line and the height of its maximum value. */
export interface Lane {
  readonly floor: number;
  readonly height: number;
}

/** Returns the maximum of the values. */
export const maximum = (values: Uint32Array): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** Returns the height of a value; a small value beside large ones stays visible. */
const barHeight = (value: number, most: number, { height }: Lane): number =>
  value === 0 ? 0 : Math.max(height * 0.12, (value / most) * height);

/** Returns the SVG path of a bar in each column with a value. Columns are one unit wide. */
export function barsPath(values: Uint32Array, lane: Lane): string {
  const most = maximum(values);
  const bars: string[] = [];
  values.forEach((value, x) => {
    if (value > 0)
      bars.push(`M${x} ${lane.floor}v${(-barHeight(value, most, lane)).toFixed(1)}h1V${lane.floor}z`);
  });
  return bars.join('');
}

/** Returns the SVG path of the values as a stepped area. */
export function areaPath(values: Uint32Array, lane: Lane): string {
  const most = maximum(values);
  if (most === 0) return '';
  const steps = Array.from(values, (value) => `V${(lane.floor - barHeight(value, most, lane)).toFixed(1)}h1`);
  return `M0 ${lane.floor}${steps.join('')}V${lane.floor}z`;
}

/** The lengths of the marks of one error and of ten times as many, in pixels. */
const MARK = { one: 10, more: 6, longest: 34 } as const;

/** Returns the length of the mark of a number of errors, in pixels: it grows with each power of ten. */
export const markLength = (count: number): number =>
  Math.min(MARK.longest, Math.round(MARK.one + MARK.more * Math.log10(count)));
