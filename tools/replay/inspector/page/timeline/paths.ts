/** A lane of the drawing: where its floor is, and how high its highest value stands. */
export interface Lane {
  readonly floor: number;
  readonly height: number;
}

export const highest = (values: Uint32Array): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** How high a value stands; a small one beside large ones is still to be seen. */
const rise = (value: number, most: number, { height }: Lane): number =>
  value === 0 ? 0 : Math.max(height * 0.12, (value / most) * height);

/** A bar in each column that has something, as the path of an SVG. Columns are one unit wide. */
export function barsPath(values: Uint32Array, lane: Lane): string {
  const most = highest(values);
  const bars: string[] = [];
  values.forEach((value, x) => {
    if (value > 0) bars.push(`M${x} ${lane.floor}v${(-rise(value, most, lane)).toFixed(1)}h1V${lane.floor}z`);
  });
  return bars.join('');
}

/** The values as an area with steps. */
export function areaPath(values: Uint32Array, lane: Lane): string {
  const most = highest(values);
  if (most === 0) return '';
  const steps = Array.from(values, (value) => `V${(lane.floor - rise(value, most, lane)).toFixed(1)}h1`);
  return `M0 ${lane.floor}${steps.join('')}V${lane.floor}z`;
}
