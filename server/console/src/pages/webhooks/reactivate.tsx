import { keys, useAction } from '../../app/data';
import { describe, isConflict } from '../../app/errors';
import { useSite } from '../../app/site';
import { Button } from '../../ui';
import { hostOf, type Webhook } from './names';

/** One click: the counter is 0 again, and what was held goes out, the oldest first. */
export function Reactivate({ webhook, small = false }: { webhook: Webhook; small?: boolean }) {
  const { token, may } = useSite();
  const reactivate = useAction((api) => api.reactivateWebhook({ token, webhook_id: webhook.webhook_id }), {
    success: `${hostOf(webhook)} is active again.`,
    changes: [keys.site(token, 'webhooks'), keys.site(token, 'warnings')],
  });
  if (webhook.status === 'active') {
    const late = isConflict(reactivate.error);
    return late ? <span role="status">Somebody was faster: it is active already.</span> : null;
  }
  if (!may('owner')) return <span className="hint">An owner can reactivate it.</span>;
  return (
    <>
      <Button
        small={small}
        variant="primary"
        isPending={reactivate.pending}
        onPress={() => reactivate.run(undefined)}
        aria-label={small ? `Reactivate ${hostOf(webhook)}` : undefined}
      >
        Reactivate
      </Button>
      {reactivate.error !== null && !isConflict(reactivate.error) && (
        <span className="field-error" role="alert">
          {describe(reactivate.error).text}
        </span>
      )}
    </>
  );
}
