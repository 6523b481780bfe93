import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { headOf } from '../../server/src/db/ledger/heads';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { Vault } from '../../server/src/security/vault';
import { SECRETS_KEY } from './avow';
import { writeBacklog } from './backlog';
import type { Bench } from './figure';
import { consents } from './kinds';
import { median } from './numbers';
import { type Contestant, type Laps, type Pace, race } from './race';

export const BESIDE = {
  on: 'Avow consent write, a backlog is sealed beside it',
  off: 'Avow consent write, nothing is sealed',
};

/** Leaves that wait before each lap: more than the server seals in it, so that it seals from beginning to end. */
const BACKLOG = 400_000;
/** A run that was noted so far ahead, at most, keeps the job from the next one. */
const PAUSE = "interval '50 seconds'";

export interface Beside {
  laps: Laps;
  /** Leaves that were sealed during a lap, median. */
  sealed: number;
}

/** Races writes of visitors while their server seals a backlog of the same site with those while it seals nothing. */
export async function raceBesideSealing({ stage }: Bench, pace: Pace): Promise<Beside> {
  const host = await stage.host('avow_beside', { SEAL_SECONDS: '1' });
  const db = connect(host.database.url, 2);
  try {
    await openGroupKey(db, new Vault(SECRETS_KEY));
    const [token] = host.database.tokens;
    const { id } = await db('environments').where({ token }).first('id');
    const log = new SealedLog(db, id);
    const sealed: number[] = [];
    const off: Contestant = {
      name: BESIDE.off,
      run: async (connections, seconds) => {
        await log.pause();
        return stage.ask(host, consents, connections, { seconds });
      },
    };
    const on: Contestant = {
      name: BESIDE.on,
      run: async (connections, seconds) => {
        await log.pause();
        await writeBacklog(db, id, BACKLOG);
        await log.resume();
        const from = await log.size();
        const answers = await stage.ask(host, consents, connections, { seconds });
        const leaves = (await log.size()) - from;
        if (leaves === 0 || (await log.waiting()) === 0)
          throw new Error(`${leaves} leaves were sealed during a lap, not from its beginning to its end`);
        sealed.push(leaves);
        return answers;
      },
    };
    const laps = await race([on, off], 64, pace);
    await host.ledger.check();
    return { laps, sealed: median(sealed) };
  } finally {
    await db.destroy();
    await host.avow.stop();
  }
}

/** The log of one site, whose job the benchmark stops and starts. */
class SealedLog {
  constructor(
    private readonly db: Knex,
    private readonly id: string,
  ) {}

  /** Waits until all is sealed, and keeps the job from running again: as if another process just had. */
  async pause(): Promise<void> {
    await this.db('job_runs').where({ name: 'sealing' }).delete();
    await this.until(async () => (await this.waiting()) === 0);
    await this.db.raw(
      `INSERT INTO job_runs (name, finished_at) VALUES ('sealing', clock_timestamp() + ${PAUSE})
       ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at`,
    );
    // A run that had begun is over, and its vacuum does not fall into the lap.
    await delay(500);
  }

  /** Until the first leaves are sealed. */
  async resume(): Promise<void> {
    const from = await this.size();
    await this.db('job_runs').where({ name: 'sealing' }).delete();
    await this.until(async () => (await this.size()) > from);
  }

  async size(): Promise<number> {
    return (await headOf(this.db, this.id))?.size ?? 0;
  }

  async waiting(): Promise<number> {
    const counted = await this.db('ledger_pending').where({ environment_id: this.id }).count({ n: '*' });
    return Number(counted[0]?.n);
  }

  private async until(isSo: () => Promise<boolean>): Promise<void> {
    for (let waits = 0; waits < 1_200; waits += 1) {
      if (await isSo()) return;
      await delay(50);
    }
    throw new Error('the job that seals did not come to its end within a minute');
  }
}
