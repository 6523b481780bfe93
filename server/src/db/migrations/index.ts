import type { Knex } from 'knex';
import * as accounts from './20261121000100_accounts';
import * as environments from './20261121000200_environments';
import * as consents from './20261121000300_consents';
import * as counts from './20261121000400_counts';
import * as formConsents from './20261121000500_form_consents';
import * as idempotency from './20261121000600_idempotency';
import * as dsar from './20261121000700_dsar';
import * as breaches from './20261121000800_breaches';
import * as events from './20261121000900_events';
import * as webhooks from './20261121001000_webhooks';
import * as vendors from './20261121001100_vendors';
import * as scans from './20261121001200_scans';
import * as bundles from './20261121001300_bundles';
import * as dsarDeadline from './20261121001400_dsar_deadline';
import * as jobRuns from './20261121002400_job_runs';
import * as keyExpiry from './20261121002500_key_expiry';
import * as invitationMakers from './20261121002600_invitation_makers';
import * as siteChanges from './20261122010000_site_changes';
import * as retentionHolds from './20261122010100_retention_holds';
import * as siteInvitations from './20261122110000_site_invitations';
import * as loginDelays from './20261122110100_login_delays';
import * as endedSessions from './20261122110200_ended_sessions';
import * as disabledAccounts from './20261122110300_disabled_accounts';
import * as scanSites from './20261122120000_scan_sites';
import * as domainProofs from './20261122120100_domain_proofs';
import * as breachStates from './20261122140100_breach_states';
import * as dsarChannels from './20261122140200_dsar_channels';
import * as formSessions from './20261122140300_form_sessions';
import * as formSessionsIndex from './20261122140400_form_sessions_index';
import * as archivedSites from './20261122140500_archived_sites';
import * as redeliveries from './20261122170100_redeliveries';
import * as failedDeliveries from './20261122170200_failed_deliveries';
import * as webhookPause from './20261122170300_webhook_pause';
import * as accountSponsors from './20261122180000_account_sponsors';
import * as canaries from './20261122180000_canaries';
import * as scanTurns from './20261122180100_scan_turns';
import * as settingsParts from './20261122180100_settings_parts';
import * as unsendableWebhooks from './20261122180100_unsendable_webhooks';
import * as formRecorder from './20261122190000_form_recorder';
import * as anyNode from './20261122200000_any_node';
import * as scanGroups from './20261122200000_scan_groups';
import * as upgradeSteps from './20261122200000_upgrade_steps';
import * as siteMakers from './20261122200100_site_makers';
import * as consentRecorder from './20261122210000_consent_recorder';
import * as recordedRequests from './20261122210100_recorded_requests';
import * as consentWords from './20261122220000_consent_words';
import * as shortIndexes from './20261122220100_short_indexes';
import * as shortRecords from './20261122220200_short_records';
import * as keysInRecords from './20261122230000_keys_in_records';
import * as settledBySite from './20261122230100_settled_by_site';
import * as formRecorderIndex from './20261123040717_form_recorder_index';
import * as rareDeliveriesIndex from './20261123043337_rare_deliveries_index';
import * as addInvitedByInvited from './20261123044740_add_invited_by_invited';
import * as choiceWaited from './20261123083451_choice_waited';
import * as addApiKeys from './20261123083925_add_api_keys';
import * as addScannedPages from './20261123084903_add_scanned_pages';
import * as addAuditEvents from './20261123151841_add_audit_events';
import * as addAskedVendors from './20261123151845_add_asked_vendors';
import * as addMissedSpans from './20261123152413_add_missed_spans';
import * as addMissedEventsIndex from './20261123152414_add_missed_events_index';
import * as addWebhookMakers from './20261123152416_add_webhook_makers';
import * as addErasures from './20261123154451_add_erasures';
import * as addLedger from './20261124042327_add_ledger';
import * as addLedgerVouchers from './20261124042328_add_ledger_vouchers';
import * as sealedRecords from './20261124042329_sealed_records';
import * as addLedgerAudits from './20261124160000_add_ledger_audits';
import * as addMails from './20261125224100_add_mails';
import * as addLoginSessions from './20261125224122_add_login_sessions';
import * as addSecondFactors from './20261125224151_add_second_factors';
import * as addVerifiedAddresses from './20261125224152_add_verified_addresses';
import * as addRequesterMails from './20261125224200_add_requester_mails';
import * as addNotices from './20261125224300_add_notices';
import * as addSignOn from './20261125224901_add_sign_on';
import * as addScanSchedules from './20261126064918_add_scan_schedules';
import * as addScanPagesIndex from './20261126064920_add_scan_pages_index';
import * as addRequestAssignees from './20261126065051_add_request_assignees';
import * as indexRequestAssignees from './20261126065053_index_request_assignees';
import * as addAttachments from './20261126065229_add_attachments';
import * as addAnswerTemplates from './20261126070721_add_answer_templates';
import * as addFileObjects from './20261126070851_add_file_objects';
import * as addRequestComments from './20261126071023_add_request_comments';
import * as indexOpenRequests from './20261126071738_index_open_requests';
import * as addRequestViews from './20261126071740_add_request_views';
import * as addRequestSearches from './20261126071945_add_request_searches';
import * as addErasedMails from './20261126072717_add_erased_mails';
import * as addAnswers from './20261126114700_add_answers';
import * as indexUndeliveredMails from './20261126114701_index_undelivered_mails';
import * as addAuditBegunBy from './20261126115000_add_audit_begun_by';
import * as addSwitchedOn from './20261126115500_add_switched_on';
import * as indexMailIds from './20261126150000_index_mail_ids';
import * as addViewChanges from './20261126151000_add_view_changes';
import * as indexDueDeliveries from './20261126152000_index_due_deliveries';
import * as addMailCounts from './20261126152100_add_mail_counts';
import * as addRegions from './20261126193000_add_regions';
import * as indexNoticesOfSite from './20261126195000_index_notices_of_site';
import * as addChoiceRule from './20261126224633_add_choice_rule';
import * as addGlobalVendorList from './20261126231000_add_global_vendor_list';
import * as addVendorChoices from './20261127072536_add_vendor_choices';
import * as addLedgerCodes from './20261127150401_add_ledger_codes';
import * as addMadeSites from './20261128045045_add_made_sites';
import * as indexMailAccounts from './20261128045048_index_mail_accounts';
import * as indexNewsOfRequests from './20261128050546_index_news_of_requests';
import * as noteClaimedAccounts from './20261128082717_note_claimed_accounts';
import * as addBannerTests from './20261128195651_add_banner_tests';
import * as addHeldPages from './20261128235531_add_held_pages';
import * as indexAccountMails from './20261129090000_index_account_mails';
import * as indexLostConfirmations from './20261129090328_index_lost_confirmations';
import * as indexMailsToSend from './20261129121500_index_mails_to_send';
import * as indexDeletedWebhooks from './20261129121600_index_deleted_webhooks';
import * as noteMakersOfMails from './20261129174000_note_makers_of_mails';
import * as addConsentLinks from './20261129183000_add_consent_links';

