import { CheckboxGroup, type Problems, RadioGroup, TextField } from '../../ui';
import type { useKeptDraft } from '../../ui/kept-draft';
import { EVENTS, type EventName, type Webhook } from './names';

/** A webhook as it is typed. */
export interface WebhookDraft {
  url: string;
  description: string;
  which: 'all' | 'some';
  events: EventName[];
  method: Webhook['method'];
}

export const toDraft = (webhook?: Webhook): WebhookDraft => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  which: webhook === undefined || webhook.events === '*' ? 'all' : 'some',
  events: webhook === undefined || webhook.events === '*' ? [] : webhook.events,
  method: webhook?.method ?? 'POST',
});

export const subscription = ({ which, events }: WebhookDraft): '*' | EventName[] =>
  which === 'all' ? '*' : events;

/** A webhook without events would never send anything; the server's words for that are about its types. */
export const checkEvents = ({ which, events }: WebhookDraft): Problems =>
  which === 'some' && events.length === 0 ? { events: ['Choose at least one event.'] } : {};

type Draft = ReturnType<typeof useKeptDraft<WebhookDraft>>;

/** Where to, which events, and how. */
export function WebhookFields({ draft }: { draft: Draft }) {
  const { bind, value, set } = draft;
  return (
    <>
      <TextField
        label="Address"
        {...bind('url')}
        type="url"
        placeholder="https://receiver.example.com/hooks/avow"
        description="https, reachable from the internet, without credentials."
        isRequired
      />
      <TextField
        label="Description"
        {...bind('description')}
        maxLength={300}
        description="By which you will know it."
      />
      <RadioGroup
        label="Events"
        {...bind('which')}
        options={[
          ['all', 'Every event'],
          ['some', 'Only these'],
        ]}
      />
      {value.which === 'some' && (
        <div className="event-choices">
          <CheckboxGroup
            label="Events to send"
            name="events"
            options={EVENTS.map(([event, meaning]) => [event, event, meaning] as const)}
            value={value.events}
            // In the order of the list, whatever was ticked first.
            onChange={(next) =>
              set({ events: EVENTS.map(([key]) => key).filter((key) => next.includes(key)) })
            }
          />
        </div>
      )}
      <RadioGroup
        label="Sent by"
        {...bind('method')}
        options={[
          ['POST', 'POST'],
          ['GET', 'GET', 'With the same body; for receivers that cannot do otherwise.'],
        ]}
      />
    </>
  );
}
