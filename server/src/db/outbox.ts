/** An event that is to be stored. Times are ISO 8601 strings. */
export interface EventInsert {
  environment_id: string;
  event_id: string;
  occurred_at: string;
  event: string;
  subject_id: string;
  payload: string;
}

/** A delivery that is to be stored. */
export interface DeliveryInsert {
  environment_id: string;
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  event_at: string;
}

/** The set-based statements of the transactional outbox; they take a JSON array. */
export const INSERT_EVENTS = {
  name: 'avow_insert_events',
  text: `INSERT INTO events (environment_id, occurred_at, event_id, event, subject_id, payload)
    SELECT environment_id, occurred_at, event_id, event, subject_id, payload
    FROM json_to_recordset($1::json) AS r (environment_id uuid, occurred_at timestamptz, event_id uuid, event text,
      subject_id uuid, payload text)`,
};

export const INSERT_DELIVERIES = {
  name: 'avow_insert_deliveries',
  text: `INSERT INTO deliveries
      (environment_id, delivery_id, webhook_id, event_id, event, event_at, kind, state, attempts, due_at, created_at)
    SELECT environment_id, delivery_id, webhook_id, event_id, event, event_at, 'event', 'pending', 0, event_at, event_at
    FROM json_to_recordset($1::json) AS r (environment_id uuid, delivery_id uuid, webhook_id uuid, event_id uuid, event text,
      event_at timestamptz)`,
};
