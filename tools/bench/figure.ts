import type { Histories } from './histories';
import type { Pace } from './race';
import type { Report } from './report';
import type { Host, Stage } from './stage';

/** What a figure needs. */
export interface Bench {
  stage: Stage;
  report: Report;
  /** The server that most figures measure; the first call starts it. */
  host(): Promise<Host>;
  /** A small and a large site to look things up in; the first call fills them. */
  histories(): Promise<Histories>;
  /** Rounds at 64 connections, for which the goals are set, and at fewer. */
  pace: { goal: Pace; other: Pace };
  quick: boolean;
}

/** Something to measure. Add a new one to `figures/index.ts`. */
export interface Figure {
  name: string;
  run(bench: Bench): Promise<void>;
}
