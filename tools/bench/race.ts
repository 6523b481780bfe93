import type { Answers } from './load';
import { median } from './numbers';

/** A contestant of the race. */
export interface Contestant {
  name: string;
  run(connections: number, seconds: number): Promise<Answers>;
  /** Processor time of its process so far, in seconds. */
  cpu?(): Promise<number>;
}

/** Rounds and their length in seconds. */
export interface Pace {
  rounds: number;
  seconds: number;
}

/** One contestant in one round. */
export interface Lap {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the server for each answer, in microseconds. */
  cpu: number | undefined;
}

/** The laps of each contestant, by round. */
export type Laps = Map<string, Lap[]>;

/**
 * Runs the contestants in turn, in several rounds, so that other load on the machine affects all of them
 * alike.
 */
export async function race(contestants: Contestant[], connections: number, pace: Pace): Promise<Laps> {
  const laps: Laps = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < pace.rounds; round += 1) {
    // Every second round runs backwards, so that no contestant always follows the same one.
    for (const contestant of round % 2 === 0 ? contestants : [...contestants].reverse()) {
      laps.get(contestant.name)?.push(await lap(contestant, connections, pace.seconds));
    }
  }
  return laps;
}

async function lap(contestant: Contestant, connections: number, seconds: number): Promise<Lap> {
  const before = await contestant.cpu?.();
  const { answers, seconds: took, p50, p99 } = await contestant.run(connections, seconds);
  const after = await contestant.cpu?.();
  const cpu = before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / answers;
  return { perSecond: answers / took, p50, p99, cpu };
}

/** The median over the rounds of one contestant's figure ÷ another's in the same round. */
export function ratio(
  laps: Laps,
  over: string,
  under: string,
  figure: 'perSecond' | 'p99' | 'cpu' = 'perSecond',
): number {
  const divisors = laps.get(under) ?? [];
  const of = (lap: Lap): number => lap[figure] ?? Number.NaN;
  return median((laps.get(over) ?? []).map((lap, round) => of(lap) / of(divisors[round] as Lap)));
}
