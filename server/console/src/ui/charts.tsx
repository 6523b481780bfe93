import { ChartFigure, type ChartProps, DASHES } from './chart-figure';
import { BOTTOM, HEIGHT, type Scale } from './chart-scale';

type Values = readonly (number | null)[];

/** Lines over time, each with its own colour and dashes, and a table of the same figures. */
export function LineChart(props: ChartProps) {
  const { series, partial = [] } = props;
  return (
    <ChartFigure {...props}>
      {(scale) =>
        series.map(({ name, values }, index) => (
          <g key={name} className={`line series-${index % 4}`}>
            <path
              strokeDasharray={DASHES[index % 4]}
              d={pathOf(values, scale, betweenComplete(values, partial))}
            />
            <path
              className="partial"
              strokeDasharray="1 5"
              d={pathOf(values, scale, atPartial(values, partial))}
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

/** Bars side by side, and a table of the same figures. */
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

/** Whether to draw the line from the previous point to this one. */
type Drawn = (to: number) => boolean;

/** Lines between complete points, and points without a neighbour. */
const betweenComplete =
  (values: Values, partial: readonly number[]): Drawn =>
  (to) =>
    values[to] !== null && !partial.includes(to) && !partial.includes(to - 1);

/** Lines to and from points that are not complete. */
const atPartial =
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
