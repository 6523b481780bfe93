import { cut } from './cookies/summary';
import type { Warning } from './types';

/** A sentence as it is used inside brackets. */
const inside = (sentence: string): string => sentence.replace(/\.$/, '');

export interface WarnedWebhook {
  webhook_id: string;
  url: string;
  description: string | null;
  status: 'active' | 'failing' | 'disabled';
  consecutive_failures: number;
  disabled_at: Date | null;
  disabled_reason: string | null;
  paused_at: Date | null;
  unsendable_since: Date | null;
  last_counted_at: Date | null;
  created_by: number | null;
  changed_by: number | null;
  updated_at: Date;
}

/** The longest part of a description used to name a webhook. */
const NAME_LENGTH = 40;

/** How a webhook is named: only by the host of its URL, because the rest may contain a key. */
function nameOf({ url, description }: WarnedWebhook): string {
  const { host } = new URL(url);
  if (description === null) return host;
  return `${host} (“${description.length > NAME_LENGTH ? `${description.slice(0, NAME_LENGTH - 1)}…` : description}”)`;
}

/** The warnings of a site's webhooks. Two webhooks with the same name are distinguished by their ids. */
export function webhookWarnings(webhooks: readonly WarnedWebhook[], now: Date): Warning[] {
  const names = webhooks.map(nameOf);
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return webhooks.flatMap((webhook, at) => {
    const name = names[at] as string;
    return (
      webhookWarning(
        webhook,
        times.get(name) === 1 ? name : `${name} with the id ${webhook.webhook_id}`,
        now,
      ) ?? []
    );
  });
}

/** A warning for a webhook that is disabled or paused, or has failed at least twice in a row. */
function webhookWarning(webhook: WarnedWebhook, name: string, now: Date): Warning | undefined {
  if (webhook.status === 'disabled') {
    return {
      code: 'webhook_disabled',
      severity: 'critical',
      message: `The webhook to ${name} is disabled (${inside(webhook.disabled_reason ?? 'deliveries failed')}): fix the receiver, then reactivate the webhook.`,
      subject_id: webhook.webhook_id,
      since: (webhook.disabled_at ?? now).toISOString(),
    };
  }
  if (webhook.paused_at !== null) {
    return {
      code: 'webhook_paused',
      severity: 'info',
      message: `The webhook to ${name} is paused: what occurs is held for 30 days and not sent any more after that, so resume it in time.`,
      subject_id: webhook.webhook_id,
      since: webhook.paused_at.toISOString(),
    };
  }
  if (webhook.unsendable_since !== null) {
    return {
      code: 'webhook_unsendable',
      severity: 'critical',
      message: `The webhook to ${name} gets nothing, because this server cannot open its secret or headers: have SECRETS_KEY restored, or change the secret and the headers. Its deliveries wait.`,
      subject_id: webhook.webhook_id,
      since: webhook.unsendable_since.toISOString(),
    };
  }
  if (webhook.consecutive_failures < 2) return undefined;
  return {
    code: 'webhook_failing',
    severity: 'warning',
    message: `The webhook to ${name} has failed ${webhook.consecutive_failures} times in a row: check its receiver; after 5 failures it is disabled.`,
    subject_id: webhook.webhook_id,
    since: (webhook.last_counted_at ?? now).toISOString(),
  };
}

/** How many webhooks a warning names, and the longest part of a name. */
const NAMED = 3;
const SHORT_NAME = 80;

/**
 * One warning for all webhooks that somebody made, or last changed, who is no longer an owner: personal data may still
 * go where this person wanted it. Whoever changes one answers for it from then on.
 */
export function ownerlessWarning(
  webhooks: readonly WarnedWebhook[],
  owners: readonly number[],
): Warning | undefined {
  const ownerless = webhooks.filter((webhook) => {
    const answers = webhook.changed_by ?? webhook.created_by;
    return answers !== null && !owners.includes(answers);
  });
  const [first] = ownerless;
  if (first === undefined) return undefined;
  const names = ownerless.slice(0, NAMED).map((webhook) => cut(nameOf(webhook), SHORT_NAME));
  const more = ownerless.length - names.length;
  const list = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return {
    code: 'webhook_without_owner',
    severity: 'warning',
    message: `Made or last changed by somebody who is no longer an owner of this site: ${ownerless.length === 1 ? 'the webhook' : 'the webhooks'} to ${list}. See whether the receiver is still yours: change the secret to take a webhook over, or delete it.`,
    subject_id: ownerless.length === 1 ? first.webhook_id : null,
    since: new Date(Math.min(...ownerless.map(({ updated_at }) => updated_at.getTime()))).toISOString(),
  };
}
