import { join } from 'node:path';
import type { Figure } from '../figure';
import { consents } from '../kinds';
import { race, ratio } from '../race';
import { avow } from '../references';

const REMOVE = join(__dirname, '..', 'without-outbox.js');

/** The cost of the outbox for sites without webhooks: the same server with and without the outbox code. */
export const outbox: Figure = {
  name: 'outbox',
  async run({ stage, report, pace }) {
    const whole = await stage.host('avow_outbox');
    const without = await stage.host('avow_no_outbox', { NODE_OPTIONS: `--require "${REMOVE}"` });
    const names = { on: 'Avow consent write, no webhook', off: 'Avow consent write, outbox removed' };
    const laps = await race(
      [avow(stage, whole, names.on, consents), avow(stage, without, names.off, consents)],
      64,
      pace.goal,
    );
    report.laps(laps, 64);
    const about = 'writes without a webhook ÷ the same with the outbox code removed';
    report.outcome('outbox', about, ratio(laps, names.on, names.off), { least: 0.95 });
    await whole.ledger.check();
    await without.ledger.check();
    await whole.avow.stop();
    await without.avow.stop();
  },
};
