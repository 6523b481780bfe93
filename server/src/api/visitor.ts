import { createHash } from 'node:crypto';
import type { components } from '../../../spec/generated/api';
import type { Context } from '../context';
import { deviceClass, isScan } from '../domain/analytics';
import { clock } from '../domain/clock';
import { DECISION_DAYS } from '../domain/decision-keys';
import { ApiError, ValidationError } from '../domain/errors';
import { DAY_MS } from '../domain/time';
import type { VendorChoices } from '../domain/types';
import type { Asked } from '../ingest/asked';
import { countedLanguage, countedVersion, countImpression, toEntry } from '../ingest/decision';
import type { Count, Dedupe } from '../ingest/entries';
import { askedByBanner } from '../ingest/shown';
import type { Always, Handler } from './handler';

/** How far a visitor's clock may be from ours before ours counts, in milliseconds: a day. */
const CLOCK_SKEW = DAY_MS;

const dedupe = (scope: string, event_id: string | undefined, { bodyHash }: Always): { dedupe?: Dedupe } =>
  event_id === undefined ? {} : { dedupe: { scope, key: event_id.toLowerCase(), bodyHash: bodyHash() } };

export const recordImpression: Handler<'recordImpression'> = async ({ ingest }, request) => {
  const { site, client, body } = request;
  if (isScan(client.userAgent)) return { recorded: false };
  const count: Count = {
    at: clock.now(),
    metric: 'impression',
    key: '',
    language: countedLanguage(site, body.language),
    banner_version: countedVersion(site, body),
    device: deviceClass(client.userAgent ?? undefined),
  };
  await ingest.record({
    site,
    counts: countImpression(site, body, count),
    ...dedupe('impression', body.event_id, request),
  });
  return { recorded: true };
};

/** Interactions that count as a request: each may be a row of its own in the counts. */
const INTERACTIONS_OF_ONE = 10;

export const recordVisitorEvents: Handler<'recordVisitorEvents'> = async ({ ingest }, request) => {
  const { site, client, body } = request;
  const now = clock.now();
  const common = {
    metric: 'interaction' as const,
    language: countedLanguage(site, body.language),
    banner_version: site.settingsVersion,
    device: deviceClass(client.userAgent ?? undefined),
  };
  const counts = body.events.map(({ name, at, category }, index): Count => {
    if (category !== undefined && !site.categories.some(({ key }) => key === category)) {
      throw ValidationError.of(
        `body.events.${index}.category`,
        "is none of this environment's categories",
        'unknown_category',
      );
    }
    const time = Date.parse(at);
    return {
      ...common,
      at: Math.abs(time - now) > CLOCK_SKEW ? now : time,
      key: category === undefined ? name : `${name}:${category}`,
    };
  });
  if (isScan(client.userAgent)) return { accepted: 0 };
  request.countMore(Math.floor(counts.length / INTERACTIONS_OF_ONE));
  await ingest.record({ site, counts, ...dedupe('events', body.event_id, request) });
  return { accepted: counts.length };
};

export const recordVisitorConsent: Handler<'recordVisitorConsent'> = async (context, request) => {
  const { earlier: before, at, ...last } = request.body;
  // The same report with or without the browser's time is one report.
  const earlier = before?.map(({ at: _, ...one }) => one);
  const askedOf = (one: CompactConsent) => askedByBanner(context.sites.versions, request.site, one);
  const asked = await askedOf(last);
  if (earlier === undefined)
    return recordCompact(context, at === undefined ? request : alone(request, last), last, asked);
  refuseOtherSessions(earlier, last);
  request.countMore(earlier.length);
  // Before anything is stored: a report whose last decision is refused stores none.
  compactEntry(alone(request, last), last, asked);
  // All before the first is stored: one that must be looked up would be overtaken.
  const askedBefore = await Promise.all(earlier.map(askedOf));
  // Together, in their order; and ahead of the last one, which must not be stored unless they are.
  await Promise.all(
    earlier.map((one, index) =>
      recordCompact(context, alone(request, one), one, askedBefore[index] as Asked).catch(
        rethrowUnlessRefused,
      ),
    ),
  );
  return recordCompact(context, alone(request, last), last, asked);
};

type CompactConsent = components['schemas']['CompactConsent'];
type ConsentRequest = Parameters<typeof recordVisitorConsent>[1];

/** One report is of one visitor. Throws `ValidationError`. */
function refuseOtherSessions(earlier: readonly CompactConsent[], { session_id }: CompactConsent): void {
  const other = earlier.findIndex((one) => one.session_id.toLowerCase() !== session_id.toLowerCase());
  if (other === -1) return;
  throw ValidationError.of(
    `body.earlier.${other}.session_id`,
    'is not the session of the last decision: report decisions of other sessions by themselves',
  );
}

async function recordCompact(
  { ingest }: Context,
  request: ConsentRequest,
  consent: CompactConsent,
  asked: Asked,
) {
  const entry = compactEntry(request, consent, asked);
  const { decision } = await ingest.record(entry);
  return { consent_id: (decision ?? entry.decision).consent_id };
}

/**
 * What was not asked about is left out: what the browser would forget as refused may be a withdrawal. Throws
 * `ValidationError`.
 */
function compactEntry(
  request: ConsentRequest,
  { event_id, allowed, allowed_vendors, refused_vendors = [], ...stated }: CompactConsent,
  asked: Asked,
) {
  const shown = allowed?.filter((name) => asked.shown.categories.some(({ key }) => key === name));
  const categories =
    shown === undefined ? {} : { categories: Object.fromEntries(shown.map((key) => [key, true])) };
  const vendors = allowed_vendors && compactVendors(allowed_vendors, refused_vendors, asked, request.site);
  return toEntry(
    request.site,
    request.client,
    { ...stated, ...categories, ...(vendors && { vendors }) },
    asked,
    {
      ...(dedupe('consent', event_id, request).dedupe as Dedupe),
      days: DECISION_DAYS,
      ofSession: true,
    },
  );
}

/** Those that were asked about, or all that are named where the banner is not known. */
function compactVendors(
  allowed: readonly number[],
  refused: readonly number[],
  { vendors: asked }: Asked,
  { choosesByVendor }: ConsentRequest['site'],
): VendorChoices {
  const on = new Set(allowed);
  if (asked !== undefined) return Object.fromEntries(asked.map(({ id }) => [id, on.has(id)]));
  if (!choosesByVendor) return {};
  return Object.fromEntries([...allowed.map((id) => [id, true]), ...refused.map((id) => [id, false])]);
}

/** Recognised when it is sent by itself: its hash is that of its own JSON. */
const alone = (request: ConsentRequest, consent: CompactConsent): ConsentRequest => ({
  ...request,
  bodyHash: () => createHash('sha256').update(JSON.stringify(consent)).digest('hex'),
});

function rethrowUnlessRefused(error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
}
