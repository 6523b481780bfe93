import { isIP } from 'node:net';
import type { components } from '../../../spec/generated/api';
import type { EnvironmentRow } from '../db/models';
import { forbidden, notFound, ValidationError } from '../domain/errors';
import { keptAgent, maskAddress } from '../domain/mask';
import type { Client } from '../ingest/decision';
import type { Site } from '../ingest/site';
import type { Sites } from '../ingest/sites';

/**
 * A visitor as described by the owner's program: stored like a direct visitor, with a masked address. Throws
 * `ValidationError`.
 */
export function describedClient({
  address,
  user_agent,
  gpc = false,
}: components['schemas']['VisitorClient']): Client {
  if (isIP(address) === 0)
    throw ValidationError.of('body.visitor.address', 'must be an IPv4 or IPv6 address', 'format');
  const userAgent = user_agent === undefined ? null : keptAgent(user_agent);
  return { ipMasked: maskAddress(address), userAgent, gpc, recordedBy: 'owner' };
}

/** The site as the visitor path knows it. Throws 403 while it is paused or archived, as for a visitor. */
export async function siteOf(sites: Sites, { token, status }: EnvironmentRow): Promise<Site> {
  const site = await sites.find(token);
  if (site === undefined) throw notFound('This environment');
  if (status !== 'active')
    throw forbidden(`This environment is ${status}: its owner can set its status to active.`);
  return site;
}
