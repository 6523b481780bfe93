import type { EventName } from './types';

/** Complete by its type: a new event does not compile before it stands here. */
const NAMES: Readonly<Record<EventName, true>> = {
  'consent.accept_all': true,
  'consent.reject_all': true,
  'consent.save_preferences': true,
  'dsar.created': true,
  'dsar.resolved': true,
  'breach.created': true,
  'breach.reported': true,
};

/** Every event that the contract names. */
export const EVENT_NAMES = Object.keys(NAMES) as EventName[];
