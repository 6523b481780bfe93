import type { Figure } from '../figure';
import { consentsFromAnywhere } from '../kinds';
import { race, ratio } from '../race';
import { avowWithCpu } from '../references';

/**
 * The cost of the rate limiter, with many addresses and sites to count: the same requests with and without
 * it.
 */
export const limited: Figure = {
  name: 'limited',
  async run({ stage, report, pace, ...bench }) {
    const host = await bench.host();
    const guarded = await stage.host(
      'avow_limited',
      { RATE_LIMIT: 'on', TRUST_PROXY: '1' },
      consentsFromAnywhere,
    );
    const names = { on: 'Avow consent write, rate limiter on', off: 'Avow consent write, limiter off' };
    const laps = await race(
      [
        avowWithCpu(stage, guarded, names.on, consentsFromAnywhere),
        avowWithCpu(stage, host, names.off, consentsFromAnywhere),
      ],
      64,
      pace.other,
    );
    report.laps(laps, 64);
    report.outcome('limited', 'writes with the rate limiter on ÷ off', ratio(laps, names.on, names.off));
    await guarded.ledger.check();
    await host.ledger.check();
    await guarded.avow.stop();
  },
};
