import { keys, useAction } from '../../app/data';
import { describe, isConflict } from '../../app/errors';
import { useSite } from '../../app/site';
import { Button } from '../../ui';
import { hostOf, type Webhook } from './names';

/** Reactivates or resumes a webhook: resets its failures and sends the held deliveries, oldest first. */
export function Reactivate({ webhook, small = false }: { webhook: Webhook; small?: boolean }) {
  const { token, may } = useSite();
  const paused = webhook.status === 'paused';
  const [verb, done] = paused ? ['Resume', 'goes on'] : ['Reactivate', 'is active again'];
  const reactivate = useAction(
    (api) => {
      const at = { token, webhook_id: webhook.webhook_id };
      return paused ? api.resumeWebhook(at) : api.reactivateWebhook(at);
    },
    {
      success: `${hostOf(webhook)} ${done}.`,
      changes: [keys.site(token, 'webhooks'), keys.site(token, 'warnings')],
    },
  );
  if (webhook.status === 'active') {
    const late = isConflict(reactivate.error);
    return late ? <span role="status">Somebody else has done this: it is already active.</span> : null;
  }
  if (!may('owner')) return <span className="hint">An owner can {verb?.toLowerCase()} it.</span>;
  return (
    <>
      <Button
        small={small}
        variant="primary"
        isPending={reactivate.pending}
        onPress={() => reactivate.run(undefined)}
        aria-label={small ? `${verb} ${hostOf(webhook)}` : undefined}
      >
        {verb}
      </Button>
      {reactivate.error !== null && !isConflict(reactivate.error) && (
        <span className="field-error" role="alert">
          {describe(reactivate.error).text}
        </span>
      )}
    </>
  );
}
