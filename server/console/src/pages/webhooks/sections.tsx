import { useSite } from '../../app/site';
import { SubNav } from '../../ui/sub-nav';

/** Who is told, and of what. */
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
