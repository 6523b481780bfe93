import { ChartFigure, type ChartProps, DASHES } from './chart-figure';
import { BOTTOM, HEIGHT, type Scale } from './chart-scale';

type Values = readonly (number | null)[];

/** Lines over time, each with a colour and a dash of its own; the same figures as a table below. */
export function LineChart(props: ChartProps) {
  const { series, partial = [] } = props;
  return (
    <ChartFigure {...props}>
      {(scale) =>
        series.map(({ name, values }, index) => (
          <g key={name} className={`line series-${index % 4}`}>
            <path strokeDasharray={DASHES[index % 4]} d={pathOf(values, scale, without(values, partial))} />
            <path
              className="partial"
              strokeDasharray="1 5"
              d={pathOf(values, scale, beside(values, partial))}
            />
            {partial.map((at) => {
              const value = values[at] ?? null;
              return (
                value !== null && (
                  <circle key={at} className="partial-point" cx={scale.x(at)} cy={scale.y(value)} r="3.5" />
                )
              );
            })}
          </g>
        ))
      }
    </ChartFigure>
  );
}

/** Bars beside each other; the same figures as a table below. */
export function BarChart(props: ChartProps) {
  const { series, labels, partial = [] } = props;
  return (
    <ChartFigure {...props} band>
      {(scale) =>
        series.map(({ name, values }, index) => {
          const width = Math.max(1, (scale.step * 0.7) / series.length);
          return values.map((value, at) => (
            <rect
              key={`${name} ${labels[at]}`}
              className={`bar series-${index % 4}${partial.includes(at) ? ' partial' : ''}`}
              x={scale.x(at) - scale.step * 0.35 + index * width}
              y={scale.y(value ?? 0)}
              width={Math.max(1, width - 1)}
              height={HEIGHT - BOTTOM - scale.y(value ?? 0)}
            />
          ));
        })
      }
    </ChartFigure>
  );
}

/** Whether the line from the point before it to this one is drawn. */
type Drawn = (to: number) => boolean;

/** The lines between complete points, and those alone that have no neighbour. */
const without =
  (values: Values, partial: readonly number[]): Drawn =>
  (to) =>
    values[to] !== null && !partial.includes(to) && !partial.includes(to - 1);

/** The lines to and from points that are not complete. */
const beside =
  (values: Values, partial: readonly number[]): Drawn =>
  (to) =>
    values[to] !== null && (partial.includes(to) || partial.includes(to - 1));

function pathOf(values: Values, { x, y }: Scale, isDrawn: Drawn): string {
  const at = (index: number) => `${x(index).toFixed(1)} ${y(values[index] as number).toFixed(1)}`;
  const has = (index: number) => (values[index] ?? null) !== null;
  let path = '';
  values.forEach((_, index) => {
    if (!has(index)) return;
    if (has(index - 1) && isDrawn(index))
      path += `${path.endsWith(at(index - 1)) ? '' : `M${at(index - 1)}`}L${at(index)}`;
    else if (!has(index - 1) && !has(index + 1) && isDrawn(index)) path += `M${at(index)}h0.1`;
  });
  return path;
}
