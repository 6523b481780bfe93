import { DAY_MS, HOUR_MS } from './time';
import type { NoticeMode, NotificationSettings, Role } from './types';

/** What members can be told. */
export type Topic = keyof NotificationSettings;

/** What holds for an account that has chosen nothing. */
export const DEFAULT_TOPICS: Readonly<NotificationSettings> = {
  request_received: 'at_once',
  request_assigned: 'at_once',
  request_due: 'at_once',
  request_overdue: 'at_once',
  breach_clock: 'at_once',
  webhook_failing: 'daily',
  webhook_disabled: 'at_once',
  score_fell: 'daily',
  new_cookies: 'daily',
  script_missing: 'at_once',
  evidence_failing: 'at_once',
  members_and_keys: 'at_once',
  new_device: 'at_once',
};

export const TOPICS = Object.keys(DEFAULT_TOPICS) as Topic[];

/** In a sentence of a mail: what a link ends. */
export const TOPIC_NAMES: Readonly<Record<Topic, string>> = {
  request_received: 'new requests',
  request_assigned: 'requests that are assigned to you',
  request_due: 'requests that are due soon',
  request_overdue: 'overdue requests',
  breach_clock: 'the 72 hours of a breach',
  webhook_failing: 'failing webhooks',
  webhook_disabled: 'disabled webhooks',
  score_fell: 'a score that fell',
  new_cookies: 'new cookies before consent',
  script_missing: 'a script that is no longer seen',
  evidence_failing: 'the evidence log',
  members_and_keys: 'members and API keys',
  new_device: 'log-ins from new devices',
};

/** In mails the most urgent comes first. */
export const URGENCY: readonly Topic[] = [
  ...(['breach_clock', 'members_and_keys', 'new_device', 'evidence_failing', 'webhook_disabled'] as const),
  ...(['script_missing', 'request_overdue', 'request_assigned', 'score_fell', 'new_cookies'] as const),
  ...(['webhook_failing', 'request_due', 'request_received'] as const),
];

/** What anybody can cause by sending requests: it must not keep the rest from being told at once. */
export const BY_STRANGERS: readonly Topic[] = ['request_received', 'request_due', 'request_overdue'];

/** Viewers only read: they are told what they have chosen, and nothing by default. */
const ofViewers: NoticeMode = 'off';

/** Whether a topic may be told to somebody with this role on a site. */
export const isFor = (topic: Topic, role: Role): boolean => topic !== 'members_and_keys' || role === 'owner';

/** Kinds of mails to members: at once about a site, the same with what only owners are told, and the daily one. */
export const KINDS = { site: 'notice', owners: 'owner_notice', daily: 'daily' } as const;

/** The kind of a mail at once with these topics. */
export const kindOf = (topics: readonly Topic[]): string =>
  topics.every((topic) => isFor(topic, 'viewer')) ? KINDS.site : KINDS.owners;

/** Kinds of mails that say what somebody with this role may not know. */
export const kindsHiddenFrom = (role: Role): readonly string[] =>
  TOPICS.every((topic) => isFor(topic, role)) ? [] : [KINDS.owners];

/** How somebody with this role on a site is told of a topic. */
export function modeOf(chosen: Partial<NotificationSettings>, topic: Topic, role: Role): NoticeMode {
  if (!isFor(topic, role)) return 'off';
  return chosen[topic] ?? (role === 'viewer' ? ofViewers : DEFAULT_TOPICS[topic]);
}

/** Something to tell about a site, once. */
export interface Notice {
  topic: Topic;
  /** What it is about: the same key is told to nobody twice. */
  key: string;
  /** One sentence without personal data. */
  message: string;
  /** The page of the console below the site that says more. */
  path: string;
  /** When it happened; undefined where only is known that it lasts. */
  at?: Date;
}

export const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** The stages of a request before its deadline, the most urgent that was reached. */
export function dueStage(deadline: Date, now: Date): 'overdue' | '1_day' | '7_days' | undefined {
  const left = deadline.getTime() - now.getTime();
  if (left < 0) return 'overdue';
  if (left <= DAY_MS) return '1_day';
  return left <= 7 * DAY_MS ? '7_days' : undefined;
}

/** How long before the deadline a stage begins. */
export const DUE_BEFORE = { overdue: 0, '1_day': DAY_MS, '7_days': 7 * DAY_MS } as const;

const BREACH_HOURS = [72, 60, 48, 24] as const;

/** How many of the 72 hours have passed: the last of 24, 48, 60 and 72 (GDPR Art. 33(1)). */
export const breachStage = (awareAt: Date, now: Date): (typeof BREACH_HOURS)[number] | undefined =>
  BREACH_HOURS.find((hours) => now.getTime() - awareAt.getTime() >= hours * HOUR_MS);

/** The hour of the day, in UTC, from which daily mails are sent. */
const DAILY_HOUR = 6;

/** What was noted before this instant is in the daily mail that is due now. */
export function dailyBefore(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + DAILY_HOUR * HOUR_MS;
  return new Date(now.getTime() >= today ? today : today - DAY_MS);
}
