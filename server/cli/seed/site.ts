import type { Knex } from 'knex';
import type { BundleMaker } from '../../src/bundles/compose';
import { publishBundle } from '../../src/bundles/publish';
import { beginCheck, noteProof } from '../../src/db/domain-proofs';
import { EnvironmentRow, MemberRow, SettingsVersionRow, UserRow } from '../../src/db/models';
import { storeVersion, wholeSettings } from '../../src/db/settings-versions';
import { clock } from '../../src/domain/clock';
import { defaultSettings } from '../../src/domain/settings';
import type { Settings } from '../../src/domain/types';
import { toSite } from '../../src/ingest/site';
import { insertEnvironment } from '../../src/services/environments';
import type { Version } from './history';

/**
 * A new site whose settings changed once, halfway. The first account owns it; without one, the first owner
 * will.
 */
export async function makeSite(
  trx: Knex.Transaction,
  maker: BundleMaker,
  from: number,
  now: number,
): Promise<EnvironmentRow> {
  const owner = await UserRow.query(trx).orderBy('id').first();
  const before = settings();
  const row = await insertEnvironment(trx, {
    name: 'Harbour Books',
    domain: 'harbour-books.example',
    settings: before,
    createdBy: owner?.id ?? null,
    demo: owner === undefined,
  });
  // As if its TXT record had been found: nobody has this domain.
  const domain = { environment_id: row.id, domain: row.domain };
  await beginCheck(trx, domain, new Date(now), new Date(now));
  await noteProof(trx, domain, 'dns', new Date(now));
  await publishAt(trx, maker, row.id, new Date(from));
  const changedAt = new Date((from + now) / 2);
  const after = { ...before, policy_version: '2', consent_lifetime_days: 365 };
  const changed = { id: row.id, settings: after, settings_version: 2 };
  await storeVersion(trx, changed, changedAt, owner?.id ?? null);
  // A version is never changed through its model; this one only gets the day on which the history begins.
  await trx('settings_versions')
    .where({ environment_id: row.id, version: 1 })
    .update({ created_at: new Date(from) });
  if (owner !== undefined) {
    await MemberRow.query(trx).insert({
      environment_id: row.id,
      user_id: owner.id,
      role: 'owner',
      added_at: new Date(from),
    });
  }
  await row.$query(trx).patch({
    settings: after,
    settings_version: 2,
    created_at: new Date(from),
    updated_at: clock.date(),
  });
  await publishAt(trx, maker, row.id, changedAt);
  return row.$query(trx).throwIfNotFound();
}

/** Publishes the site's banner, and dates it back to when the history has it. */
async function publishAt(trx: Knex.Transaction, maker: BundleMaker, id: string, at: Date): Promise<void> {
  const { hash } = await publishBundle(trx, maker, id, {}, null);
  await trx('bundles').where({ environment_id: id, hash }).update({ created_at: at, published_at: at });
}

/** The versions that a site's settings had, each as the visitor path needs it. */
export async function readVersions(trx: Knex, row: EnvironmentRow): Promise<Version[]> {
  const versions = await SettingsVersionRow.query(trx).where({ environment_id: row.id }).orderBy('version');
  const read: Version[] = [];
  for (const { version, settings: stored, created_at } of versions) {
    const settings = await wholeSettings(trx, row.id, stored);
    const then = { ...row.$toDatabaseJson(), settings, settings_version: version };
    read.push({ from: created_at.getTime(), site: toSite(EnvironmentRow.fromDatabaseJson(then), []) });
  }
  return read;
}

const settings = (): Settings => ({
  ...defaultSettings(),
  privacy_policy_url: 'https://harbour-books.example/privacy',
  imprint_url: 'https://harbour-books.example/imprint',
  default_language: 'de',
  languages: ['de', 'en', 'fr', 'nl'],
  time_zone: 'Europe/Berlin',
  controller: {
    name: 'Harbour Books GmbH',
    address: 'Am Hafen 1, 20457 Hamburg, Germany',
    email: 'privacy@harbour-books.example',
  },
});
