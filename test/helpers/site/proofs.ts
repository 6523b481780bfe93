import type { TestServer } from '../server';

/** Makes domains of a site proven, as if what proves them had been found at an instant. */
export async function prove(server: TestServer, token: string, domains: string[], at = Date.now()) {
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const until = new Date(at + 30 * 86_400_000);
  const rows = domains.map((domain) => ({
    ...{ environment_id: id, domain, method: 'dns', proven_at: new Date(at) },
    ...{ proven_until: until, checked_at: new Date(at) },
  }));
  await db('domain_proofs').insert(rows).onConflict(['environment_id', 'domain']).merge();
}
