export const HEIGHT = 200;
export const LEFT = 48;
export const BOTTOM = 24;
const TOP = 12;
const RIGHT = 16;

/** The positions of a chart's points, in pixels. */
export interface Scale {
  x(index: number): number;
  y(value: number): number;
  /** The distance between two points. */
  step: number;
  /** The value at the upper end. */
  top: number;
  /** The index of the point that is nearest to `x`. */
  nearest(x: number): number;
}

/** The scale of a chart with `count` points. With `band` each point has space on both sides, for bars. */
export function scaleOf(width: number, count: number, top: number, band: boolean): Scale {
  const inner = Math.max(1, width - LEFT - RIGHT);
  const step = inner / Math.max(1, band ? count : count - 1);
  const first = LEFT + (band ? step / 2 : count === 1 ? inner / 2 : 0);
  return {
    step,
    top,
    x: (index) => first + index * step,
    y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top),
    nearest: (x) => Math.max(0, Math.min(count - 1, Math.round((x - first) / step))),
  };
}

/** The next of 1, 2, 4, 5, 10 × a power of ten, so that half of it is a short number too. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}
