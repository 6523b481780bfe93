import { fillHistories } from './fill-history';
import { FIXED_SECRET, makeOwner } from './owner';
import type { Report } from './report';
import type { Host, Stage } from './stage';

/** A server with 90 days of decisions of a small and of a large site, and a bearer token of their owner. */
export interface Histories {
  host: Host;
  bearer: string;
  small: History;
  large: History;
}

export interface History {
  token: string;
  decisions: number;
}

/** Filled once in a run, because it takes minutes. */
export async function makeHistories({
  stage,
  report,
  quick,
}: {
  stage: Stage;
  report: Report;
  quick: boolean;
}): Promise<Histories> {
  const [few, many] = quick ? [10_000, 1_000_000] : [100_000, 10_000_000];
  const host = await stage.host('avow_histories', FIXED_SECRET);
  const bearer = await makeOwner(host.database);
  const [small, large] = host.database.tokens.slice(-2) as [string, string];
  report.say(`  storing ${few} and ${many} decisions …`);
  await fillHistories(
    host.database,
    new Map([
      [small, few],
      [large, many],
    ]),
  );
  return {
    ...{ host, bearer },
    small: { token: small, decisions: few },
    large: { token: large, decisions: many },
  };
}
