import type { BreachRow, DsarRow, EnvironmentRow } from '../db/models';
import { newId, timeOfId } from '../domain/ids';
import type {
  CategoryChoices,
  Decision,
  DsarResolution,
  EventPayload,
  RegionRule,
  VendorChoices,
} from '../domain/types';
import { checkPayload } from './payload-schema';
import type { EventInsert } from './statements';

/** What a payload says of the environment. */
type EventSite = Pick<EnvironmentRow, 'id' | 'token' | 'url'>;

/** ISO 8601 with a numeric offset, as the payloads of requests and breaches have it. */
const offset = (at: Date): string => at.toISOString().replace('Z', '+00:00');

/**
 * Compiles an event: its payload becomes a text that never changes again. Throws when it violates its schema.
 */
function compile(
  environmentId: string,
  subjectId: string,
  payloadAt: (at: Date) => EventPayload,
): EventInsert {
  const event_id = newId();
  const at = timeOfId(event_id);
  const payload = payloadAt(at);
  checkPayload(payload);
  return {
    environment_id: environmentId,
    event_id,
    occurred_at: at.toISOString(),
    event: payload.event,
    subject_id: subjectId,
    payload: JSON.stringify(payload),
    subscriptions: null,
  };
}

/** A decision as its event states it. */
interface DecidedConsent {
  decision: Decision;
  session_id: string;
  ip_masked: string;
  categories: CategoryChoices;
  region: string | null;
  rule: RegionRule | null;
  vendors: VendorChoices | null;
}

/** Only where the site has them: payloads of other sites stay as they were. */
const furtherOf = ({ vendors, region, rule }: DecidedConsent) => ({
  ...(vendors === null ? {} : { vendors }),
  ...(region === null ? {} : { region }),
  ...(rule === null ? {} : { rule }),
});

export const consentEvent = (site: Pick<EventSite, 'id' | 'token'>, decided: DecidedConsent): EventInsert =>
  compile(site.id, decided.session_id, (at) => ({
    event: `consent.${decided.decision}`,
    environment: site.token,
    timestamp: at.toISOString(),
    data: {
      session_id: decided.session_id,
      ip_masked: decided.ip_masked,
      categories: decided.categories,
      ...furtherOf(decided),
    },
  }));

const siteFields = (site: EventSite, at: Date) => ({
  environment: site.token,
  environment_url: site.url,
  timestamp: offset(at),
});

const dsarFields = ({ request_id, request_type, email, due_at }: DsarRow) => ({
  request_id,
  request_type,
  email,
  due_at: offset(due_at),
});

export const dsarCreated = (site: EventSite, dsar: DsarRow): EventInsert =>
  compile(site.id, dsar.request_id, (at) => ({
    event: 'dsar.created',
    ...siteFields(site, at),
    ...dsarFields(dsar),
  }));

export const dsarResolved = (site: EventSite, dsar: DsarRow): EventInsert =>
  compile(site.id, dsar.request_id, (at) => ({
    event: 'dsar.resolved',
    ...siteFields(site, at),
    ...dsarFields(dsar),
    resolved_at: offset(dsar.resolved_at as Date),
    resolution: dsar.resolution as DsarResolution,
  }));

const breachFields = ({ breach_id, title, severity, aware_at, notify_by, affected_subjects }: BreachRow) => ({
  breach_id,
  title,
  severity,
  aware_at: offset(aware_at),
  notify_by: offset(notify_by),
  affected_subjects,
});

export const breachCreated = (site: EventSite, breach: BreachRow): EventInsert =>
  compile(site.id, breach.breach_id, (at) => ({
    event: 'breach.created',
    ...siteFields(site, at),
    ...breachFields(breach),
  }));

export const breachReported = (site: EventSite, breach: BreachRow): EventInsert =>
  compile(site.id, breach.breach_id, (at) => {
    const reported = breach.reported_at as Date;
    return {
      event: 'breach.reported',
      ...siteFields(site, at),
      ...breachFields(breach),
      reported_at: offset(reported),
      authority: breach.authority,
      authority_reference: breach.authority_reference,
      late: reported > breach.notify_by,
    };
  });
