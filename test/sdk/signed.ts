import { createHmac } from 'node:crypto';
import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from '../../sdk/src/index';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
export const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDKPkZ9lJnVJ0=';
export const id = '019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3c';
/** Unix seconds. */
export const sentAt = 1_700_000_000;

const site = {
  environment: 'env_0123456789abcdefghijAB',
  environment_url: 'https://shop.example.com',
  timestamp: '2026-11-21T09:30:00.000+00:00',
};
const decision = {
  environment: site.environment,
  timestamp: '2026-11-21T09:30:00.000Z',
  data: {
    session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11',
    ip_masked: '203.0.113.0',
    categories: { analytics: true, marketing: false },
  },
};
const request = {
  ...site,
  request_id: '019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3d',
  request_type: 'erasure' as const,
  email: 'zoë@example.com',
  due_at: '2026-12-21T09:30:00.000+00:00',
};
const breach = {
  ...site,
  breach_id: '019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3e',
  title: 'Laptop lost — “encrypted”, 🔒',
  severity: 'low' as const,
  aware_at: '2026-11-20T09:30:00.000+00:00',
  notify_by: '2026-11-23T09:30:00.000+00:00',
  affected_subjects: null,
};

/** One event of each kind. */
export const events: { [Name in WebhookEvent['event']]: WebhookEvent<Name> } = {
  'consent.accept_all': { event: 'consent.accept_all', ...decision },
  'consent.reject_all': { event: 'consent.reject_all', ...decision },
  'consent.save_preferences': { event: 'consent.save_preferences', ...decision },
  'dsar.created': { event: 'dsar.created', ...request },
  'dsar.resolved': {
    event: 'dsar.resolved',
    ...request,
    resolved_at: '2026-11-30T09:30:00.000+00:00',
    resolution: 'fulfilled',
  },
  'breach.created': { event: 'breach.created', ...breach },
  'breach.reported': {
    event: 'breach.reported',
    ...breach,
    reported_at: '2026-11-22T09:30:00.000+00:00',
    authority: 'Autoriteit Persoonsgegevens',
    authority_reference: null,
    late: false,
  },
};

/** `X-Service-Signature`, made with node:crypto. */
export function bodySignature(body: string | Uint8Array, key = secret): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/** One of `webhook-signature`, made with node:crypto. */
export function standardSignature(
  body: string | Uint8Array,
  key = secret,
  at: number | string = sentAt,
): string {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', bytes).update(`${id}.${at}.`).update(body).digest('base64')}`;
}

/** The headers by which a receiver knows the body, as Node has them. */
export function signedHeaders(body: string | Uint8Array, key = secret) {
  return {
    'x-service-signature': bodySignature(body, key),
    'webhook-id': id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': standardSignature(body, key),
  };
}

/** One request in every particular. */
export const event = events['dsar.created'];
export const body = JSON.stringify(event);
export const headers = signedHeaders(body);
export const now = new Date(sentAt * 1000);
/** The headers of that request, with some of them changed. */
export const changed = (changes: Record<string, string | string[] | undefined>) => ({
  ...headers,
  ...changes,
});

/** Verifies that request, with something about it changed. */
export function verify(options: {
  body?: unknown;
  headers?: WebhookHeaders;
  secret?: unknown;
  options?: VerifyOptions;
}) {
  const given = { body, headers, secret, ...options };
  return verifyWebhook(given.body as string, given.headers, given.secret as string, {
    now,
    ...given.options,
  });
}
