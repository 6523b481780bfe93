import type { Figure } from '../figure';
import { consents } from '../kinds';
import { median, rounded } from '../numbers';

/** The number of samples in a run. */
const SAMPLES = 40;
/** The largest growth from the second quarter to the last that counts as flat. */
const FLAT = 1.1;

/** Whether memory stays flat while a process writes a million decisions. */
export const memory: Figure = {
  name: 'memory',
  async run({ stage, report, quick }) {
    const writes = quick ? 50_000 : 1_000_000;
    const host = await stage.host('avow_memory');
    const samples: number[] = [];
    for (let i = 0; i < SAMPLES; i += 1) {
      await stage.ask(host, consents, 64, { count: writes / SAMPLES });
      samples.push(await host.avow.memory());
    }
    const quarter = SAMPLES / 4;
    const growth = median(samples.slice(-quarter)) / median(samples.slice(quarter, 2 * quarter));
    const after = `after ${writes.toLocaleString('en')} writes at 64 connections`;
    report.outcome('memory', `RSS in MB, the highest, ${after}`, Math.max(...samples), { most: 250 });
    report.outcome('memory', 'RSS of the last quarter ÷ of the second', growth, { most: FLAT });
    report.detail('rss_mb', samples.map(rounded));
    await host.ledger.check();
    await host.avow.stop();
  },
};
