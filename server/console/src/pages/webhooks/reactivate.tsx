import { keys, useAction } from '../../app/data';
import { describe, isConflict } from '../../app/errors';
import { useSite } from '../../app/site';
import { Button } from '../../ui';
import { hostOf, type Webhook } from './names';

/** One click: the counter is 0 again, and what was held goes out, the oldest first. */
export function Reactivate({ webhook, small = false }: { webhook: Webhook; small?: boolean }) {
  const { token, may } = useSite();
  const paused = webhook.status === 'paused';
  const [verb, done] = paused ? ['Resume', 'goes on'] : ['Reactivate', 'is active again'];
  const goOn = useAction(
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
    const late = isConflict(goOn.error);
    return late ? <span role="status">Somebody was faster: it is active already.</span> : null;
  }
  if (!may('owner')) return <span className="hint">An owner can {verb?.toLowerCase()} it.</span>;
  return (
    <>
      <Button
        small={small}
        variant="primary"
        isPending={goOn.pending}
        onPress={() => goOn.run(undefined)}
        aria-label={small ? `${verb} ${hostOf(webhook)}` : undefined}
      >
        {verb}
      </Button>
      {goOn.error !== null && !isConflict(goOn.error) && (
        <span className="field-error" role="alert">
          {describe(goOn.error).text}
        </span>
      )}
    </>
  );
}
