import type { AuditResource } from './types';

/** What an audit event is about. */
export interface Resource {
  resource: AuditResource;
  resource_id: string;
}

/** The ids that a path or an answer names, the more specific first. A visitor's session is never named. */
const IDS = {
  delivery_id: 'delivery',
  redelivery_id: 'redelivery',
  webhook_id: 'webhook',
  attachment_id: 'attachment',
  request_id: 'request',
  breach_id: 'breach',
  consent_id: 'consent_record',
  form_consent_id: 'form_consent',
  scan_id: 'scan',
  key_id: 'key',
  user_id: 'member',
  hash: 'bundle',
} as const satisfies Record<string, AuditResource>;

/** They tell upper case from lower case. */
const EXACT: ReadonlySet<AuditResource> = new Set(['key', 'bundle']);

/** What a request was about: what its path names, else what its answer does, else the site of its path. */
export function resourceOf(params: Readonly<Record<string, unknown>>, answer: unknown): Resource | undefined {
  const site = params.token;
  return (
    named(params) ??
    named(answer) ??
    (typeof site === 'string' ? { resource: 'site', resource_id: site } : undefined)
  );
}

function named(fields: unknown): Resource | undefined {
  if (fields === null || typeof fields !== 'object') return undefined;
  for (const [name, resource] of Object.entries(IDS)) {
    const id = (fields as Record<string, unknown>)[name];
    if (typeof id !== 'string' && typeof id !== 'number') continue;
    const text = String(id);
    return { resource, resource_id: EXACT.has(resource) ? text : text.toLowerCase() };
  }
  return undefined;
}
