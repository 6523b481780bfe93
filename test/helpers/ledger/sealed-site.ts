import { randomUUID } from 'node:crypto';
import { SEALED_STEP } from '../../../server/src/db/ledger/began';
import { idAt, timeOfId } from '../../../server/src/domain/ids';
import { defaultSettings } from '../../../server/src/domain/settings';
import { rotateKey } from '../../../server/src/ledger/keys';
import { Sealer } from '../../../server/src/ledger/seal';
import type { Client, TestServer } from '../server';
import { submit } from '../site/data-subject-requests';
import { vendor } from '../site/vendors';
import { Authority, hasOpenssl } from './authority';
import { FalseWitness } from './false-witness';
import { vouchOnce, witnessesOf } from './vouch';

const HOUR = 3_600_000;

/** Seals everything that waits, as the job does. */
export const sealAll = ({ service }: TestServer): Promise<void> => {
  const { db, log, vault, publicUrl } = service.context;
  return new Sealer({ db, log, vault, publicUrl }).run();
};

export const decide = (server: TestServer, token: string, session_id: string = randomUUID()) =>
  server.visitor.logConsent({
    token,
    body: {
      ...{ session_id, decision: 'save_preferences', categories: { analytics: true } },
      page_url: 'https://shop.example.com/a',
    },
  });

/** A site with its owner. */
export interface SealedSite {
  id: string;
  token: string;
  client: Client;
}

/** A site with something of everything that is sealed: imported, erased, vouched for, and under two keys. @param old records from before the log */
export async function sealedSite(server: TestServer, old = 1): Promise<SealedSite> {
  const { db, vault } = server.service.context;
  const { client, token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  const early = new Date(Date.now() - 3 * HOUR);
  await db('environments').where({ id }).update({ created_at: early });
  await db('contract_steps')
    .where({ name: SEALED_STEP })
    .update({ started_at: new Date(Date.now() - HOUR) });
  for (let n = 0; n < old; n += 1) await insertOld(server, id);
  // Large enough to be stored in parts.
  const more = Array.from({ length: 20 }, (_, n) => ({
    ...{ key: `extra_${n}`, name: `Extra ${n}`, required: false },
    description: 'What it is for, at some length. '.repeat(12),
  }));
  const categories = [...defaultSettings().categories, ...more];
  await client.updateEnvironment({ token, body: { settings: { categories } } });
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Maps')] } });
  await client.generateBundle({ token });
  for (let n = 0; n < 4; n += 1) await decide(server, token);
  await sealAll(server);
  const handOut = async () => (await client.exportEvidence({ token, from: '2026-01-01' })).arrayBuffer();
  await handOut();
  await db.transaction((trx) => rotateKey(trx, vault));
  await everyStep(server, client, token);
  const gone = randomUUID();
  await decide(server, token, gone);
  await sealAll(server);
  await client.eraseSession({ token, session_id: gone });
  await decide(server, token);
  await sealAll(server);
  await handOut();
  await vouch(server);
  // Enough for a tile of hashes.
  await Promise.all(Array.from({ length: 250 }, () => decide(server, token)));
  for (let n = 0; n < 3; n += 1) await decide(server, token);
  await sealAll(server);
  return { id, token, client };
}

async function insertOld(server: TestServer, environment_id: string): Promise<void> {
  const { db } = server.service.context;
  const consent_id = idAt(new Date(Date.now() - 2 * HOUR));
  await db('consents').insert({
    ...{ environment_id, consent_id, recorded_at: timeOfId(consent_id), session_id: randomUUID() },
    ...{ decision: 'accept_all', categories: { b: true }, policy_version: '1', expires_at: new Date() },
    ...{ banner_version: 1, method: 'banner', language: 'en', ip_masked: '203.0.***.***', gpc: false },
  });
}

async function everyStep(server: TestServer, client: Client, token: string): Promise<void> {
  await server.visitor.recordFormConsent({
    token,
    body: {
      ...{ form_id: 'news', form_url: 'https://shop.example.com/', subject: { email: 'ada@example.com' } },
      statements: [{ key: 'b', text: 'Yes.', accepted: true }],
    },
  });
  const { request_id } = await submit(server, token, {
    email: 'bea@example.com',
    name: 'Bea',
    message: 'Please.',
  });
  await client.startDsar({ token, request_id });
  await client.extendDsar({ token, request_id, body: { reason: 'Many requests.' } });
  const { breach_id } = await client.createBreach({
    token,
    body: { title: 'Lost laptop', severity: 'high', aware_at: new Date().toISOString() },
  });
  await client.updateBreach({ token, breach_id, body: { title: 'Lost laptops' } });
}

/** By a witness, and by an authority where openssl can play one. */
export async function vouch(server: TestServer): Promise<void> {
  const witness = await new FalseWitness().listen();
  const authority = hasOpenssl ? new Authority() : undefined;
  const TIMESTAMP_URLS = (await authority?.listen()) ?? '';
  try {
    await vouchOnce(server, { variables: { WITNESSES: witnessesOf(witness), TIMESTAMP_URLS } });
  } finally {
    await witness.close();
    authority?.close();
  }
}
