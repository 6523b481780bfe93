import { Checkbox, RadioGroup, TextField } from '../../ui';
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

type Draft = ReturnType<typeof useKeptDraft<WebhookDraft>>;

/** Where to, which events, and how. */
export function WebhookFields({ draft }: { draft: Draft }) {
  const { bind, value, set } = draft;
  const toggle = (event: EventName, on: boolean): void =>
    // In the order of the list, whatever was ticked first.
    set({
      events: EVENTS.map(([key]) => key).filter((key) => (key === event ? on : value.events.includes(key))),
    });
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
        name="events"
        options={[
          ['all', 'Every event'],
          ['some', 'Only these'],
        ]}
      />
      {value.which === 'some' && (
        <fieldset className="event-choices" aria-label="Events to send">
          {EVENTS.map(([event, meaning]) => (
            <Checkbox
              key={event}
              label={event}
              hint={meaning}
              value={value.events.includes(event)}
              onChange={(on) => toggle(event, on)}
            />
          ))}
        </fieldset>
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
