import { Registry } from 'prom-client';
import { readConfig } from '../../../server/src/config';
import { vouchAll, vouchersOf } from '../../../server/src/ledger/vouch';
import type { Logger } from '../../../server/src/observability/logger';
import { createVouchingMetrics } from '../../../server/src/observability/vouching-metrics';
import type { TestServer } from '../server';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

interface Settings {
  /** The variables that name witnesses and authorities. */
  variables: Record<string, string>;
  /** So many minutes from now. */
  minutes?: number;
  /** Milliseconds for one request. */
  totalMs?: number;
  /** Milliseconds for the run. */
  runMs?: number;
  log?: Logger;
}

export interface Named {
  vkey: string;
  url: string;
}

/** The variable WITNESSES. */
export const witnessesOf = (...all: readonly Named[]): string =>
  all.map(({ vkey, url }) => `${vkey} ${url}`).join(',');

/** One run of the job that has others vouch for logs; its metrics. */
export async function vouchOnce(
  { service }: Pick<TestServer, 'service'>,
  { variables, minutes = 0, totalMs, runMs, log }: Settings,
): Promise<string> {
  const registry = new Registry();
  const work = {
    db: service.context.db,
    log: log ?? service.context.log,
    vouchers: vouchersOf(readConfig(variables)),
    metrics: createVouchingMetrics(registry),
    ...(totalMs === undefined ? {} : { totalMs }),
    ...(runMs === undefined ? {} : { runMs }),
  };
  await vouchAll(work, new Date(Date.now() + minutes * MINUTE), new AbortController().signal);
  return registry.metrics();
}
