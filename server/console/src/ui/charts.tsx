import './charts.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Table } from './table';

export interface ChartSeries {
  name: string;
  /** One value for each label; null leaves a gap. */
  values: readonly (number | null)[];
}

interface ChartProps {
  label: string;
  /** What stands below each point, as text. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** How values are written; default as they are. */
  format?: (value: number) => string;
  /** The upper end of the scale, for shares; default from the values. */
  most?: number;
}

const HEIGHT = 200;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 12;
const DASHES = ['', '6 4', '2 4', '10 4 2 4'];

/** Lines over time, each with a colour and a dash of its own; the same figures as a table below. */
export function LineChart(props: ChartProps) {
  return (
    <Figure {...props}>
      {(scale) =>
        props.series.map(({ name, values }, index) => (
          <path
            key={name}
            className={`line series-${index % 4}`}
            strokeDasharray={DASHES[index % 4]}
            d={pathOf(values, scale)}
          />
        ))
      }
    </Figure>
  );
}

/** Bars beside each other; the same figures as a table below. */
export function BarChart(props: ChartProps) {
  return (
    <Figure {...props} band>
      {(scale) =>
        props.series.map(({ name, values }, index) => {
          const width = Math.max(1, (scale.step * 0.7) / props.series.length);
          return values.map((value, at) => (
            <rect
              key={`${name} ${props.labels[at]}`}
              className={`bar series-${index % 4}`}
              x={scale.x(at) - scale.step * 0.35 + index * width}
              y={scale.y(value ?? 0)}
              width={Math.max(1, width - 1)}
              height={HEIGHT - BOTTOM - scale.y(value ?? 0)}
            />
          ));
        })
      }
    </Figure>
  );
}

interface Scale {
  x(index: number): number;
  y(value: number): number;
  step: number;
}

function Figure({
  label,
  labels,
  series,
  format = String,
  most,
  band = false,
  children,
}: ChartProps & { band?: boolean; children: (scale: Scale) => ReactNode }) {
  const [ref, width] = useWidth();
  const top =
    most ?? niceTop(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const inner = Math.max(1, width - LEFT - 16);
  const step = inner / Math.max(1, band ? labels.length : labels.length - 1);
  const scale: Scale = {
    x: (index) => LEFT + (labels.length === 1 ? inner / 2 : index * step + (band ? step / 2 : 0)),
    y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top),
    step,
  };
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor(inner / 72))));
  return (
    <figure className="chart" ref={ref}>
      <figcaption className="legend-row">
        {series.map(({ name }, index) => (
          <span key={name} className="legend-item">
            <svg width="24" height="8" aria-hidden="true">
              <path
                className={`line series-${index % 4}`}
                strokeDasharray={band ? '' : DASHES[index % 4]}
                d="M0 4H24"
              />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`${label}: the figures are in the table below`}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <path className="grid-line" d={`M${LEFT} ${scale.y(top * share)}H${width - 8}`} />
            <text className="axis" x={LEFT - 8} y={scale.y(top * share) + 4} textAnchor="end">
              {format(top * share)}
            </text>
          </g>
        ))}
        {labels.map(
          (text, index) =>
            index % every === 0 && (
              <text key={text} className="axis" x={scale.x(index)} y={HEIGHT - 4} textAnchor="middle">
                {text}
              </text>
            ),
        )}
        {children(scale)}
      </svg>
      <details>
        <summary>Figures</summary>
        <div className="chart-table">
          <Table
            label={label}
            rows={labels.map((text, index) => ({ text, index }))}
            rowKey={({ text }) => text}
            columns={[
              { title: 'Period', cell: ({ text }) => text },
              ...series.map(({ name, values }) => ({
                title: name,
                numeric: true,
                cell: ({ index }: { index: number }) => {
                  const value = values[index];
                  return value === null || value === undefined ? '–' : format(value);
                },
              })),
            ]}
          />
        </div>
      </details>
    </figure>
  );
}

function pathOf(values: readonly (number | null)[], { x, y }: Scale): string {
  let path = '';
  values.forEach((value, index) => {
    if (value === null) return;
    const starts = index === 0 || values[index - 1] === null;
    const alone = starts && (values[index + 1] ?? null) === null;
    path += `${starts ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}${alone ? 'h0.1' : ''}`;
  });
  return path;
}

/** The next of 1, 2, 4, 5, 10 × a power of ten, so that the half of it is a plain number too. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

/** The width of the element, followed. */
function useWidth() {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
