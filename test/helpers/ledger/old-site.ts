import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { SEALED_STEP } from '../../../server/src/db/ledger/began';
import { idAt, newId } from '../../../server/src/domain/ids';
import { defaultSettings } from '../../../server/src/domain/settings';

const HOUR = 3_600_000;

/** A site with three consents and a form consent, as a process of before the log left it. */
export async function oldSite(db: Knex): Promise<{ id: string; token: string }> {
  const [id, token, at] = [newId(), `env_${'0'.repeat(22)}`, new Date(Date.now() - 3 * HOUR)];
  await db('environments').insert({
    ...{ id, token, name: 'Old shop', domain: 'old.example', domains: ['old.example'] },
    ...{ url: 'https://old.example', status: 'active', settings: defaultSettings(), settings_version: 1 },
    ...{ created_at: at, updated_at: at },
  });
  const version = { environment_id: id, version: 1, settings: defaultSettings(), created_at: at };
  await db('settings_versions').insert(version);
  for (let n = 0; n < 3; n += 1) {
    const recorded_at = new Date(at.getTime() + n);
    await db('consents').insert({
      ...{ environment_id: id, consent_id: idAt(recorded_at), recorded_at },
      ...{ session_id: randomUUID(), decision: 'accept_all', categories: { b: true, a: false } },
      ...{ policy_version: '1', expires_at: new Date(), banner_version: 1, method: 'banner' },
      ...{ language: 'en', ip_masked: '203.0.***.***', gpc: false },
    });
  }
  await db('form_consents').insert({
    ...{ environment_id: id, form_consent_id: idAt(at), recorded_at: at, form_id: 'news' },
    ...{ form_url: 'https://old.example/', email: 'ada@example.com', email_key: 'ada@example.com' },
    ...{ statements: '[]', double_opt_in: 'none', language: 'en', ip_masked: '203.0.***.***' },
  });
  // Since then every process writes with each record what seals it.
  const started_at = new Date(Date.now() - HOUR / 6);
  await db('contract_steps').where({ name: SEALED_STEP }).update({ started_at });
  return { id, token };
}
