import { BREACH_NOTICE, DSAR_NOTICE } from '../../server/src/domain/deadlines';
import { volumeWarning } from '../../server/src/domain/volume-warning';
import { breachWarning, dsarWarning } from '../../server/src/domain/warnings';
import { type WarnedWebhook, webhookWarnings } from '../../server/src/domain/webhook-warnings';

const NOW = new Date('2026-11-21T09:30:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const in_ = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

const WEBHOOK: WarnedWebhook = {
  webhook_id: '019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f',
  url: 'https://receiver.example.com:8443/hooks/avow?key=geheim',
  description: null,
  status: 'active',
  consecutive_failures: 0,
  disabled_at: null,
  disabled_reason: null,
  paused_at: null,
  unsendable_since: null,
  created_by: null,
  changed_by: null,
  updated_at: new Date(0),
  last_counted_at: in_(-HOUR),
};

/** The warning of a site's only webhook. */
const webhookWarning = (webhook: WarnedWebhook, now: Date) => webhookWarnings([webhook], now)[0];

test.each([0, 1])('a webhook with %i failures in a row does not warn', (consecutive_failures) => {
  const status = consecutive_failures === 0 ? 'active' : 'failing';
  expect(webhookWarning({ ...WEBHOOK, status, consecutive_failures }, NOW)).toBeUndefined();
});

test.each([2, 3, 4])(
  'a webhook with %i failures in a row warns and tells how many',
  (consecutive_failures) => {
    const warning = webhookWarning({ ...WEBHOOK, status: 'failing', consecutive_failures }, NOW);
    expect(warning).toMatchObject({
      code: 'webhook_failing',
      severity: 'warning',
      subject_id: WEBHOOK.webhook_id,
      since: in_(-HOUR).toISOString(),
    });
    expect(warning?.message).toContain(`${consecutive_failures} times in a row`);
  },
);

test('a disabled webhook is critical, says why and since when, and what to do', () => {
  const disabled = { status: 'disabled', consecutive_failures: 5, disabled_at: in_(-DAY) } as const;
  const reason = { disabled_reason: '5 consecutive deliveries failed.' };
  expect(webhookWarning({ ...WEBHOOK, ...disabled, ...reason }, NOW)).toEqual({
    code: 'webhook_disabled',
    severity: 'critical',
    message: expect.stringMatching(/5 consecutive deliveries failed.*reactivate/),
    subject_id: WEBHOOK.webhook_id,
    since: in_(-DAY).toISOString(),
  });
});

test('a warning names the host of a receiver and nothing else of its URL', () => {
  for (const status of ['failing', 'disabled'] as const) {
    const { message } = webhookWarning({ ...WEBHOOK, status, consecutive_failures: 5 }, NOW) ?? {};
    expect(message).toContain('receiver.example.com:8443');
    expect(message).not.toMatch(/geheim|hooks/);
  }
});

test('two webhooks to one host are told apart: by their descriptions, else by their ids', () => {
  const other = '019aa5d1-bc1d-7a6e-9b59-0d6a8c1f2b40';
  const named = (
    descriptions: [string | null, string | null],
    status: WarnedWebhook['status'] = 'disabled',
  ) =>
    webhookWarnings(
      [
        { ...WEBHOOK, description: descriptions[0], status: 'disabled' },
        { ...WEBHOOK, webhook_id: other, description: descriptions[1], status },
      ],
      NOW,
    ).map(
      ({ message }) => /^The webhook to receiver\.example\.com:8443 ?(.*) is disabled/.exec(message)?.[1],
    );
  expect(named(['CRM', 'Archive'])).toEqual(['(“CRM”)', '(“Archive”)']);
  expect(named(['CRM', null])).toEqual(['(“CRM”)', '']);
  expect(named([null, null])).toEqual([`with the id ${WEBHOOK.webhook_id}`, `with the id ${other}`]);
  // A healthy webhook could be meant as well.
  expect(named([null, null], 'active')).toEqual([`with the id ${WEBHOOK.webhook_id}`]);
  expect(named(['x'.repeat(300), null])[0]).toBe(`(“${'x'.repeat(39)}…”)`);
});

const request = (left: number) =>
  dsarWarning({ request_id: WEBHOOK.webhook_id, request_type: 'erasure', deadline: in_(left) }, NOW);

test('a request warns from 7 days before its deadline and is overdue when it has passed', () => {
  expect(request(DSAR_NOTICE + 1)).toBeUndefined();
  expect(request(DSAR_NOTICE)).toMatchObject({ code: 'dsar_due', severity: 'warning' });
  expect(request(0)).toMatchObject({ code: 'dsar_due', severity: 'warning' });
  expect(request(-1)).toMatchObject({ code: 'dsar_overdue', severity: 'critical' });
});

test('a request says its type, its days and its deadline, and nothing of the person', () => {
  expect(request(3 * DAY + HOUR)).toEqual({
    code: 'dsar_due',
    severity: 'warning',
    message: expect.stringContaining('(erasure) is due in 3 days:'),
    subject_id: WEBHOOK.webhook_id,
    since: in_(3 * DAY + HOUR).toISOString(),
  });
});

test.each([
  [2 * DAY, 'in 2 days'],
  [2 * DAY - 1, 'in 1 day:'],
  [DAY - 1, 'in 23 hours'],
  [HOUR, 'in 1 hour:'],
  [HOUR - 1, 'in less than an hour'],
  [-HOUR + 1, 'by less than an hour'],
  [-23 * HOUR, 'by 23 hours'],
  [-9 * DAY, 'by 9 days'],
])('%i ms before its deadline a request is due "%s"', (left, words) => {
  expect(request(left)?.message).toContain(words);
});

const breach = (left: number) => breachWarning({ breach_id: WEBHOOK.webhook_id, notify_by: in_(left) }, NOW);

test('a breach warns from 24 hours before the end of its clock and is overdue when it has run out', () => {
  expect(breach(BREACH_NOTICE + 1)).toBeUndefined();
  expect(breach(BREACH_NOTICE)).toMatchObject({ code: 'breach_clock', severity: 'critical' });
  expect(breach(0)).toMatchObject({ code: 'breach_clock', severity: 'critical' });
  expect(breach(-1)).toMatchObject({ code: 'breach_overdue', severity: 'critical' });
  expect(breach(5 * HOUR + 1)?.message).toContain('within 5 hours');
  expect(breach(-5 * HOUR)?.message).toContain('5 hours ago');
  expect(breach(-49 * HOUR)?.message).toContain('2 days ago');
  expect(breach(HOUR)?.since).toBe(in_(HOUR).toISOString());
});

test('every message fits the 500 characters of the contract, also with the longest host', () => {
  const url = `https://${Array(4).fill('a'.repeat(60)).join('.')}.example/`;
  const long = {
    ...WEBHOOK,
    url,
    status: 'disabled' as const,
    disabled_reason: '5 consecutive deliveries failed.',
  };
  expect(webhookWarning(long, NOW)?.message.length).toBeLessThanOrEqual(500);
});

test.each([
  ['few on a new site', 49_999, 0, false],
  ['many on a new site', 50_000, 0, true],
  ['ten times as many as usual', 100_000, 140_000, true],
  ['nine times as many as usual', 90_000, 140_000, false],
  ['always many', 2_000_000, 28_000_000, false],
])('decisions of a day: %s', (_, today, before, warns) => {
  const warning = volumeWarning({ today, before }, NOW);
  expect(warning !== undefined).toBe(warns);
  if (before > 0 && warns)
    expect(warning?.message).toContain('100,000 decisions, where 10,000 a day are usual');
});
