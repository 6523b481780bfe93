import { CheckboxGroup, type Problems, RadioGroup, TextArea, TextField } from '../../ui';
import type { useKeptDraft } from '../../ui/kept-draft';
import { checkHeaders } from './header-lines';
import { EVENTS, type EventName, type Webhook } from './names';
import style from './webhooks.module.css';

/** A webhook as it is typed. */
export interface WebhookDraft {
  url: string;
  description: string;
  which: 'all' | 'some';
  events: EventName[];
  method: Webhook['method'];
  /** Lines of `Name: value`: those that are there have no values to show. */
  headers: string;
}

export const toDraft = (webhook?: Webhook): WebhookDraft => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  which: webhook === undefined || webhook.events === '*' ? 'all' : 'some',
  events: webhook === undefined || webhook.events === '*' ? [] : webhook.events,
  method: webhook?.method ?? 'POST',
  headers: '',
});

export const subscription = ({ which, events }: WebhookDraft): '*' | EventName[] =>
  which === 'all' ? '*' : events;

/** A webhook without events would never send anything; the server's words for that are about its types. */
export const checkFields = ({ which, events, headers }: WebhookDraft): Problems => ({
  ...(which === 'some' && events.length === 0 ? { events: ['Choose at least one event.'] } : {}),
  ...checkHeaders(headers),
});

type Draft = ReturnType<typeof useKeptDraft<WebhookDraft>>;

/** Where to, which events, and how. */
export function WebhookFields({ draft, present = [] }: { draft: Draft; present?: readonly string[] }) {
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
        <div className={style.eventChoices}>
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
      <TextArea
        label={present.length === 0 ? 'Own headers' : 'Change own headers'}
        {...bind('headers')}
        rows={2}
        placeholder="Authorization: Bearer …"
        description={
          present.length === 0
            ? 'One in each line, such as a key that your gateway asks for. Their values are not shown again.'
            : `There are ${present.join(', ')}; their values are not shown. A line sets a header, a name with a colon alone removes it. With another address, set or remove each of them.`
        }
      />
    </>
  );
}
