import type { Pace } from './race';
import type { Report } from './report';
import type { Host, Stage } from './stage';

/** What a figure needs. */
export interface Bench {
  stage: Stage;
  report: Report;
  /** The server that most figures measure, started when the first one asks for it. */
  host(): Promise<Host>;
  /** Rounds at 64 connections, where the goals are, and at fewer. */
  pace: { goal: Pace; other: Pace };
  quick: boolean;
}

/** Something that is measured. A new one goes into `figures/index.ts`. */
export interface Figure {
  name: string;
  run(bench: Bench): Promise<void>;
}
