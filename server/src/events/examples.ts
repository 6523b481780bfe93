import type { EnvironmentRow } from '../db/models';
import { BreachRow, DsarRow } from '../db/models';
import { clock } from '../domain/clock';
import { breachNotifyBy, dsarDueAt } from '../domain/deadlines';
import { newId } from '../domain/ids';
import { regionsOf, ruleIn } from '../domain/regions/rules';
import type { Decision, EventName } from '../domain/types';
import { breachCreated, breachReported, consentEvent, dsarCreated, dsarResolved } from './payloads';
import type { EventInsert } from './statements';

/** An example of an event with the environment's own names, to test a receiver with; nobody's data. */
export function exampleEvent(environment: EnvironmentRow, event: EventName): EventInsert {
  const now = clock.date();
  const dsar = DsarRow.fromDatabaseJson({
    request_id: newId(),
    request_type: 'access',
    email: 'test@example.com',
    due_at: dsarDueAt(now, environment.settings.time_zone),
    resolved_at: now,
    resolution: 'fulfilled',
  });
  const breach = BreachRow.fromDatabaseJson({
    breach_id: newId(),
    title: 'Test of the webhook',
    severity: 'low',
    aware_at: now,
    notify_by: breachNotifyBy(now),
    affected_subjects: 0,
    reported_at: now,
    authority: environment.settings.controller.authority ?? null,
    authority_reference: null,
  });
  switch (event) {
    case 'dsar.created':
      return dsarCreated(environment, dsar);
    case 'dsar.resolved':
      return dsarResolved(environment, dsar);
    case 'breach.created':
      return breachCreated(environment, breach);
    case 'breach.reported':
      return breachReported(environment, breach);
    default:
      return consentEvent(
        environment,
        exampleDecision(environment, event.replace('consent.', '') as Decision),
      );
  }
}

function exampleDecision({ settings }: EnvironmentRow, decision: Decision) {
  const optional = settings.categories.filter(({ required }) => !required);
  const isAllowed = (index: number): boolean =>
    decision === 'accept_all' || (decision !== 'reject_all' && index === 0);
  const categories = Object.fromEntries(optional.map(({ key }, index) => [key, isAllowed(index)]));
  const vendors = settings.choice_by_vendor === true ? { 1: isAllowed(0), 2: isAllowed(1) } : null;
  const rules = regionsOf(settings.regions);
  const region = 'US-CA';
  const place = rules === undefined ? { region: null, rule: null } : { region, rule: ruleIn(rules, region) };
  return { decision, session_id: newId(), ip_masked: '203.0.***.***', categories, vendors, ...place };
}
