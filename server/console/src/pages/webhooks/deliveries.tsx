import type { Input } from '@avow/sdk';
import { useState } from 'react';
import { keys, useAction, usePages } from '../../app/data';
import { describe } from '../../app/errors';
import { Allowed, useSite } from '../../app/site';
import { Button, Card, type Column, Dialog, PagedTable, Select, Time } from '../../ui';
import { Exchange } from './exchange';
import { type Delivery, DeliveryBadge, KINDS, type Webhook } from './names';
import { SendFailedAgain } from './send-failed-again';
import style from './webhooks.module.css';

const CHOICES = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['pending', 'Waiting'],
  ['held', 'Held'],
  ['failed', 'Failed'],
] as const;

/** The webhook's deliveries, newest first; they are kept for 30 days. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { token } = useSite();
  const [state, choose] = useState('');
  const [chosen, show] = useState<Delivery>();
  const filter = (state === '' ? {} : { state }) as Pick<Input<'listDeliveries'>, 'state'>;
  const list = usePages(
    keys.site(token, 'deliveries', webhook.webhook_id, filter),
    (api, cursor, signal) =>
      api.listDeliveries({ token, webhook_id: webhook.webhook_id, ...filter, ...cursor }, { signal }),
    { isChanging: isDue },
  );
  // The delivery as it is in the list now; after a redelivery it may have another state than the filter.
  const delivery = list.rows.find(({ delivery_id }) => delivery_id === chosen?.delivery_id) ?? chosen;
  const close = () => show(undefined);
  return (
    <Card
      title="Deliveries"
      actions={
        <span className="row">
          <SendFailedAgain webhook={webhook} />
          <Button small onPress={() => list.refetch()}>
            Refresh
          </Button>
        </span>
      }
    >
      <div className={style.deliveryFilter}>
        <Select label="State" value={state} onChange={choose} isRequired options={CHOICES} />
      </div>
      <PagedTable
        label="Deliveries"
        pages={list}
        columns={columns(show)}
        rowKey={({ delivery_id }) => delivery_id}
        empty={['No deliveries', hint(webhook, state)]}
      />
      <Dialog isOpen={delivery !== undefined} title={delivery?.event ?? ''} onClose={close} wide>
        {delivery !== undefined && (
          <>
            <Exchange delivery={delivery} webhook={webhook} />
            <div className="row end">
              <Redeliver delivery={delivery} onSent={show} />
              <Button onPress={close}>Close</Button>
            </div>
          </>
        )}
      </Dialog>
    </Card>
  );
}

/** What an empty list means. */
function hint({ held }: Webhook, state: string): string {
  if (held > 0 && (state === '' || state === 'held'))
    return 'What occurs while the webhook is paused or disabled is counted, and becomes deliveries when it is sent to again. You find it under Events.';
  return state === '' ? 'Send a test to see whether the receiver answers.' : 'No delivery is in this state.';
}

/** Whether an attempt is due now; later ones are not watched. */
const isDue = ({ state, next_attempt_at }: Delivery): boolean =>
  state === 'pending' && next_attempt_at !== null && Date.parse(next_attempt_at) <= Date.now();

const columns = (show: (delivery: Delivery) => void): Column<Delivery>[] => [
  { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Event', cell: ({ event }) => event },
  { title: 'Why', cell: ({ kind }) => KINDS[kind] },
  { title: 'State', cell: ({ state }) => <DeliveryBadge state={state} /> },
  {
    title: 'Answer',
    cell: ({ response_status, error }) =>
      response_status === null ? (error ?? '–') : `HTTP ${response_status}`,
  },
  { title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  {
    title: 'Details',
    cell: (delivery) => (
      <Button small onPress={() => show(delivery)} aria-label={`Details of ${delivery.event}`}>
        Details
      </Button>
    ),
  },
];

/** Sends the same message again, at once. */
export function Redeliver({ delivery, onSent }: { delivery: Delivery; onSent: (sent: Delivery) => void }) {
  const { token } = useSite();
  const { webhook_id, delivery_id } = delivery;
  const again = useAction((api) => api.redeliver({ token, webhook_id, delivery_id }), {
    success: ({ state }) =>
      state === 'delivered' ? 'Sent again, and accepted.' : 'Sent again, and not accepted.',
    changes: [keys.site(token, 'deliveries', webhook_id)],
    onDone: onSent,
  });
  return (
    <Allowed
      to="operator"
      otherwise={<span className="hint">Only operators and owners can send it again.</span>}
    >
      {again.error !== null && (
        <span className="field-error" role="alert">
          {describe(again.error).text}
        </span>
      )}
      <Button isPending={again.pending} onPress={() => again.run(undefined)}>
        Send again
      </Button>
    </Allowed>
  );
}
