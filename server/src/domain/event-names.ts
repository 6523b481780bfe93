import type { EventName } from './types';

/**
 * Whether the request of a stranger can cause it. Complete by its type: a new event does not compile before it
 * stands here.
 */
const NAMES: Readonly<Record<EventName, boolean>> = {
  'consent.accept_all': true,
  'consent.reject_all': true,
  'consent.save_preferences': true,
  'dsar.created': true,
  'dsar.resolved': false,
  'breach.created': false,
  'breach.reported': false,
};

/** Every event that the contract names. */
export const EVENT_NAMES = Object.keys(NAMES) as EventName[];

/** Whether a subscription to it, or to `*`, gets what strangers cause. */
export const isOfVisitors = (name: string): boolean => name === '*' || NAMES[name as EventName];
