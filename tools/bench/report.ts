import { cpus, platform, totalmem } from 'node:os';
import { SETTINGS } from './avow';
import { median, rounded } from './numbers';
import type { Laps } from './race';

/** One line of the table. */
export interface Row {
  contestant: string;
  connections: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  cpu_us: number | null;
}

/** A measured value and its goal. */
export interface Outcome {
  figure: string;
  about: string;
  goal: string | null;
  value: number;
  reached: boolean | null;
}

/** Collects the results of the figures, for the printed tables and for JSON. */
export class Report {
  private readonly rows: Row[] = [];
  private readonly outcomes: Outcome[] = [];
  private readonly details: Record<string, unknown> = {};
  private readonly warnings: string[] = [];
  private readonly tables: string[] = [];

  /** Progress, on standard error. */
  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  laps(laps: Laps, connections: number): void {
    for (const [contestant, all] of laps) {
      const cpu = all.flatMap(({ cpu }) => cpu ?? []);
      this.rows.push({
        contestant,
        connections,
        per_second: rounded(median(all.map(({ perSecond }) => perSecond))),
        p50_ms: rounded(median(all.map(({ p50 }) => p50))),
        p99_ms: rounded(median(all.map(({ p99 }) => p99))),
        cpu_us: cpu.length === 0 ? null : rounded(median(cpu)),
      });
    }
  }

  /** Adds a value with its goal, such as `≥ 0.5`; without a goal it is only reported. */
  outcome(figure: string, about: string, value: number, goal?: { least: number } | { most: number }): void {
    const text = goal === undefined ? null : 'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`;
    const reached = goal === undefined ? null : 'least' in goal ? value >= goal.least : value <= goal.most;
    this.outcomes.push({ figure, about, goal: text, value: rounded(value), reached });
  }

  /** Adds a table of its own kind: a title, a head, and a line for each row. */
  table(title: string, head: string[], rows: (string | number)[][]): void {
    this.tables.push('', title, ...table(head, rows));
  }

  /** Adds a warning that is shown before the figures. */
  warn(text: string): void {
    this.warnings.push(text);
  }

  /** Adds data that appears only in the JSON. */
  detail(name: string, value: unknown): void {
    this.details[name] = value;
  }

  toJson(): object {
    return {
      at: new Date().toISOString(),
      machine: {
        platform: platform(),
        node: process.version,
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: cpus().length,
        memory_gb: Math.round(totalmem() / 2 ** 30),
      },
      settings: { ...SETTINGS, log: '/dev/null', fsync: 'on', synchronous_commit: 'on' },
      warnings: this.warnings,
      rows: this.rows,
      goals: this.outcomes,
      details: this.details,
    };
  }

  toText(): string {
    const lines = [
      `Avow ran with ${Object.entries(SETTINGS)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}, its log going to /dev/null; PostgreSQL with fsync and synchronous_commit on.`,
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; server, PostgreSQL and load generator share them.`,
      ...this.warnings,
      '',
      ...table(
        ['contestant', 'connections', 'per second', 'p50 ms', 'p99 ms', 'server CPU µs'],
        this.rows.map((row) => [
          ...[row.contestant, row.connections, row.per_second, row.p50_ms, row.p99_ms],
          row.cpu_us ?? '–',
        ]),
      ),
      ...this.tables,
      '',
      ...table(
        ['figure', 'goal', 'value', 'reached'],
        this.outcomes.map(({ about, goal, value, reached }) => [
          ...[about, goal ?? '–', value],
          reached === null ? '–' : reached ? 'yes' : 'NO',
        ]),
      ),
    ];
    return `${lines.join('\n')}\n`;
  }
}

/** Aligns the columns: the first to the left, all others to the right. */
function table(head: string[], rows: (string | number)[][]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column]).length)));
  return all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] as number;
        return column === 0 ? String(cell).padEnd(width) : String(cell).padStart(width);
      })
      .join('  '),
  );
}
