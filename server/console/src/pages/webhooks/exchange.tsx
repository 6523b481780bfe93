import { useSite } from '../../app/site';
import { CodeBlock, FieldList, Time } from '../../ui';
import { type Delivery, DeliveryBadge, KINDS, type Webhook } from './names';
import style from './webhooks.module.css';

interface Of {
  delivery: Delivery;
  webhook: Webhook;
}

/** The request and the answer of a delivery. */
export function Exchange({ delivery, webhook }: Of) {
  return (
    <div className={style.exchange}>
      <section aria-label="Request">
        <h3>Request</h3>
        <FieldList
          items={[
            ['Sent to', `${webhook.method} ${webhook.url}`],
            ['Why', KINDS[delivery.kind]],
            ['Message id', <code key="id">{delivery.event_id}</code>],
          ]}
        />
        <CodeBlock label="Payload" code={JSON.stringify(delivery.payload, null, 2)} />
      </section>
      <Answer delivery={delivery} />
    </div>
  );
}

function Answer({ delivery }: Pick<Of, 'delivery'>) {
  const { may } = useSite();
  return (
    <section aria-label="Answer">
      <h3>Answer</h3>
      <FieldList
        items={[
          ['State', <DeliveryBadge key="state" state={delivery.state} />],
          ['Attempts', String(delivery.attempts)],
          ['Last attempt', delivery.last_attempt_at && <Time at={delivery.last_attempt_at} />],
          ['Next attempt', delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />],
          ['HTTP status', delivery.response_status === null ? 'None' : String(delivery.response_status)],
          ['Took', delivery.duration_ms === null ? undefined : `${delivery.duration_ms} ms`],
          ['Error', delivery.error],
        ]}
      />
      {delivery.response_body ? (
        <CodeBlock label="Body" code={delivery.response_body} copy={false} />
      ) : (
        <p className="muted">{may('operator') ? noBody(delivery) : 'Operators and owners see its text.'}</p>
      )}
    </section>
  );
}

function noBody({ attempts, response_status }: Delivery): string {
  if (attempts === 0) return 'Nothing was sent yet.';
  return response_status === null ? 'There was no answer.' : 'The answer had no body.';
}
