import * as analytics from './analytics';
import * as answerFiles from './answer-files';
import * as audit from './audit';
import * as auth from './auth';
import * as autoBlocking from './auto-blocking';
import * as bannerTest from './banner-test';
import * as breaches from './breaches';
import * as bundles from './bundles';
import * as compliance from './compliance';
import * as consentLinks from './consent-links';
import * as consents from './consents';
import * as cookieDeclaration from './cookie-declaration';
import * as deliveries from './deliveries';
import * as domains from './domains';
import * as dsar from './dsar';
import * as dsarAssignees from './dsar-assignees';
import * as dsarAttachments from './dsar-attachments';
import * as dsarBulk from './dsar-bulk';
import * as dsarCase from './dsar-case';
import * as dsarComments from './dsar-comments';
import * as dsarSteps from './dsar-steps';
import * as dsarSystems from './dsar-systems';
import * as dsarTemplates from './dsar-templates';
import * as dsarViews from './dsar-views';
import * as environments from './environments';
import * as erasureRecords from './erasure-records';
import * as erasures from './erasures';
import * as events from './events';
import * as evidence from './evidence';
import * as formConsents from './form-consents';
import type { Handlers } from './handler';
import * as keys from './keys';
import * as mailedLinks from './mailed-links';
import * as mails from './mails';
import * as members from './members';
import * as notifications from './notifications';
import * as preferences from './preferences';
import * as redeliveries from './redeliveries';
import * as regions from './regions';
import * as retention from './retention';
import * as ropa from './ropa';
import * as scanChanges from './scan-changes';
import * as scanSchedules from './scan-schedules';
import * as scans from './scans';
import * as secondFactors from './second-factors';
import * as secondStep from './second-step';
import * as sessions from './sessions';
import * as settingsVersions from './settings-versions';
import * as signOn from './sign-on';
import * as tcf from './tcf';
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
  ...answerFiles,
  ...audit,
  ...auth,
  ...autoBlocking,
  ...bannerTest,
  ...breaches,
  ...bundles,
  ...compliance,
  ...consentLinks,
  ...consents,
  ...cookieDeclaration,
  ...deliveries,
  ...domains,
  ...dsar,
  ...dsarAssignees,
  ...dsarAttachments,
  ...dsarBulk,
  ...dsarCase,
  ...dsarComments,
  ...dsarSteps,
  ...dsarSystems,
  ...dsarTemplates,
  ...dsarViews,
  ...environments,
  ...erasureRecords,
  ...erasures,
  ...events,
  ...evidence,
  ...formConsents,
  ...keys,
  ...mails,
  ...mailedLinks,
  ...members,
  ...notifications,
  ...preferences,
  ...redeliveries,
  ...regions,
  ...retention,
  ...ropa,
  ...scanChanges,
  ...scanSchedules,
  ...scans,
  ...secondFactors,
  ...secondStep,
  ...sessions,
  ...settingsVersions,
  ...signOn,
  ...tcf,
  ...vendors,
  ...verify,
  ...visitor,
  ...warnings,
  ...webhookStates,
  ...webhooks,
};
