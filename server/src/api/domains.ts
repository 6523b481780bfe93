import { beginCheck, noteProof, proofsOf } from '../db/domain-proofs';
import type { DomainProofRow, EnvironmentRow } from '../db/models';
import { normaliseDomain } from '../domain/addresses';
import { clock } from '../domain/clock';
import { ValidationError } from '../domain/errors';
import { FairTurns, MemberTurns, OWNERS } from '../domain/fair-turns';
import type { DomainProof } from '../domain/types';
import { PROOF_FILE, proofName, proofText } from '../scan/prove-domain';
import { type Handler, inOwnTurn, senderOf } from './handler';

/**
 * The shortest time between two checks of a domain, in milliseconds: a check calls somebody else's server.
 */
const AGAIN_MS = 10_000;
/**
 * Concurrent checks that owners request in this process, in all, of one group of accounts, and of one account: each
 * may take ten seconds and some mebibytes.
 */
const LOOKS = new FairTurns(4, OWNERS);
const LOOKS_OF_MEMBER = new MemberTurns({ account: 1, group: 2 });

export const listDomains: Handler<'listDomains'> = async ({ db, publicUrl }, { environment }) => {
  const proofs = new Map((await proofsOf(db, environment)).map((proof) => [proof.domain, proof]));
  return {
    items: environment.domains.map((domain) => view(environment, domain, proofs.get(domain), publicUrl())),
  };
};

export const checkDomain: Handler<'checkDomain'> = async (
  context,
  { environment, body, caller, audit, stay },
) => {
  const { db, proveDomain, publicUrl } = context;
  const domain = environment.domains.find((one) => one === normaliseDomain(body.domain));
  if (domain === undefined)
    throw ValidationError.of('body.domain', "must be one of the environment's domains", 'domain');
  const now = clock.date();
  const { id: environment_id, token, url } = environment;
  const since = new Date(now.getTime() - AGAIN_MS);
  const sender = senderOf(caller);
  let receipt = audit.unchanged();
  const look = async (): Promise<void> => {
    const isBegun = await db.transaction(async (trx) => {
      if (!(await beginCheck(trx, { environment_id, domain }, now, since))) return false;
      receipt = await audit.write(trx, { about: { resource: 'domain', resource_id: domain } });
      await stay(trx);
      return true;
    });
    if (!isBegun) return;
    const method = await proveDomain({ domain, token, url });
    if (method !== undefined) await noteProof(db, { environment_id, domain }, method, now);
  };
  const { patience } = caller;
  await LOOKS_OF_MEMBER.take(sender, () => LOOKS.take(sender, look, patience), patience);
  const proofs = await inOwnTurn(context, caller, () => proofsOf(db, environment));
  const proof = proofs.find((one) => one.domain === domain);
  return receipt.with(view(environment, domain, proof, publicUrl()));
};

function view(
  { token }: EnvironmentRow,
  domain: string,
  proof: DomainProofRow | undefined,
  server: string,
): DomainProof {
  const isProven = proof?.proven_until != null && proof.proven_until > clock.date();
  return {
    domain,
    proven: isProven,
    method: proof?.method ?? null,
    proven_at: isProven ? (proof.proven_at?.toISOString() ?? null) : null,
    proven_until: proof?.proven_until?.toISOString() ?? null,
    checked_at: proof?.checked_at?.toISOString() ?? null,
    dns_name: proofName(domain),
    dns_value: proofText(token),
    file_url: `https://${domain}${PROOF_FILE}`,
    file_content: proofText(token),
    script_url: `${server}/api/bundles/${token}.js`,
  };
}
