import type { Knex } from 'knex';
import { bundleMakerOf } from '../bundles/compose';
import { publishBundle } from '../bundles/publish';
import type { Context } from '../context';
import { BundleRow, EnvironmentRow, MemberRow, UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { defaultSettings } from '../domain/settings';
import { hashPassword } from '../security/password';
import { createUser, setupCode } from '../services/accounts';
import { auditCommand } from '../services/audit';
import { insertEnvironment } from '../services/environments';

/** Any number that no other program on the same database uses for an advisory lock. */
const FIRST_RUN_LOCK = 7_305_826_003;

export interface FirstRun {
  /** Of the link by which the first owner chooses a password; undefined once there is an owner. */
  setupCode: string | undefined;
  /** The demo site's token, when there is a demo site. */
  demoToken: string | undefined;
}

/**
 * What a new installation needs: an owner or a link for one, and the demo site. Safe when several processes
 * start at once.
 */
export async function prepareFirstRun(context: Context): Promise<FirstRun> {
  const { config, db } = context;
  return db.transaction(async (trx) => {
    // Another process may hold the lock for a while.
    await trx.raw('SET LOCAL lock_timeout = 30000');
    await trx.raw('SELECT pg_advisory_xact_lock(?)', [FIRST_RUN_LOCK]);
    const demo = config.demo ? await ensureDemo(trx) : undefined;
    if (demo !== undefined) await ensureDemoBundle(context, trx, demo);
    const hasOwner = (await UserRow.query(trx).resultSize()) > 0;
    if (!hasOwner && config.adminEmail !== undefined && config.adminPassword !== undefined) {
      const passwordHash = await hashPassword(config.adminPassword);
      const owner = await createUser(trx, {
        email: config.adminEmail,
        name: config.adminEmail,
        passwordHash,
        // The operator says whose it is, as by `npm run owner -- add`.
        isVerified: true,
      });
      await auditCommand(trx, 'start', { accountId: owner.id });
      if (demo !== undefined) {
        await MemberRow.query(trx).insert({
          environment_id: demo.id,
          user_id: owner.id,
          role: 'owner',
          added_at: clock.date(),
        });
      }
      return { setupCode: undefined, demoToken: demo?.token };
    }
    const code = hasOwner ? undefined : await setupCode(trx, context.vault);
    return { setupCode: code, demoToken: demo?.token };
  });
}

/** Makes the demo site's bundle once the port is known, when another process chose it. */
export async function publishDemo(context: Context): Promise<void> {
  await context.db.transaction(async (trx) => {
    await trx.raw('SELECT pg_advisory_xact_lock(?)', [FIRST_RUN_LOCK]);
    const demo = await EnvironmentRow.query(trx).findOne({ demo: true });
    if (demo !== undefined) await ensureDemoBundle(context, trx, demo);
  });
}

async function ensureDemo(trx: Parameters<typeof insertEnvironment>[0]): Promise<EnvironmentRow> {
  const existing = await EnvironmentRow.query(trx).findOne({ demo: true });
  if (existing !== undefined) return existing;
  return insertEnvironment(trx, {
    name: 'Demo site',
    domain: 'localhost',
    url: 'http://localhost',
    settings: { ...defaultSettings(), privacy_policy_url: 'https://example.com/privacy' },
    createdBy: null,
    demo: true,
  });
}

/** The demo site's banner works from the start and sends to this server's current address. */
async function ensureDemoBundle(
  context: Context,
  trx: Knex.Transaction,
  { id, bundles: [present] }: EnvironmentRow,
): Promise<void> {
  const maker = bundleMakerOf(context);
  // With several processes, the first does not know a freely chosen port yet.
  if (context.config.port === 0 && context.config.publicUrl === undefined) return;
  const bundle = present && (await BundleRow.query(trx).findById([id, present.hash]));
  if (bundle?.config.server !== maker.server) await publishBundle(trx, maker, id, {}, null);
}
