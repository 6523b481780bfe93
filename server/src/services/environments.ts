import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { EnvironmentRow } from '../db/models';
import { storeVersion } from '../db/settings-versions';
import { readDomain } from '../domain/addresses';
import { clock } from '../domain/clock';
import { newEnvironmentToken, newId } from '../domain/ids';
import type { EnvironmentStatus, Settings } from '../domain/types';

/** The fields of a site that owners can change, apart from its settings. */
export interface SiteFacts {
  name: string;
  domain: string;
  domains: string[];
  url: string;
  status: EnvironmentStatus;
}

/** Identifies one state of these facts: 128 bits of their SHA-256, 22 characters of base64url. */
export function revisionOf({ name, domain, domains, url, status }: SiteFacts): string {
  const facts = JSON.stringify([name, domain, domains, url, status]);
  return createHash('sha256').update(facts).digest().subarray(0, 16).toString('base64url');
}

interface NewEnvironment {
  name: string;
  domain: string;
  domains?: string[];
  url?: string;
  settings: Settings;
  createdBy: number | null;
  demo?: boolean;
}

/** Writes a new environment and the first version of its settings. */
export async function insertEnvironment(trx: Knex, input: NewEnvironment): Promise<EnvironmentRow> {
  const now = clock.date();
  const { domain, domains } = readDomains(input.domain, input.domains ?? []);
  const row = await EnvironmentRow.query(trx).insertAndFetch({
    id: newId(),
    token: newEnvironmentToken(),
    name: input.name,
    domain,
    domains,
    url: input.url ?? `https://${domain}`,
    status: 'active',
    demo: input.demo ?? false,
    settings: input.settings,
    settings_version: 1,
    bundles: [],
    banner_tests: [],
    made_by: input.createdBy,
    created_at: now,
    updated_at: now,
  });
  await storeVersion(trx, row, now, input.createdBy);
  return row;
}

/** The domains of an environment in their usual form, the main one first. Throws `ValidationError`. */
export function readDomains(domain: string, others: string[]): { domain: string; domains: string[] } {
  const main = readDomain(domain, 'body.domain');
  const further = others.map((other, index) => readDomain(other, `body.domains.${index}`));
  return { domain: main, domains: [...new Set([main, ...further])] };
}
