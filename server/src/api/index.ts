import * as analytics from './analytics';
import * as audit from './audit';
import * as auth from './auth';
import * as breaches from './breaches';
import * as bundles from './bundles';
import * as compliance from './compliance';
import * as consents from './consents';
import * as deliveries from './deliveries';
import * as domains from './domains';
import * as dsar from './dsar';
import * as dsarSteps from './dsar-steps';
import * as environments from './environments';
import * as erasureRecords from './erasure-records';
import * as erasures from './erasures';
import * as events from './events';
import * as evidence from './evidence';
import * as formConsents from './form-consents';
import type { Handlers } from './handler';
import * as keys from './keys';
import * as members from './members';
import * as preferences from './preferences';
import * as redeliveries from './redeliveries';
import * as retention from './retention';
import * as ropa from './ropa';
import * as scans from './scans';
import * as vendors from './vendors';
import * as verify from './verify';
import * as visitor from './visitor';
import * as warnings from './warnings';
import * as webhookStates from './webhook-states';
import * as webhooks from './webhooks';

/**
 * Every operation of the contract and the function that answers it: the modules of this folder export nothing
 * else.
 */
export const handlers: Handlers = {
  ...analytics,
  ...audit,
  ...auth,
  ...breaches,
  ...bundles,
  ...compliance,
  ...consents,
  ...deliveries,
  ...domains,
  ...dsar,
  ...dsarSteps,
  ...environments,
  ...erasureRecords,
  ...erasures,
  ...events,
  ...evidence,
  ...formConsents,
  ...keys,
  ...members,
  ...preferences,
  ...redeliveries,
  ...retention,
  ...ropa,
  ...scans,
  ...vendors,
  ...verify,
  ...visitor,
  ...warnings,
  ...webhookStates,
  ...webhooks,
};
