import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { Badge, count, type Tone } from '../../ui';
import { SubNav } from '../../ui/sub-nav';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type EventName = Schemas['EventName'];

export const EVENTS: readonly (readonly [EventName, string])[] = [
  ['consent.accept_all', 'A visitor accepts all'],
  ['consent.reject_all', 'A visitor rejects all'],
  ['consent.save_preferences', 'A visitor saves own choices'],
  ['dsar.created', 'A data-subject request arrives'],
  ['dsar.resolved', 'A data-subject request is resolved'],
  ['breach.created', 'A breach is recorded'],
  ['breach.reported', 'A breach is reported to the authority'],
];

const STATUSES: Record<Webhook['status'], readonly [string, Tone]> = {
  active: ['Active', 'good'],
  failing: ['Failing', 'warn'],
  disabled: ['Disabled', 'bad'],
  paused: ['Paused', 'info'],
};

const STATES: Record<Delivery['state'], readonly [string, Tone | 'neutral']> = {
  delivered: ['Delivered', 'good'],
  pending: ['Waiting', 'info'],
  held: ['Held', 'warn'],
  failed: ['Failed', 'bad'],
};

export const KINDS: Record<Delivery['kind'], string> = {
  event: 'Event',
  test: 'Test',
  redelivery: 'Sent again',
};

export function WebhookBadge({ status }: Pick<Webhook, 'status'>) {
  const [name, tone] = STATUSES[status];
  return <Badge tone={tone}>{name}</Badge>;
}

export function DeliveryBadge({ state }: Pick<Delivery, 'state'>) {
  const [name, tone] = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}

export const eventsOf = ({ events }: Pick<Webhook, 'events'>): string =>
  events === '*' ? 'All events' : events.join(', ');

/** The host, which identifies a receiver for users. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;

/** A count, which the server limits to a thousand. */
export const many = (number: number): string => (number >= 1000 ? '1,000 or more' : count(number));

/** The navigation between webhooks and events. */
export function WebhookSections() {
  const { path } = useSite();
  return (
    <SubNav
      label="Webhooks and events"
      links={[
        [path('webhooks'), 'Webhooks'],
        [path('webhooks/events'), 'Events'],
      ]}
    />
  );
}