export interface Migration {
  /**
   * False for what cannot run in a transaction, such as CREATE INDEX CONCURRENTLY; it must be safe to
   * interrupt and repeat.
   */
  config?: { transaction: boolean };
  /**
   * `expand` adds, and older processes go on working; `contract` takes away what only they use, by the
   * operator's command. Those of the first released schema have none, and count as `expand`.
   */
  step?: 'expand' | 'contract';
  /** An expand step that the program can do without, such as a back-fill: no start waits for it. */
  background?: boolean;
  /**
   * Of a contract step: the released version that no longer used what is taken away. Without it only programs
   * that bring the step themselves can do without.
   */
  unusedSince?: string;
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** Every migration by name, oldest first. Listed by import, so that a build or a bundle cannot lose one. */
export const migrations: Record<string, Migration> = {
  '20261121000100_accounts': accounts,
  '20261121000200_environments': environments,
  '20261121000300_consents': consents,
  '20261121000400_counts': counts,
  '20261121000500_form_consents': formConsents,
  '20261121000600_idempotency': idempotency,
  '20261121000700_dsar': dsar,
  '20261121000800_breaches': breaches,
  '20261121000900_events': events,
  '20261121001000_webhooks': webhooks,
  '20261121001100_vendors': vendors,
  '20261121001200_scans': scans,
  '20261121001300_bundles': bundles,
  '20261121001400_dsar_deadline': dsarDeadline,
  '20261121002400_job_runs': jobRuns,
  '20261121002500_key_expiry': keyExpiry,
  '20261121002600_invitation_makers': invitationMakers,
  '20261122010000_site_changes': siteChanges,
  '20261122010100_retention_holds': retentionHolds,
  '20261122110000_site_invitations': siteInvitations,
  '20261122110100_login_delays': loginDelays,
  '20261122110200_ended_sessions': endedSessions,
  '20261122110300_disabled_accounts': disabledAccounts,
  '20261122120000_scan_sites': scanSites,
  '20261122120100_domain_proofs': domainProofs,
  '20261122140100_breach_states': breachStates,
  '20261122140200_dsar_channels': dsarChannels,
  '20261122140300_form_sessions': formSessions,
  '20261122140400_form_sessions_index': formSessionsIndex,
  '20261122140500_archived_sites': archivedSites,
  '20261122170100_redeliveries': redeliveries,
  '20261122170200_failed_deliveries': failedDeliveries,
  '20261122170300_webhook_pause': webhookPause,
  '20261122180000_account_sponsors': accountSponsors,
  '20261122180000_canaries': canaries,
  '20261122180100_scan_turns': scanTurns,
  '20261122180100_settings_parts': settingsParts,
  '20261122180100_unsendable_webhooks': unsendableWebhooks,
  '20261122190000_form_recorder': formRecorder,
  '20261122200000_any_node': anyNode,
  '20261122200000_scan_groups': scanGroups,
  '20261122200000_upgrade_steps': upgradeSteps,
  '20261122200100_site_makers': siteMakers,
  '20261122210000_consent_recorder': consentRecorder,
  '20261122210100_recorded_requests': recordedRequests,
  '20261122220000_consent_words': consentWords,
  '20261122220100_short_indexes': shortIndexes,
  '20261122220200_short_records': shortRecords,
  '20261122230000_keys_in_records': keysInRecords,
  '20261122230100_settled_by_site': settledBySite,
  '20261123040717_form_recorder_index': formRecorderIndex,
  '20261123043337_rare_deliveries_index': rareDeliveriesIndex,
  '20261123044740_add_invited_by_invited': addInvitedByInvited,
  '20261123083451_choice_waited': choiceWaited,
  '20261123083925_add_api_keys': addApiKeys,
  '20261123084903_add_scanned_pages': addScannedPages,
  '20261123151841_add_audit_events': addAuditEvents,
  '20261123151845_add_asked_vendors': addAskedVendors,
  '20261123152413_add_missed_spans': addMissedSpans,
  '20261123152414_add_missed_events_index': addMissedEventsIndex,
  '20261123152416_add_webhook_makers': addWebhookMakers,
  '20261123154451_add_erasures': addErasures,
  '20261124042327_add_ledger': addLedger,
  '20261124042328_add_ledger_vouchers': addLedgerVouchers,
  '20261124042329_sealed_records': sealedRecords,
  '20261124160000_add_ledger_audits': addLedgerAudits,
  '20261125224100_add_mails': addMails,
  '20261125224122_add_login_sessions': addLoginSessions,
  '20261125224151_add_second_factors': addSecondFactors,
  '20261125224152_add_verified_addresses': addVerifiedAddresses,
  '20261125224200_add_requester_mails': addRequesterMails,
  '20261125224300_add_notices': addNotices,
  '20261125224901_add_sign_on': addSignOn,
  '20261126064918_add_scan_schedules': addScanSchedules,
  '20261126064920_add_scan_pages_index': addScanPagesIndex,
  '20261126065051_add_request_assignees': addRequestAssignees,
  '20261126065053_index_request_assignees': indexRequestAssignees,
  '20261126065229_add_attachments': addAttachments,
  '20261126070721_add_answer_templates': addAnswerTemplates,
  '20261126070851_add_file_objects': addFileObjects,
  '20261126071023_add_request_comments': addRequestComments,
  '20261126071738_index_open_requests': indexOpenRequests,
  '20261126071740_add_request_views': addRequestViews,
  '20261126071945_add_request_searches': addRequestSearches,
  '20261126072717_add_erased_mails': addErasedMails,
  '20261126114700_add_answers': addAnswers,
  '20261126114701_index_undelivered_mails': indexUndeliveredMails,
  '20261126115000_add_audit_begun_by': addAuditBegunBy,
  '20261126115500_add_switched_on': addSwitchedOn,
  '20261126150000_index_mail_ids': indexMailIds,
  '20261126151000_add_view_changes': addViewChanges,
  '20261126152000_index_due_deliveries': indexDueDeliveries,
  '20261126152100_add_mail_counts': addMailCounts,
  '20261126193000_add_regions': addRegions,
  '20261126195000_index_notices_of_site': indexNoticesOfSite,
  '20261126224633_add_choice_rule': addChoiceRule,
  '20261126231000_add_global_vendor_list': addGlobalVendorList,
  '20261127072536_add_vendor_choices': addVendorChoices,
  '20261127150401_add_ledger_codes': addLedgerCodes,
  '20261128045045_add_made_sites': addMadeSites,
  '20261128045048_index_mail_accounts': indexMailAccounts,
  '20261128050546_index_news_of_requests': indexNewsOfRequests,
  '20261128082717_note_claimed_accounts': noteClaimedAccounts,
  '20261128195651_add_banner_tests': addBannerTests,
  '20261128235531_add_held_pages': addHeldPages,
  '20261129090000_index_account_mails': indexAccountMails,
  '20261129090328_index_lost_confirmations': indexLostConfirmations,
  '20261129121500_index_mails_to_send': indexMailsToSend,
  '20261129121600_index_deleted_webhooks': indexDeletedWebhooks,
  '20261129174000_note_makers_of_mails': noteMakersOfMails,
  '20261129183000_add_consent_links': addConsentLinks,
};
