/** @jest-environment node */
import { randomUUID } from 'node:crypto';
import { connect } from '../../server/src/db/knex';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/observability/logger';
import { insertEnvironment } from '../../server/src/services/environments';
import { cloneDatabase } from '../helpers/database';
import { sealing } from '../helpers/ledger/group-key';

// As if a month held more than a plan counts.
jest.mock('../../server/src/domain/retention', () => ({
  ...jest.requireActual('../../server/src/domain/retention'),
  MAX_COUNTED: 3,
}));

const DAY = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');

test('a dropped month is counted in full, however much a plan counts', async () => {
  const database = await cloneDatabase();
  const db = sealing(connect(database.url, 4));
  try {
    const months = new Date('2026-01-01T00:00:00.000Z');
    await ensurePartitions(db, months, NOW);
    const settings = { ...defaultSettings(), retention_days: { consents: 30, events: 90 } };
    const { id } = await insertEnvironment(db, {
      ...{ name: 'Shop', domain: 'shop.example', settings, createdBy: null },
    });
    // From the first instant of a month to its last, and enough that is kept for a run to be allowed.
    const first = Date.UTC(2026, 2, 1);
    const old = [first, first, first + DAY - 1, first + DAY, first + 15 * DAY, Date.UTC(2026, 3, 1) - 1];
    const rows = [...old, ...Array.from({ length: 20 }, () => NOW.getTime())].map((at) => ({
      ...{ environment_id: id, session_id: randomUUID(), consent_id: randomUUID() },
      ...{ decision: 'accept_all', categories: {}, policy_version: '1', expires_at: NOW, banner_version: 1 },
      ...{ method: 'banner', language: 'en', ip_masked: '203.0.***.***', gpc: false },
      recorded_at: new Date(at),
    }));
    await db.batchInsert('consents', rows);
    const before = await listPartitions(db);
    await applyRetention(db, createLogger('silent'), NOW);
    expect((await listPartitions(db)).length).toBeLessThan(before.length);
    expect(await db('erasures').select('rule', 'whole', 'consents')).toEqual([
      { rule: 'consents', whole: true, consents: old.length },
    ]);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
