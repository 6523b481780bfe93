import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useState } from 'react';
import type { Scale } from './chart-scale';

/** How each key moves to another point. */
const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  PageUp: (at) => at + 7,
  PageDown: (at) => at - 7,
  Home: () => 0,
  End: (_, last) => last,
};

interface Props {
  plot: RefObject<HTMLDivElement | null>;
  label: string;
  count: number;
  scale: Scale;
  /** The text of a point for screen readers. */
  say: (index: number) => string;
  children: (index: number | undefined) => ReactNode;
}

/** Shows the values of one point at a time: under the pointer, on touch, and with the arrow keys. */
export function ChartReader({ plot, label, count, scale, say, children }: Props) {
  const [at, read] = useState<number>();
  const last = count - 1;
  const point = (event: PointerEvent<HTMLElement>) =>
    read(scale.nearest(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return read(undefined);
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    read(at === undefined ? last : Math.max(0, Math.min(last, move(at, last))));
  };
  const shown = at !== undefined && at <= last ? at : undefined;
  return (
    <div
      ref={plot}
      className="chart-plot"
      role="slider"
      tabIndex={0}
      aria-label={`${label}: the arrow keys read the values, the table below has all figures`}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(shown ?? last) + 1}
      aria-valuetext={say(shown ?? last)}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={(event) => event.currentTarget !== document.activeElement && read(undefined)}
      onFocus={() => read((now) => now ?? last)}
      onBlur={() => read(undefined)}
      onKeyDown={press}
    >
      {children(shown)}
    </div>
  );
}
