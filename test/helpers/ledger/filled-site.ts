import { randomUUID } from 'node:crypto';
import { defaultSettings } from '../../../server/src/domain/settings';
import { rotateKey } from '../../../server/src/ledger/keys';
import type { TestServer } from '../server';
import { breachInput, submit } from '../site/data-subject-requests';
import { vendor } from '../site/vendors';
import { until } from '../until';
import { decide, type SealedSite, sealAll, sealedSite, vouch } from './sealed-site';

/** A site of which so many leaves were handed out, in a pack and with what others vouched for. */
export interface FilledSite extends SealedSite {
  handedOut: number;
}

/**
 * A sealed site with two more of everything before what was handed out last, two after it, sealed too, under a third
 * key.
 */
export async function filledSite(server: TestServer): Promise<FilledSite> {
  const { db, vault } = server.service.context;
  const site = await sealedSite(server, 2);
  const { id, token, client } = site;
  for (const n of [1, 2]) await oneOfEach(server, site, n);
  await sealAll(server);
  await (await client.exportEvidence({ token, from: '2026-01-01' })).arrayBuffer();
  await vouch(server);
  const sizes = await db('ledger_checkpoints').where({ environment_id: id }).pluck('size');
  await db.transaction((trx) => rotateKey(trx, vault));
  for (const n of [3, 4]) await oneOfEach(server, site, n);
  await sealAll(server);
  return { ...site, handedOut: Math.max(...sizes.map(Number)) };
}

/** A site of the same server with one of everything, sealed. */
export async function otherSite(server: TestServer): Promise<SealedSite> {
  const { client, token } = await server.site();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await oneOfEach(server, { id, token, client }, 5);
  await sealAll(server);
  return { id, token, client };
}

/** One row of every table that an owner or a visitor fills, which differs from those of other numbers. */
async function oneOfEach(server: TestServer, { id, token, client }: SealedSite, n: number): Promise<void> {
  // Large enough to be stored in parts.
  const more = Array.from({ length: 20 }, (_, m) => ({
    ...{ key: `extra_${m}`, name: `Extra ${m}`, required: false },
    description: `What it is for, at some length, ${n}. `.repeat(12),
  }));
  await client.updateEnvironment({
    token,
    body: { settings: { categories: [...defaultSettings().categories, ...more] } },
  });
  await client.replaceVendors({ token, body: { vendors: [vendor(n, `Maps ${n}`)] } });
  await client.generateBundle({ token });
  const page_url = `https://shop.example.com/page-${n}`;
  await until('a record that names words', async () => {
    const body = { session_id: randomUUID(), decision: 'save_preferences', page_url } as const;
    await server.visitor.logConsent({ token, body: { ...body, categories: { marketing: n % 2 === 0 } } });
    return (await namedBy(server, id, page_url)) !== undefined;
  });
  await recordForm(server, token, `visitor-${n}@example.com`, n);
  await submit(server, token, {
    ...{ email: `bea-${n}@example.com`, name: `Bea ${n}`, message: `Please, ${n}.` },
    request_type: n % 2 === 0 ? 'access' : 'erasure',
  });
  const breach = breachInput({ title: `Lost laptop ${n}`, severity: n % 2 === 0 ? 'high' : 'low' });
  await client.createBreach({ token, body: breach });
  if (n % 2 === 0) {
    await recordForm(server, token, `gone-${n}@example.com`, n);
    await client.eraseSubject({ token, body: { subject: { email: `gone-${n}@example.com` } } });
  } else {
    const session_id = randomUUID();
    await decide(server, token, session_id);
    await client.eraseSession({ token, session_id });
  }
}

/** A record of a page that names words, as it does when they come again. */
export async function namedBy(
  { service }: TestServer,
  environment_id: string,
  page_url: string,
): Promise<{ consent_id: string; page: string; kind: string } | undefined> {
  const { rows } = await service.context.db.raw(
    `SELECT c.consent_id, c.page::text, c.kind::text FROM consents c
     JOIN consent_words w ON w.environment_id = c.environment_id AND w.word = c.page
     WHERE c.environment_id = ? AND w.text = ? AND c.kind IS NOT NULL ORDER BY c.recorded_at LIMIT 1`,
    [environment_id, page_url],
  );
  return rows[0];
}

const recordForm = (server: TestServer, token: string, email: string, n: number): Promise<unknown> =>
  server.visitor.recordFormConsent({
    token,
    body: {
      ...{ form_id: `news-${n}`, form_url: `https://shop.example.com/${n}`, subject: { email } },
      statements: [{ key: 'b', text: `Yes, ${n}.`, accepted: true }],
    },
  });
