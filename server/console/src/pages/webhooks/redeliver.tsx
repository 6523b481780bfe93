import { keys, useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { Allowed, useSite } from '../../app/site';
import { Button } from '../../ui';
import type { Delivery } from './names';

/** Sends the very same message once more, now. */
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
    <Allowed to="operator" otherwise={<span className="hint">Operators and owners can send it again.</span>}>
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
