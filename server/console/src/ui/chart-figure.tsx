import './charts.css';
import type { ReactNode } from 'react';
import { ChartReader } from './chart-reader';
import { BOTTOM, HEIGHT, LEFT, niceTop, type Scale, scaleOf } from './chart-scale';
import { Table } from './table';
import { useWidth } from './use-width';

export interface ChartSeries {
  name: string;
  /** One value for each label; null leaves a gap. */
  values: readonly (number | null)[];
}

export interface ChartProps {
  label: string;
  /** The text below each point. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** Points whose period has not ended, such as today: drawn pale and marked as not complete. */
  partial?: readonly number[];
  /** Formats a value. Default: as a plain number. */
  format?: (value: number) => string;
  /** The upper end of the scale, for shares. Default: from the values. */
  max?: number;
}

export const DASHES = ['', '6 4', '2 4', '10 4 2 4'];
const PARTIAL = 'not complete';

/** The common parts of a chart: legend, axes, a reader for its values, and a table of the same figures. */
export function ChartFigure({
  band = false,
  children,
  ...props
}: ChartProps & { band?: boolean; children: (scale: Scale) => ReactNode }) {
  const { label, labels, series, partial = [], format = String, max } = props;
  const [plot, width] = useWidth(640);
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const scale = scaleOf(width, labels.length, max ?? niceTop(highest), band);
  const nameOf = (index: number) => `${labels[index]}${partial.includes(index) ? ` (${PARTIAL})` : ''}`;
  const formatted = (value: number | null | undefined) => (value == null ? '–' : format(value));
  const say = (index: number) =>
    `${nameOf(index)}: ${series.map(({ name, values }) => `${name} ${formatted(values[index])}`).join(', ')}`;
  return (
    <figure className="chart">
      <Legend series={series} band={band} partial={partial.map((index) => labels[index] ?? '')} />
      <ChartReader plot={plot} label={label} count={labels.length} scale={scale} say={say}>
        {(at) => (
          <>
            <svg width={width} height={HEIGHT} aria-hidden="true">
              <Axes scale={scale} width={width} labels={labels} format={format} />
              {children(scale)}
              {at !== undefined && (
                <path className="chart-cursor" d={`M${scale.x(at)} 0V${HEIGHT - BOTTOM}`} />
              )}
            </svg>
            {at !== undefined && (
              <div
                className={scale.x(at) > width / 2 ? 'chart-tip before' : 'chart-tip'}
                style={{ left: scale.x(at) }}
                aria-hidden="true"
              >
                <strong>{nameOf(at)}</strong>
                {series.map(({ name, values }, index) => (
                  <span key={name} className="legend-item">
                    <Sample index={index} band={band} /> {name} {formatted(values[at])}
                  </span>
                ))}
              </div>
            )}
          </>
        )}
      </ChartReader>
      <details>
        <summary>Figures</summary>
        <div className="chart-table">
          <Table
            label={label}
            rows={labels.map((_, index) => index)}
            rowKey={(index) => labels[index] ?? index}
            columns={[
              { title: 'Period', cell: nameOf },
              ...series.map(({ name, values }) => ({
                title: name,
                numeric: true,
                cell: (index: number) => formatted(values[index]),
              })),
            ]}
          />
        </div>
      </details>
    </figure>
  );
}

const Sample = ({ index, band }: { index: number; band: boolean }) => (
  <svg width="24" height="8" aria-hidden="true">
    <path
      className={`line series-${index % 4}`}
      strokeDasharray={band ? '' : DASHES[index % 4]}
      d="M0 4H24"
    />
  </svg>
);

function Legend({
  series,
  band,
  partial,
}: {
  series: readonly ChartSeries[];
  band: boolean;
  partial: readonly string[];
}) {
  return (
    <figcaption className="legend-row">
      {series.map(({ name }, index) => (
        <span key={name} className="legend-item">
          <Sample index={index} band={band} />
          {name}
        </span>
      ))}
      {partial.length > 0 && (
        <span className="muted">
          Pale: {PARTIAL} ({partial.join(', ')})
        </span>
      )}
    </figcaption>
  );
}

function Axes({
  scale,
  width,
  labels,
  format,
}: {
  scale: Scale;
  width: number;
  labels: readonly string[];
  format: (value: number) => string;
}) {
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor((width - LEFT - 16) / 72))));
  return (
    <>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <path className="grid-line" d={`M${LEFT} ${scale.y(scale.top * share)}H${width - 8}`} />
          <text className="axis" x={LEFT - 8} y={scale.y(scale.top * share) + 4} textAnchor="end">
            {format(scale.top * share)}
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
    </>
  );
}
