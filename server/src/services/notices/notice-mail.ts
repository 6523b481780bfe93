import type { Knex } from 'knex';
import { NO_SITE } from '../../db/audit-events';
import type { EnvironmentRow } from '../../db/models';
import { BY_STRANGERS, KINDS, kindOf, TOPIC_NAMES, type Topic, URGENCY } from '../../domain/notices';
import { addressHash } from '../../mail/addresses';
import { inMailLine, secretMark } from '../../mail/content';
import { layOut } from '../../mail/layout';
import { aboutAccount, accountOf, type Cause, limitReached } from '../../mail/limits';
import type { Mailing } from '../../mail/mailing';
import { queueMail } from '../../mail/queue-mail';
import { signLink } from '../mail/links';
import type { NotedNotice, Told } from './told';

/** A mail with more notices names so many of each topic, and the number of the others. */
const LISTED = { all: 20, ofTopic: 5 };

/** The most urgent first, and none hidden behind many of another topic. */
function linesOf(notices: readonly NotedNotice[]): string[] {
  return URGENCY.flatMap((topic) => {
    const ofTopic = notices.filter((notice) => notice.topic === topic);
    const listed = notices.length > LISTED.all ? LISTED.ofTopic : LISTED.all;
    const more = ofTopic.length - listed;
    return [
      // It may name what pages and receivers are called, which strangers choose.
      ...ofTopic.slice(0, listed).map(({ message }) => inMailLine(message, 1_000)),
      ...(more > 0 ? [`And ${more} more: ${TOPIC_NAMES[topic]}.`] : []),
    ];
  });
}

/** The links with which a member gets less mail, without a login. */
async function linksOf(mailing: Mailing, user_id: number, topics: readonly Topic[]) {
  const list = [...new Set(topics)].sort().join('.');
  const base = `${mailing.publicUrl()}/mail`;
  return {
    unsubscribe: `${base}/unsubscribe/${user_id}/${list}/${secretMark(0)}`,
    preferences: `${base}/notices/${user_id}/${secretMark(1)}`,
    secrets: [
      await signLink(mailing, 'unsubscribe', [String(user_id), list]),
      await signLink(mailing, 'notices', [String(user_id)]),
    ],
    names: [...new Set(topics)].map((topic) => TOPIC_NAMES[topic]).join(', '),
  };
}

type Member = Pick<Told, 'user_id' | 'email'>;

/** What strangers can cause counts apart from the rest, which it must not keep from being told at once. */
const causeOf = (topics: readonly Topic[]): Cause =>
  topics.every((topic) => BY_STRANGERS.includes(topic)) ? 'request_notice' : 'notice';

/** Which of these topics a member has had enough mails at once of, as has the site or its account: they wait. */
export async function sparedTopics(
  mailing: Mailing,
  trx: Knex.Transaction,
  { email }: Member,
  environment_id: string,
  topics: readonly Topic[],
): Promise<ReadonlySet<Topic>> {
  const account = await accountOf(trx, environment_id);
  const about = { environment_id, address_key: await addressHash(mailing, email), unconfirmed: false };
  const alike = new Map<string, Topic[]>();
  for (const topic of new Set(topics)) {
    const counted = `${causeOf([topic])} ${kindOf([topic])}`;
    alike.set(counted, [...(alike.get(counted) ?? []), topic]);
  }
  const spared = new Set<Topic>();
  for (const some of alike.values()) {
    const mail = { ...about, cause: causeOf(some), kind: kindOf(some) };
    if ((await limitReached(trx, mail, account)) !== undefined) for (const topic of some) spared.add(topic);
  }
  return spared;
}

/** The mail of what a member is told at once about a site. */
export async function queueNoticeMail(
  mailing: Mailing,
  trx: Knex.Transaction,
  member: Member,
  site: Pick<EnvironmentRow, 'id' | 'token' | 'name'>,
  notices: readonly NotedNotice[],
): Promise<void> {
  const name = inMailLine(site.name, 80);
  const [first] = notices;
  const subject =
    notices.length === 1
      ? `${name}: ${TOPIC_NAMES[(first as NotedNotice).topic]}`
      : `${name}: ${notices.length} notices`;
  const home = site.token === '' ? '/account' : `/sites/${site.token}`;
  const path = notices.length === 1 ? (first as NotedNotice).path : home;
  const topics = notices.map(({ topic }) => topic);
  await queue(mailing, trx, member, {
    ...{ kind: kindOf(topics), cause: causeOf(topics), environmentId: site.id },
    ...{ subject, heading: name, notices },
    action: { label: 'Open in the console', url: `${mailing.publicUrl()}/console${path}` },
  });
}

/** Whether an account, or its mailbox, has had as many daily mails as it gets. */
export async function hasEnoughDaily(
  mailing: Mailing,
  trx: Knex.Transaction,
  { user_id, email }: Member,
): Promise<boolean> {
  const address_key = await addressHash(mailing, email);
  const mail = { environment_id: NO_SITE, address_key, kind: KINDS.daily, unconfirmed: false };
  return (await limitReached(trx, { ...mail, cause: 'account' }, aboutAccount(user_id))) !== undefined;
}

/** The daily mail of an account: what was noted on all of its sites. */
export async function queueDailyMail(
  mailing: Mailing,
  trx: Knex.Transaction,
  member: Member,
  notices: readonly (NotedNotice & { site: string })[],
): Promise<void> {
  await queue(mailing, trx, member, {
    // One of an account in a day: all accounts of one mailbox share what it gets at most.
    ...{ kind: KINDS.daily, cause: 'account' },
    ...{ subject: 'Your sites: what happened', heading: 'What happened on your sites' },
    notices: notices.map((notice) => ({
      ...notice,
      message: `${inMailLine(notice.site, 80)}: ${notice.message}`,
    })),
    action: { label: 'Open the console', url: `${mailing.publicUrl()}/console` },
  });
}

interface Letter {
  kind: string;
  cause: Cause;
  environmentId?: string;
  subject: string;
  heading: string;
  notices: readonly NotedNotice[];
  action: { label: string; url: string };
}

async function queue(
  mailing: Mailing,
  trx: Knex.Transaction,
  { user_id, email }: Member,
  { kind, cause, environmentId, notices, ...letter }: Letter,
): Promise<void> {
  const links = await linksOf(
    mailing,
    user_id,
    notices.map(({ topic }) => topic),
  );
  const content = layOut({
    ...{ language: 'en', ...letter },
    paragraphs: linesOf(notices),
    footer: [
      { text: 'You get this mail because you are a member of the site.' },
      { text: `No more mails about ${links.names}`, url: links.unsubscribe },
      { text: 'Choose what you are told', url: links.preferences },
    ],
  });
  await queueMail(mailing, trx, {
    ...{ kind, audience: 'member', cause, userId: user_id },
    ...(environmentId === undefined ? {} : { environmentId }),
    content: { ...content, to: email, unsubscribe: links.unsubscribe, secrets: links.secrets },
  });
}
