import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, PageHeader, QueryState } from '../../ui';
import { WebhookActions } from './actions';
import { Deliveries } from './deliveries';
import { hostOf, type Webhook, WebhookBadge } from './names';
import { Reactivate } from './reactivate';
import { Facts, Trouble } from './state';

/** How often a webhook with waiting deliveries is read again, in milliseconds. */
const WATCH = 4_000;

/** One webhook: its state, its deliveries, and all actions. */
export default function WebhookPage() {
  const { token } = useSite();
  const { id = '' } = useParams();
  const webhook = useAnswer(
    keys.site(token, 'webhooks', id),
    (api, signal) => api.getWebhook({ token, webhook_id: id }, { signal }),
    { refetchInterval: WATCH },
  );
  useFollow(webhook.data);
  return <QueryState query={webhook}>{(found) => <Page webhook={found} />}</QueryState>;
}

/** Reads the deliveries again when the webhook's state shows a new attempt. */
function useFollow(webhook: Webhook | undefined): void {
  const { token } = useSite();
  const client = useQueryClient();
  const sign =
    webhook &&
    [webhook.pending, webhook.held, webhook.consecutive_failures, webhook.last_success_at].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the sign matters
  useEffect(() => {
    if (webhook !== undefined) {
      void client.invalidateQueries({ queryKey: keys.site(token, 'deliveries', webhook.webhook_id) });
    }
  }, [sign]);
}

function Page({ webhook }: { webhook: Webhook }) {
  const { path } = useSite();
  return (
    <>
      <PageHeader
        title={webhook.description ?? hostOf(webhook)}
        back={[path('webhooks'), 'Webhooks']}
        actions={<Reactivate webhook={webhook} />}
      >
        <span className="row">
          <WebhookBadge status={webhook.status} />
          <code>{webhook.url}</code>
        </span>
      </PageHeader>
      <Trouble webhook={webhook} />
      <Card title="Webhook">
        <Facts webhook={webhook} />
        <WebhookActions webhook={webhook} />
      </Card>
      <Deliveries webhook={webhook} />
    </>
  );
}
