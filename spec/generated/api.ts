// Generated from spec/*.tsp by `npm run generate`. Do not edit.
export interface paths {
    "/api/auth/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Accept a one-time link and choose a password: creates the account and logs in. The first owner's set-up link is printed by the server. */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * @description Log in with e-mail and password. A wrong password and an unknown address give the same answer in the same time; after 10
         *     failures within 15 minutes for one address of person and network, 429.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Change the caller's password. Every older bearer token ends; the answer holds a new one. */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description End every bearer token of the caller, this one included. */
        post: operations["revokeTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bundles/{token}.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The site's present bundle: a script that shows the banner. Kept by caches for 60 s, and shown a minute longer while they ask again; `If-None-Match` gives 304. Whatever query content systems and optimisers add to the address is ignored. 404 before the first was generated, 403 while the site is paused. */
        get: operations["getBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bundles/{token}/{hash}.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One bundle, for good: caches may keep it for a year. Older bundles stay where they are when a new one is generated. A query is ignored. */
        get: operations["getBundleVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bundles/{token}/{hash}/texts/{language}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The texts of one language of a bundle, for scripts that hold only the default language. Caches may keep it for a year. */
        get: operations["getBundleTexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bundles/{token}/{hash}/vendors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The vendors, cookies and lifetimes that a bundle tells visitors about. Caches may keep it for a year. */
        get: operations["getBundleVendors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consents/{token}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Record a visitor's decision. Answered only after it is committed. */
        post: operations["logConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description Decisions, rates, interactions, a time series and breakdowns, compared with the period before. Default: the last 30 days by day.
         *     A range is at most 5 years, with the interval hour at most 93 days and without `group_by`; with the period before it must lie within
         *     the years 2000 to 2099. Languages that the site does not have are counted as `other`.
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/breaches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The register of breaches, newest first. */
        get: operations["listBreaches"];
        put?: never;
        /** @description Record a breach (GDPR Art. 33(5)). The 72 hours run from aware_at. */
        post: operations["createBreach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/breaches/{breach_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One breach with its history. */
        get: operations["getBreach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** @description Complete or correct a breach as facts become known (GDPR Art. 33(4)); what is left out stays. */
        patch: operations["updateBreach"];
        trace?: never;
    };
    "/api/cookies/{token}/breaches/{breach_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Mark a breach as reported to the supervisory authority; sends breach.reported; 409 when it is reported already. After notify_by a reason is needed. */
        post: operations["reportBreach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Every bundle of the site, newest first. */
        get: operations["listBundles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/bundles/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One bundle with what it was made of. */
        get: operations["getBundleRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/compliance-score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The compliance score with evidence, remedy and legal source of each check. */
        get: operations["getComplianceScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Consent records, newest first. */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/consents/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Every consent record as a file, oldest first, streamed. CSV cells that a spreadsheet would take for a formula are quoted with `'`. */
        get: operations["exportConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/consents/{consent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One consent record with what proves it: what was shown, and whether it was withdrawn later. */
        get: operations["getConsent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/dsar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Data-subject requests: newest first, or by deadline. `open` takes only those that are still to be answered, or only the others. */
        get: operations["listDsar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/dsar/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One data-subject request with its history. */
        get: operations["getDsar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/dsar/{request_id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Extend the deadline by 60 days, once, with a reason (GDPR Art. 12(3)); 409 when resolved or extended already. */
        post: operations["extendDsar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/dsar/{request_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Mark a request completed; sends dsar.resolved; 409 when it is resolved already. */
        post: operations["resolveDsar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/dsar/{request_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Begin to work on a request: created → in_progress; 409 from any other state. */
        post: operations["startDsar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description Events with their payloads, oldest first unless `order` says otherwise: what a receiver missed can be read again. Oldest first, an event
         *     is held back while an older one is still being stored, so that whoever reads on is not led past it. Events of requests and breaches are all kept;
         *     those of decisions from the moment that a webhook subscribes to them (the decisions themselves are in listConsents).
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/form-consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Form consents, newest first. */
        get: operations["listFormConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/generate-bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * @description Generate the site's banner script from its settings and publish it. The same settings give the same bytes, on every process; every
         *     bundle ever generated is kept, so that what a visitor saw can be shown again (GDPR Art. 7(1)). Pages of any origin may call it with a
         *     bearer token: there is no cookie that a browser would add for a page that has none.
         */
        post: operations["generateBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/preview-bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Make a bundle of settings that need not be saved, without publishing or keeping it. Pages of any origin may call it with a bearer token. */
        post: operations["previewBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/ropa-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description Records of processing activities (GDPR Art. 30(1)(a)–(g)): the owner's entries joined with those derived from categories, vendors, forms,
         *     requests and breaches. As JSON in the envelope, or as a CSV, XLSX or printable HTML file; what a spreadsheet would take for a
         *     formula has a `'` before it in CSV and XLSX, and a cell of XLSX is cut at 32,767 characters.
         */
        get: operations["exportRopa"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The scans that were started for this site, newest first; kept for 30 days. */
        get: operations["listScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * @description Erase every consent record of one visitor's session, with its events and their deliveries (GDPR Art. 17). Counts in reports hold no
         *     personal data and stay; a data-subject request that names the session stays too, as the record of the request itself.
         */
        delete: operations["eraseSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/vendors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** @description Replace the site's vendors; send `expected_version`, so that nobody's change is lost. Unknown categories and purposes, repeated ids, and a purpose with two legal bases are refused. */
        put: operations["replaceVendors"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What needs the owner's attention now, the most severe first; computed when it is read, the first 100. */
        get: operations["listWarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The environment's webhooks. */
        get: operations["listWebhooks"];
        put?: never;
        /** @description Create a webhook for all events or for some. The secret is shown this once. */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One webhook with its state. */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** @description Delete a webhook with its deliveries. */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** @description Change a webhook; events that occurred before keep the subscription they had. */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/cookies/{token}/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The webhook's deliveries, newest first; kept for 30 days. */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Send a delivery once more, now, and answer with what came of it. Never counts towards the 5 failures. */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/webhooks/{webhook_id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Reactivate a disabled or failing webhook: its counter is 0 again and held deliveries go out, oldest first. 409 when it is active. */
        post: operations["reactivateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Make a new secret, shown this once. The old one keeps signing until the overlap has passed; 409 while an overlap is running, unless it is ended with overlap_hours 0. */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cookies/{token}/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Send an example event now and answer with what came of it. The request carries `X-Service-Test: true`, which nothing else does but its redelivery. Never counts towards the 5 failures. */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dsar/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Submit a data-subject request (GDPR Art. 15–22). The deadline is 30 days. */
        post: operations["submitDsar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The environments that the caller is a member of. */
        get: operations["listEnvironments"];
        put?: never;
        /** @description Register a site; the caller becomes its owner. */
        post: operations["createEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/environments/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One environment with its settings. */
        get: operations["getEnvironment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** @description Change a site or its settings. A change of settings makes a new version; visitors get it within 2 seconds. Send `expected_settings_version` and `expected_revision`, so that nobody's change is lost when two people change the same at once. */
        patch: operations["updateEnvironment"];
        trace?: never;
    };
    "/api/environments/{token}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who may see and manage the environment. */
        get: operations["listMembers"];
        put?: never;
        /** @description Add a person. Somebody without an account gets a one-time invitation link, unless a password is given. 409 for a member, and for somebody whose invitation to environments that you do not own is still open. */
        post: operations["addMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/environments/{token}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** @description Remove a person. The open invitations that they made end, and renewInvitation makes new ones. The last owner who has an account cannot be removed (409). */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** @description Give a person another role; it holds from their next request on. The open invitations of somebody who is an owner no more end, and renewInvitation makes new ones. The last owner who has an account cannot be given less (409). */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/environments/{token}/members/{user_id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Make a new invitation link for somebody who has not used theirs; the older link ends. 409 for somebody who has an account, and for somebody who is invited to environments that you do not own too: whoever holds the link gets all of them. */
        post: operations["renewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/form-consents/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Record what a person agreed to in a form. */
        post: operations["recordFormConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/impressions/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Count that the banner was shown. Kept as counts, never as a row for each visitor. */
        post: operations["recordImpression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who the bearer token belongs to. */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/preferences/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The latest choice of a session, and whether it must be asked again. */
        get: operations["getPreferences"];
        put?: never;
        /** @description Record a choice by category: `logConsent` with the decision `save_preferences`. */
        post: operations["savePreferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/cookie-scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * @description Visit a page as a new visitor and list what it stores and whom it contacts before any consent. The visit happens later: read it
         *     with `getScan`. 409 while a scan of the same domain waits or runs; its id is not told, since the id is the key to its result.
         *     At most 5 a minute from one address.
         */
        post: operations["startCookieScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/cookie-scan/{scan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A scan and, once it is done, its result. 404 after 30 days. */
        get: operations["getScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/vendors/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The site's vendors with their purposes, cookies and lifetimes, for banners. Cacheable; `If-None-Match` gives 304. */
        get: operations["getVendors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/verify/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description Whether a domain is registered here and its banner is alive. `www.` stands for its domain; other subdomains do not. An unknown domain is
         *     not verified; it is no error.
         */
        get: operations["verifyDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v/{token}/ce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Record a decision in compact form, safe on page unload: as durable as `logConsent`, and counted once for each `event_id`. */
        post: operations["recordVisitorConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v/{token}/e": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Count up to 100 interactions with the banner. */
        post: operations["recordVisitorEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "breach.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description A breach was recorded. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example breach.created
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BreachCreatedEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "breach.reported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description A breach was reported to the supervisory authority. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example breach.reported
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BreachReportedEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "consent.accept_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description A visitor accepted everything. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example consent.accept_all
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConsentAcceptAllEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "consent.reject_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description A visitor refused everything but what is required. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example consent.reject_all
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConsentRejectAllEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "consent.save_preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description A visitor chose by category; `data.categories` says which are allowed. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example consent.save_preferences
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConsentSavePreferencesEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dsar.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description A data-subject request arrived. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example dsar.created
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DsarCreatedEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dsar.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description An operator marked a data-subject request completed. Sent as GET, with the same body, where the webhook's method says so. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description sha256= and the lower-case hexadecimal HMAC-SHA256 of the body as sent; key: the secret as shown, in UTF-8. */
                    "X-Service-Signature": string;
                    /** @description The same with the new secret, while a rotation is running. */
                    "X-Service-Signature-Next"?: string;
                    /**
                     * @description The name of the event.
                     * @example dsar.resolved
                     */
                    "X-Service-Event": string;
                    /** @description The id of the delivery. */
                    "X-Service-Delivery": string;
                    /**
                     * @description The number of the attempt, from 1.
                     * @example 1
                     */
                    "X-Service-Attempt": string;
                    /** @description `true` on an example that `testWebhook` sent, absent from everything that happened. Not signed. */
                    "X-Service-Test"?: string;
                    /** @description The id of the event, the same on every attempt: what is repeated can be told by it. */
                    "webhook-id": string;
                    /** @description Unix seconds of this attempt. */
                    "webhook-timestamp": string;
                    /** @description Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body; key: the bytes behind whsec_. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DsarResolvedEvent"];
                };
            };
            responses: {
                /** @description Taken within 15 seconds: delivered. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description A failure, tried again; 410 disables the webhook at once, 401 is the answer to a wrong signature. */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Accepting a one-time link: the first owner's set-up link, or an invitation. */
        AcceptInvitationInput: {
            /** @description The code behind the `#` of the link. It works once, for 7 days; an invitation only while whoever made it is an owner. */
            code: string;
            /** @description Needed for the first owner's set-up link; an invitation already knows the address. */
            email?: components["schemas"]["Email"];
            name?: string;
            password: components["schemas"]["NewPassword"];
        };
        AcceptedEvents: {
            /**
             * Format: int32
             * @description How many interactions were taken.
             */
            accepted: number;
        };
        AddMemberInput: {
            email: components["schemas"]["Email"];
            role: components["schemas"]["Role"];
            name?: string;
            /** @description Only for a person without an account. */
            password?: components["schemas"]["NewPassword"];
        };
        /** @description A new member; a person without an account gets a one-time invitation link, unless a password was given. */
        AddedMember: {
            /** Format: int32 */
            user_id: number;
            email: components["schemas"]["Email"];
            name: string;
            role: components["schemas"]["Role"];
            /**
             * @description `invited` until the invitation link was used.
             * @enum {string}
             */
            status: "active" | "invited";
            /** @description When the person became a member. */
            added_at: components["schemas"]["Instant"];
            /** @description Hand it to the person; it works once, for 7 days, as long as whoever made it is an owner, and is shown only here. */
            invitation_url?: string;
        };
        /** @description What visitors decided; counted when it happened, never by reading consent records. */
        Analytics: {
            /** @description The range that was counted: the asked one, widened to whole days of the site's time zone. */
            from: components["schemas"]["Instant"];
            to: components["schemas"]["Instant"];
            time_zone: string;
            interval: components["schemas"]["AnalyticsInterval"];
            totals: components["schemas"]["DecisionCounts"];
            categories: components["schemas"]["CategoryRate"][];
            interactions: components["schemas"]["InteractionCount"][];
            previous: components["schemas"]["AnalyticsPrevious"];
            series: components["schemas"]["AnalyticsPoint"][];
            /** @description With `group_by`: a time series for each group; otherwise empty. */
            groups: components["schemas"]["AnalyticsGroupSeries"][];
            by_language: components["schemas"]["AnalyticsGroupCounts"][];
            by_banner_version: components["schemas"]["AnalyticsGroupCounts"][];
            by_device: components["schemas"]["AnalyticsGroupCounts"][];
        };
        /**
         * @description What a breakdown is by.
         * @enum {string}
         */
        AnalyticsGroup: "language" | "banner_version" | "device";
        /** @description One group of a breakdown. */
        AnalyticsGroupCounts: {
            key: string;
            /**
             * Format: int64
             * @description Times that the banner was shown.
             */
            impressions: number;
            /**
             * Format: int64
             * @description Decisions of all three kinds.
             */
            decisions: number;
            /** Format: int64 */
            accept_all: number;
            /** Format: int64 */
            reject_all: number;
            /** Format: int64 */
            save_preferences: number;
            /**
             * Format: int64
             * @description Decisions that allowed at least one category.
             */
            opted_in: number;
            /** @description opted_in ÷ decisions, from 0 to 1; null without a decision. */
            opt_in_rate: number | null;
            /** @description reject_all ÷ decisions, from 0 to 1; null without a decision. */
            reject_rate: number | null;
            /**
             * Format: int64
             * @description Shown, never answered: impressions − decisions, at least 0.
             */
            no_choice: number;
            /** @description no_choice ÷ impressions, from 0 to 1; null without an impression. */
            no_choice_rate: number | null;
        };
        /** @description The time series of one group. */
        AnalyticsGroupSeries: {
            key: string;
            series: components["schemas"]["AnalyticsPoint"][];
        };
        /**
         * @description The length of one point of a time series, by the clocks of the site; weeks begin on Monday (ISO 8601).
         * @enum {string}
         */
        AnalyticsInterval: "hour" | "day" | "week" | "month";
        /** @description One point of the time series. */
        AnalyticsPoint: {
            /** @description The first instant of the point; that of the first week or month may lie before the range, but only the range is counted. */
            start: components["schemas"]["Instant"];
            /**
             * Format: int64
             * @description Times that the banner was shown.
             */
            impressions: number;
            /**
             * Format: int64
             * @description Decisions of all three kinds.
             */
            decisions: number;
            /** Format: int64 */
            accept_all: number;
            /** Format: int64 */
            reject_all: number;
            /** Format: int64 */
            save_preferences: number;
            /**
             * Format: int64
             * @description Decisions that allowed at least one category.
             */
            opted_in: number;
            /** @description opted_in ÷ decisions, from 0 to 1; null without a decision. */
            opt_in_rate: number | null;
            /** @description reject_all ÷ decisions, from 0 to 1; null without a decision. */
            reject_rate: number | null;
            /**
             * Format: int64
             * @description Shown, never answered: impressions − decisions, at least 0.
             */
            no_choice: number;
            /** @description no_choice ÷ impressions, from 0 to 1; null without an impression. */
            no_choice_rate: number | null;
            categories: components["schemas"]["CategoryRate"][];
        };
        /** @description The period before, of the same number of days. */
        AnalyticsPrevious: {
            from: components["schemas"]["Instant"];
            to: components["schemas"]["Instant"];
            /**
             * Format: int64
             * @description Times that the banner was shown.
             */
            impressions: number;
            /**
             * Format: int64
             * @description Decisions of all three kinds.
             */
            decisions: number;
            /** Format: int64 */
            accept_all: number;
            /** Format: int64 */
            reject_all: number;
            /** Format: int64 */
            save_preferences: number;
            /**
             * Format: int64
             * @description Decisions that allowed at least one category.
             */
            opted_in: number;
            /** @description opted_in ÷ decisions, from 0 to 1; null without a decision. */
            opt_in_rate: number | null;
            /** @description reject_all ÷ decisions, from 0 to 1; null without a decision. */
            reject_rate: number | null;
            /**
             * Format: int64
             * @description Shown, never answered: impressions − decisions, at least 0.
             */
            no_choice: number;
            /** @description no_choice ÷ impressions, from 0 to 1; null without an impression. */
            no_choice_rate: number | null;
        };
        /** @description The request breaks the contract; `errors` names every wrong field. */
        BadRequest: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description How the banner looks and what it says. */
        Banner: {
            layout: components["schemas"]["BannerLayout"];
            position: components["schemas"]["BannerPosition"];
            theme: components["schemas"]["BannerTheme"];
            colours: components["schemas"]["BannerColours"];
            /** @description Colours for dark surroundings, used by the themes dark and auto; default: derived by the product. */
            dark_colours?: components["schemas"]["BannerColours"];
            /** @description Default floating. */
            control?: components["schemas"]["BannerControl"];
            /** @description Whether Google Consent Mode v2 is signalled; default true. */
            google_consent_mode?: boolean;
            /** @description The buttons of the first layer, in their order. */
            first_layer_buttons: components["schemas"]["BannerButton"][];
            texts: components["schemas"]["TextsByLanguage"];
        };
        /**
         * @description A button of the first layer.
         * @enum {string}
         */
        BannerButton: "accept_all" | "reject_all" | "settings";
        /** @description The banner's colours. */
        BannerColours: {
            background: components["schemas"]["Colour"];
            text: components["schemas"]["Colour"];
            button_background: components["schemas"]["Colour"];
            button_text: components["schemas"]["Colour"];
        };
        /**
         * @description What opens the choice again: a button that floats over the page, or the site's own element or link that calls `Avow.show()`.
         * @enum {string}
         */
        BannerControl: "floating" | "custom";
        /**
         * @description Form of the banner's first layer.
         * @enum {string}
         */
        BannerLayout: "box" | "bar" | "dialog";
        /**
         * @description Where the banner's first layer stands.
         * @enum {string}
         */
        BannerPosition: "top" | "bottom" | "center" | "bottom_left" | "bottom_right" | "top_left" | "top_right";
        /** @description The banner's texts in one language; what is left out is taken from the built-in texts of that language. */
        BannerTexts: {
            /** @description Heading of the first layer. */
            title?: string;
            /** @description Text of the first layer: what is asked, by whom, for what. */
            description?: string;
            /** @description Buttons. */
            accept_all?: string;
            reject_all?: string;
            settings?: string;
            save?: string;
            /** @description Name of the button that closes the second layer without a choice. */
            close?: string;
            /** @description Heading and text of the second layer. */
            settings_title?: string;
            settings_description?: string;
            /** @description Beside a required category. */
            always_active?: string;
            /** @description Headings of the details of a category. */
            vendors?: string;
            cookies?: string;
            lifetime?: string;
            /** @description Lifetime of a cookie that ends with the browser's session. */
            session?: string;
            /** @description Links. */
            privacy_policy?: string;
            imprint?: string;
            /** @description Name of the control that opens the choice again. */
            reopen?: string;
            /** @description Shown when the browser sends Global Privacy Control. */
            gpc_notice?: string;
            /** @description On the placeholder of a blocked frame; `{category}` stands for the category's name. */
            blocked?: string;
            /** @description The placeholder's button, which allows that category. */
            allow?: string;
            /** @description Said to screen readers when a choice was stored. */
            saved?: string;
            /**
             * @description By category key. Default: the category's own name and description, which are taken to be in the default language; in other languages
             *     the built-in texts of the four usual categories. An untouched usual category has the built-in texts in every language.
             */
            categories?: components["schemas"]["CategoryTextsByKey"];
        };
        /**
         * @description Light, dark, or as the visitor's system says.
         * @enum {string}
         */
        BannerTheme: "light" | "dark" | "auto";
        /** @description An entry of the register of breaches. */
        Breach: {
            breach_id: components["schemas"]["Uuid"];
            title: string;
            nature: string;
            description: string;
            severity: components["schemas"]["BreachSeverity"];
            occurred_from: components["schemas"]["Instant"] | null;
            occurred_to: components["schemas"]["Instant"] | null;
            aware_at: components["schemas"]["Instant"];
            /** @description 72 hours after aware_at (GDPR Art. 33(1)). */
            notify_by: components["schemas"]["Instant"];
            data_categories: string[];
            subject_categories: string[];
            affected_subjects: number | null;
            affected_records: number | null;
            consequences: string;
            measures: string;
            subjects_informed_at: components["schemas"]["Instant"] | null;
            status: components["schemas"]["BreachStatus"];
            reported_at: components["schemas"]["Instant"] | null;
            authority: string | null;
            authority_reference: string | null;
            /** @description Why it was reported after notify_by (GDPR Art. 33(1), second sentence). */
            late_reason: string | null;
            created_at: components["schemas"]["Instant"];
            /** @description Whether it is unreported after notify_by; computed when it is read. */
            overdue: boolean;
            history: components["schemas"]["HistoryEntry"][];
        };
        /**
         * @description A breach was recorded.
         * @example {
         *       "event": "breach.created",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "environment_url": "https://shop.example.com",
         *       "timestamp": "2026-11-21T10:00:00.000+00:00",
         *       "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
         *       "title": "Mailing list sent with open addresses",
         *       "severity": "medium",
         *       "aware_at": "2026-11-21T09:30:00.000+00:00",
         *       "notify_by": "2026-11-24T09:30:00.000+00:00",
         *       "affected_subjects": 1200
         *     }
         */
        BreachCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "breach.created";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            environment_url: components["schemas"]["WebUrl"];
            timestamp: components["schemas"]["OffsetInstant"];
            breach_id: components["schemas"]["Uuid"];
            title: string;
            severity: components["schemas"]["BreachSeverity"];
            aware_at: components["schemas"]["OffsetInstant"];
            /** @description 72 hours after aware_at. */
            notify_by: components["schemas"]["OffsetInstant"];
            affected_subjects: number | null;
        };
        /**
         * @description A breach was reported to the supervisory authority.
         * @example {
         *       "event": "breach.reported",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "environment_url": "https://shop.example.com",
         *       "timestamp": "2026-11-22T15:00:00.000+00:00",
         *       "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
         *       "title": "Mailing list sent with open addresses",
         *       "severity": "medium",
         *       "aware_at": "2026-11-21T09:30:00.000+00:00",
         *       "notify_by": "2026-11-24T09:30:00.000+00:00",
         *       "affected_subjects": 1200,
         *       "reported_at": "2026-11-22T15:00:00.000+00:00",
         *       "authority": "Landesbeauftragte für den Datenschutz",
         *       "authority_reference": "DS-2026-0417",
         *       "late": false
         *     }
         */
        BreachReportedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "breach.reported";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            environment_url: components["schemas"]["WebUrl"];
            timestamp: components["schemas"]["OffsetInstant"];
            breach_id: components["schemas"]["Uuid"];
            title: string;
            severity: components["schemas"]["BreachSeverity"];
            aware_at: components["schemas"]["OffsetInstant"];
            /** @description 72 hours after aware_at. */
            notify_by: components["schemas"]["OffsetInstant"];
            affected_subjects: number | null;
            reported_at: components["schemas"]["OffsetInstant"];
            authority: string | null;
            authority_reference: string | null;
            /** @description Whether it was reported after notify_by. */
            late: boolean;
        };
        /**
         * @description How bad the likely consequences are.
         * @enum {string}
         */
        BreachSeverity: "low" | "medium" | "high" | "critical";
        /**
         * @description `reported` once the supervisory authority was notified (GDPR Art. 33(1)).
         * @enum {string}
         */
        BreachStatus: "created" | "reported";
        /** @description A published bundle. */
        Bundle: {
            /** @description Where the site's present bundle always is; caches follow a new one within two minutes. */
            url: components["schemas"]["WebUrl"];
            /** @description Where this very bundle is, for good. */
            immutable_url: components["schemas"]["WebUrl"];
            /** @description Subresource Integrity of `immutable_url`: `sha384-` and base64. */
            integrity: string;
            hash: components["schemas"]["BundleHash"];
            /**
             * Format: int32
             * @description Size of the script.
             */
            bytes: number;
            /**
             * Format: int32
             * @description Size as it travels, compressed with gzip.
             */
            gzip_bytes: number;
            /** @description HTML for the site's `<head>`, ahead of every other script; follows new bundles by itself. */
            snippet: string;
            /** @description The same for this very bundle, with its integrity: must be replaced for a new one to take effect. */
            snippet_pinned: string;
            /**
             * Format: int32
             * @description The settings version that it was made of.
             */
            version: number;
            languages: components["schemas"]["Language"][];
            created_at: components["schemas"]["Instant"];
            /** @description When it last became the site's present one. */
            published_at: components["schemas"]["Instant"];
            /** @description Whether it is the site's present one. */
            current: boolean;
            warnings: components["schemas"]["BundleWarning"][];
        };
        /** @description A category as the script knows it; its texts are among the texts. */
        BundleCategory: {
            key: components["schemas"]["CategoryKey"];
            required: boolean;
            google_consent: components["schemas"]["GoogleConsentType"][];
            /**
             * @description First-party cookies that are deleted when the category is withdrawn; a `*` at the end stands for any ending. Known from the vendors
             *     and from the site's last cookie scan; where no scan is kept, also from the bundle before, unless a vendor says otherwise by now.
             *     None of a required category, which cannot be withdrawn.
             */
            cookies: string[];
        };
        /** @description Everything that the script was made of besides its program: what a visitor saw can be shown again from it. */
        BundleConfig: {
            token: components["schemas"]["EnvironmentToken"];
            /** @description Where the script sends decisions: scheme and host of this server. */
            server: components["schemas"]["WebUrl"];
            /**
             * Format: int32
             * @description The settings version that the bundle was made of; records name it as `banner_version`.
             */
            settings_version: number;
            policy_version: string;
            /** Format: int32 */
            consent_lifetime_days: number;
            layout: components["schemas"]["BannerLayout"];
            position: components["schemas"]["BannerPosition"];
            theme: components["schemas"]["BannerTheme"];
            control: components["schemas"]["BannerControl"];
            colours: components["schemas"]["BannerColours"];
            dark_colours: components["schemas"]["BannerColours"];
            first_layer_buttons: components["schemas"]["BannerButton"][];
            google_consent_mode: boolean;
            privacy_policy_url: components["schemas"]["WebUrl"] | null;
            imprint_url: components["schemas"]["WebUrl"] | null;
            categories: components["schemas"]["BundleCategory"][];
            /** @description The first is the default. */
            languages: components["schemas"]["Language"][];
            /**
             * Format: int32
             * @description How many vendors the list of this bundle holds; they are loaded when a visitor opens the details.
             */
            vendors: number;
            /** @description The texts that the script itself holds, by language. */
            texts: {
                [key: string]: components["schemas"]["BundleTexts"];
            };
        };
        /** @description The hash of a banner bundle, as `generateBundle` returned it. */
        BundleHash: string;
        /** @description The texts of one language of a bundle, and the vendors of a bundle, never change. */
        BundleLanguage: {
            language: components["schemas"]["Language"];
            texts: components["schemas"]["BundleTexts"];
        };
        /** @description What may differ from the settings in one bundle. A second bundle of the same settings and options is the same one. */
        BundleOptions: {
            /** @description Languages of the bundle, the first of them being its default; each must be one of the settings', once. Default: the settings', their default language first. */
            languages?: components["schemas"]["Language"][];
            /** @description Which texts the script itself holds; default `default`. */
            texts?: components["schemas"]["BundleTextMode"];
            layout?: components["schemas"]["BannerLayout"];
            position?: components["schemas"]["BannerPosition"];
            theme?: components["schemas"]["BannerTheme"];
            control?: components["schemas"]["BannerControl"];
        };
        /** @description A bundle that is not published. */
        BundlePreview: {
            /** @description The script. A page that sets `window.Avow = { preview: true }` before it runs sends nothing and stores nothing. */
            script: string;
            /** Format: int32 */
            bytes: number;
            /** Format: int32 */
            gzip_bytes: number;
            config: components["schemas"]["BundleConfig"];
            warnings: components["schemas"]["BundleWarning"][];
        };
        /** @description A bundle with what it was made of. */
        BundleRecord: {
            /** @description Where the site's present bundle always is; caches follow a new one within two minutes. */
            url: components["schemas"]["WebUrl"];
            /** @description Where this very bundle is, for good. */
            immutable_url: components["schemas"]["WebUrl"];
            /** @description Subresource Integrity of `immutable_url`: `sha384-` and base64. */
            integrity: string;
            hash: components["schemas"]["BundleHash"];
            /**
             * Format: int32
             * @description Size of the script.
             */
            bytes: number;
            /**
             * Format: int32
             * @description Size as it travels, compressed with gzip.
             */
            gzip_bytes: number;
            /** @description HTML for the site's `<head>`, ahead of every other script; follows new bundles by itself. */
            snippet: string;
            /** @description The same for this very bundle, with its integrity: must be replaced for a new one to take effect. */
            snippet_pinned: string;
            /**
             * Format: int32
             * @description The settings version that it was made of.
             */
            version: number;
            languages: components["schemas"]["Language"][];
            created_at: components["schemas"]["Instant"];
            /** @description When it last became the site's present one. */
            published_at: components["schemas"]["Instant"];
            /** @description Whether it is the site's present one. */
            current: boolean;
            warnings: components["schemas"]["BundleWarning"][];
            config: components["schemas"]["BundleConfig"];
        };
        /**
         * @description `default`: the bundle holds the texts of the default language, others are loaded when a visitor needs them. `all`: it holds them all.
         * @enum {string}
         */
        BundleTextMode: "default" | "all";
        /** @description Every text of one language, complete. */
        BundleTexts: {
            title: string;
            description: string;
            accept_all: string;
            reject_all: string;
            settings: string;
            save: string;
            close: string;
            settings_title: string;
            settings_description: string;
            always_active: string;
            vendors: string;
            cookies: string;
            lifetime: string;
            session: string;
            privacy_policy: string;
            imprint: string;
            reopen: string;
            gpc_notice: string;
            blocked: string;
            allow: string;
            saved: string;
            /** @description By category key; each category of the bundle is there. */
            categories: {
                [key: string]: {
                    name: string;
                    description: string;
                };
            };
        };
        /** @description The vendors that a bundle tells visitors about. */
        BundleVendors: {
            vendors: components["schemas"]["Vendor"][];
        };
        /** @description What a site's owner should know of a bundle before visitors see it. */
        BundleWarning: {
            /** @description The setting concerned, such as `settings.banner.colours.button_text`. */
            path: string;
            /** @description What is the matter and what to do. */
            message: string;
            /** @description Stable name of the rule: contrast (WCAG 2.2 1.4.3), no_reject_button, no_policy_url, missing_texts, too_large. */
            code: string;
        };
        /** @description A purpose group that a visitor can allow or refuse. */
        Category: {
            key: components["schemas"]["CategoryKey"];
            /** @description Shown to visitors. */
            name: string;
            /** @description Shown to visitors: what it is used for. */
            description: string;
            /** @description Strictly necessary: always active, never asked (ePrivacy Art. 5(3)). */
            required: boolean;
            /**
             * @description The consent types of Google Consent Mode v2 that this category grants. Default by key: necessary grants security_storage; functional
             *     functionality_storage and personalization_storage; analytics analytics_storage; marketing the three that begin with ad; others none.
             */
            google_consent?: components["schemas"]["GoogleConsentType"][];
        };
        /** @description Which categories are allowed, by category key; required categories are left out. */
        CategoryChoices: {
            [key: string]: boolean;
        };
        /** @description The key of a consent category, unique within its environment. */
        CategoryKey: string;
        /** @description How often a category was allowed. */
        CategoryRate: {
            category: string;
            /** Format: int64 */
            granted: number;
            /** Format: int64 */
            refused: number;
            /** @description granted ÷ (granted + refused), from 0 to 1; null without a decision. */
            opt_in_rate: number | null;
        };
        /** @description A category's name and description in one language. */
        CategoryTexts: {
            name?: string;
            description?: string;
        };
        /** @description Texts of categories by category key. */
        CategoryTextsByKey: {
            [key: string]: components["schemas"]["CategoryTexts"];
        };
        ChangePasswordInput: {
            current_password: string;
            new_password: components["schemas"]["NewPassword"];
        };
        /**
         * @description `unknown`: there is no evidence yet; it never counts as pass.
         * @enum {string}
         */
        CheckStatus: "pass" | "fail" | "unknown";
        /** @description A colour: `#` and six hexadecimal digits. */
        Colour: string;
        /** @description A decision in the visitor script's compact form. */
        CompactConsent: {
            /** @description Makes a repeated report count once, for 30 days. */
            event_id: components["schemas"]["Uuid"];
            session_id: components["schemas"]["Uuid"];
            decision: components["schemas"]["Decision"];
            /** @description For `save_preferences`: the keys of the allowed categories; all others are refused. */
            allowed?: components["schemas"]["CategoryKey"][];
            /** @description The language in which the banner was shown. */
            language?: components["schemas"]["Language"];
            /** @description The page; its query and fragment are cut off before it is stored. */
            page_url?: components["schemas"]["WebUrl"];
            /**
             * Format: int32
             * @description The settings version whose banner was shown; default: that of the bundle named by `bundle_hash` when it is one of the site's last 50, else the present one.
             */
            banner_version?: number;
            /** @description The bundle that showed the banner. */
            bundle_hash?: components["schemas"]["BundleHash"];
            /** @description Default `banner`. */
            method?: components["schemas"]["ConsentMethod"];
            /** @description IAB TCF consent string. */
            tc_string?: string;
            /** @description IAB GPP string. */
            gpp_string?: string;
        };
        /** @description A decision, with those that it follows. */
        CompactConsentReport: {
            /** @description Makes a repeated report count once, for 30 days. */
            event_id: components["schemas"]["Uuid"];
            session_id: components["schemas"]["Uuid"];
            decision: components["schemas"]["Decision"];
            /** @description For `save_preferences`: the keys of the allowed categories; all others are refused. */
            allowed?: components["schemas"]["CategoryKey"][];
            /** @description The language in which the banner was shown. */
            language?: components["schemas"]["Language"];
            /** @description The page; its query and fragment are cut off before it is stored. */
            page_url?: components["schemas"]["WebUrl"];
            /**
             * Format: int32
             * @description The settings version whose banner was shown; default: that of the bundle named by `bundle_hash` when it is one of the site's last 50, else the present one.
             */
            banner_version?: number;
            /** @description The bundle that showed the banner. */
            bundle_hash?: components["schemas"]["BundleHash"];
            /** @description Default `banner`. */
            method?: components["schemas"]["ConsentMethod"];
            /** @description IAB TCF consent string. */
            tc_string?: string;
            /** @description IAB GPP string. */
            gpp_string?: string;
            /**
             * @description Decisions of the same visitor before this one that may not have arrived, oldest first: recorded ahead of it where they are not known
             *     yet, so that the last decision is the last here too, in whatever order a page that ends has its reports delivered. One that would be
             *     refused alone is left out.
             */
            earlier?: components["schemas"]["CompactConsent"][];
        };
        /** @description One rule, and whether the site keeps it. */
        ComplianceCheck: {
            /** @description Stable name of the rule. */
            id: string;
            title: string;
            /**
             * Format: int32
             * @description How much it counts, from 1 to 10.
             */
            weight: number;
            status: components["schemas"]["CheckStatus"];
            /** @description What was found. */
            evidence: string;
            /** @description What to do; empty when it passes. */
            remedy: string;
            /** @description Where the rule comes from. */
            legal_reference: string;
        };
        /** @description How well the site keeps the rules, computed from evidence when it is read. */
        ComplianceScore: {
            /**
             * Format: int32
             * @description The weight of what passes ÷ the weight of all, from 0 to 100, rounded down.
             */
            score: number;
            grade: components["schemas"]["Grade"];
            computed_at: components["schemas"]["Instant"];
            checks: components["schemas"]["ComplianceCheck"][];
        };
        /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
        Conflict: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /**
         * @description A visitor accepted everything.
         * @example {
         *       "event": "consent.accept_all",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "timestamp": "2026-11-21T09:30:00.000Z",
         *       "data": {
         *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
         *         "ip_masked": "203.0.***.***",
         *         "categories": {
         *           "functional": true,
         *           "analytics": true,
         *           "marketing": true
         *         }
         *       }
         *     }
         */
        ConsentAcceptAllEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "consent.accept_all";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            timestamp: components["schemas"]["Instant"];
            data: components["schemas"]["ConsentEventData"];
        };
        /** @description What a consent event says of the decision. */
        ConsentEventData: {
            session_id: components["schemas"]["Uuid"];
            ip_masked: string;
            categories: components["schemas"]["CategoryChoices"];
        };
        /** @description A visitor's decision. */
        ConsentInput: {
            /** @description The visitor's session, made by the visitor's browser. */
            session_id: components["schemas"]["Uuid"];
            decision: components["schemas"]["Decision"];
            /** @description Needed for `save_preferences`: what is left out is refused. Ignored names are an error. For the other decisions the server derives it. */
            categories?: components["schemas"]["CategoryChoices"];
            /** @description The language in which the banner was shown. */
            language?: components["schemas"]["Language"];
            /** @description The page; its query and fragment are cut off before it is stored. */
            page_url?: components["schemas"]["WebUrl"];
            /**
             * Format: int32
             * @description The settings version whose banner was shown; default: that of the bundle named by `bundle_hash` when it is one of the site's last 50, else the present one.
             */
            banner_version?: number;
            /** @description The bundle that showed the banner. */
            bundle_hash?: components["schemas"]["BundleHash"];
            /** @description Default `banner`. */
            method?: components["schemas"]["ConsentMethod"];
            /** @description IAB TCF consent string. */
            tc_string?: string;
            /** @description IAB GPP string. */
            gpp_string?: string;
        };
        /**
         * @description How the decision was made: on the banner, in the settings dialog, by a program, or by Global Privacy Control.
         * @enum {string}
         */
        ConsentMethod: "banner" | "settings" | "api" | "gpc";
        /** @description A consent record with all that proves it. */
        ConsentProof: {
            consent_id: components["schemas"]["Uuid"];
            session_id: components["schemas"]["Uuid"];
            decision: components["schemas"]["Decision"];
            categories: components["schemas"]["CategoryChoices"];
            policy_version: string;
            /** Format: int32 */
            banner_version: number;
            bundle_hash: string | null;
            method: components["schemas"]["ConsentMethod"];
            language: string;
            page_url: string | null;
            /** @description IPv4 keeps two octets, IPv6 the first 48 bits. */
            ip_masked: string;
            user_agent: string | null;
            /** @description Whether the request carried `Sec-GPC: 1`. */
            gpc: boolean;
            tc_string?: string;
            gpp_string?: string;
            recorded_at: components["schemas"]["Instant"];
            /** @description When the visitor is to be asked again. */
            expires_at: components["schemas"]["Instant"];
            /** @description The next decision of the same session, if there is one. */
            superseded_by: components["schemas"]["LaterDecision"] | null;
            /** @description When a later decision first took back something that this one allowed (GDPR Art. 7(3)). */
            withdrawn_at: components["schemas"]["Instant"] | null;
            /** @description The settings version that was in force, texts included. */
            shown: components["schemas"]["ShownSettings"];
            /** @description The bundle that the record names; null when it names none, or none that was generated here. */
            shown_bundle: components["schemas"]["ShownBundle"] | null;
        };
        /** @description A recorded decision: append-only evidence of who decided what, when, how, and on which banner (GDPR Art. 7(1)). */
        ConsentRecord: {
            consent_id: components["schemas"]["Uuid"];
            session_id: components["schemas"]["Uuid"];
            decision: components["schemas"]["Decision"];
            categories: components["schemas"]["CategoryChoices"];
            policy_version: string;
            /** Format: int32 */
            banner_version: number;
            bundle_hash: string | null;
            method: components["schemas"]["ConsentMethod"];
            language: string;
            page_url: string | null;
            /** @description IPv4 keeps two octets, IPv6 the first 48 bits. */
            ip_masked: string;
            user_agent: string | null;
            /** @description Whether the request carried `Sec-GPC: 1`. */
            gpc: boolean;
            tc_string?: string;
            gpp_string?: string;
            recorded_at: components["schemas"]["Instant"];
            /** @description When the visitor is to be asked again. */
            expires_at: components["schemas"]["Instant"];
        };
        /**
         * @description A visitor refused everything but what is required.
         * @example {
         *       "event": "consent.reject_all",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "timestamp": "2026-11-21T09:30:00.000Z",
         *       "data": {
         *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
         *         "ip_masked": "203.0.***.***",
         *         "categories": {
         *           "functional": false,
         *           "analytics": false,
         *           "marketing": false
         *         }
         *       }
         *     }
         */
        ConsentRejectAllEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "consent.reject_all";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            timestamp: components["schemas"]["Instant"];
            data: components["schemas"]["ConsentEventData"];
        };
        /**
         * @description A visitor chose by category; `data.categories` says which are allowed.
         * @example {
         *       "event": "consent.save_preferences",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "timestamp": "2026-11-21T09:30:00.000Z",
         *       "data": {
         *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
         *         "ip_masked": "203.0.***.***",
         *         "categories": {
         *           "functional": true,
         *           "analytics": true,
         *           "marketing": false
         *         }
         *       }
         *     }
         */
        ConsentSavePreferencesEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "consent.save_preferences";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            timestamp: components["schemas"]["Instant"];
            data: components["schemas"]["ConsentEventData"];
        };
        /** @description Who is responsible for the site (GDPR Art. 4(7)). */
        Controller: {
            name?: string;
            address?: string;
            email?: components["schemas"]["Email"];
            phone?: string;
            /** @description Representative in the Union (GDPR Art. 27). */
            representative?: string;
            dpo?: components["schemas"]["DataProtectionOfficer"];
            /** @description The competent supervisory authority (GDPR Art. 55). */
            authority?: string;
        };
        /** @description What a cookie is for. */
        CookieDescription: string;
        /** @enum {string} */
        CookieSameSite: "Strict" | "Lax" | "None";
        /** @description One visit of a page, before any consent. Kept for 30 days. */
        CookieScan: {
            scan_id: components["schemas"]["ScanId"];
            url: components["schemas"]["WebUrl"];
            status: components["schemas"]["ScanStatus"];
            /** @description Null until the scan is over. */
            engine: components["schemas"]["ScanEngine"] | null;
            cookies: components["schemas"]["ScannedCookie"][];
            requests: components["schemas"]["ScannedRequest"][];
            /** @description Whether a consent banner was there; null until the scan is over. */
            banner_detected: boolean | null;
            findings: components["schemas"]["ScanFinding"][];
            /** @description Why it failed. */
            error: string | null;
            created_at: components["schemas"]["Instant"];
            started_at: components["schemas"]["Instant"] | null;
            finished_at: components["schemas"]["Instant"] | null;
        };
        /** @description A country: ISO 3166-1 alpha-2. */
        Country: string;
        CreateBreachInput: {
            title: string;
            /** @description Nature of the breach: confidentiality, integrity, availability, and how it happened. */
            nature: string;
            description: string;
            severity: components["schemas"]["BreachSeverity"];
            /** @description When it began; not after aware_at. */
            occurred_from?: components["schemas"]["Instant"] | null;
            occurred_to?: components["schemas"]["Instant"] | null;
            /** @description When the controller became aware: the 72 hours run from here. Not in the future. */
            aware_at: components["schemas"]["Instant"];
            data_categories: components["schemas"]["ShortText"][];
            subject_categories: components["schemas"]["ShortText"][];
            /** @description Approximate number of data subjects. */
            affected_subjects?: number | null;
            /** @description Approximate number of records. */
            affected_records?: number | null;
            /** @description Likely consequences. */
            consequences: string;
            /** @description Measures taken or proposed. */
            measures: string;
            /** @description When the data subjects were informed (GDPR Art. 34). */
            subjects_informed_at?: components["schemas"]["Instant"] | null;
        };
        CreateEnvironmentInput: {
            name: components["schemas"]["SiteName"];
            domain: components["schemas"]["Domain"];
            /** @description Further domains of the site. */
            domains?: components["schemas"]["Domain"][];
            /** @description Default: `https://` and the domain. */
            url?: components["schemas"]["WebUrl"];
            /** @description What differs from the default settings. */
            settings?: components["schemas"]["SettingsPatch"];
        };
        CreateWebhookInput: {
            /** @description https, a public address, no credentials. */
            url: components["schemas"]["WebUrl"];
            events: "*" | components["schemas"]["EventList"];
            /** @description Default POST. */
            method?: components["schemas"]["WebhookMethod"];
            description?: string;
        };
        /** @description A data-protection officer (GDPR Art. 37). */
        DataProtectionOfficer: {
            name: string;
            email: components["schemas"]["Email"];
        };
        /**
         * @description What the visitor decided.
         * @enum {string}
         */
        Decision: "accept_all" | "reject_all" | "save_preferences";
        /** @description Counts of one period, one point, or one group. */
        DecisionCounts: {
            /**
             * Format: int64
             * @description Times that the banner was shown.
             */
            impressions: number;
            /**
             * Format: int64
             * @description Decisions of all three kinds.
             */
            decisions: number;
            /** Format: int64 */
            accept_all: number;
            /** Format: int64 */
            reject_all: number;
            /** Format: int64 */
            save_preferences: number;
            /**
             * Format: int64
             * @description Decisions that allowed at least one category.
             */
            opted_in: number;
            /** @description opted_in ÷ decisions, from 0 to 1; null without a decision. */
            opt_in_rate: number | null;
            /** @description reject_all ÷ decisions, from 0 to 1; null without a decision. */
            reject_rate: number | null;
            /**
             * Format: int64
             * @description Shown, never answered: impressions − decisions, at least 0.
             */
            no_choice: number;
            /** @description no_choice ÷ impressions, from 0 to 1; null without an impression. */
            no_choice_rate: number | null;
        };
        DeletedWebhook: {
            webhook_id: components["schemas"]["Uuid"];
        };
        /** @description One event on its way to one webhook. */
        Delivery: {
            delivery_id: components["schemas"]["Uuid"];
            webhook_id: components["schemas"]["Uuid"];
            event_id: components["schemas"]["Uuid"];
            event: components["schemas"]["EventName"];
            kind: components["schemas"]["DeliveryKind"];
            state: components["schemas"]["DeliveryState"];
            /**
             * Format: int32
             * @description Attempts made.
             */
            attempts: number;
            created_at: components["schemas"]["Instant"];
            /** @description When the next attempt is due. */
            next_attempt_at: components["schemas"]["Instant"] | null;
            last_attempt_at: components["schemas"]["Instant"] | null;
            delivered_at: components["schemas"]["Instant"] | null;
            /** @description Milliseconds that the last attempt took. */
            duration_ms: number | null;
            /** @description The HTTP status of the last answer. */
            response_status: number | null;
            /** @description The first 4 KiB of the last answer's body. */
            response_body: string | null;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** @description The body that was, or will be, sent. */
            payload: Omit<components["schemas"]["EventPayload"], "event">;
        };
        /**
         * @description Why something was sent.
         * @enum {string}
         */
        DeliveryKind: "event" | "test" | "redelivery";
        /**
         * @description `held`: waits for reactivation; `failed`: given up after 5 attempts.
         * @enum {string}
         */
        DeliveryState: "pending" | "held" | "delivered" | "failed";
        /** @description A domain name without scheme, port or path; internationalised names are accepted and stored as A-labels (RFC 5890). */
        Domain: string;
        /** @description Whether a domain is registered here. Nothing but what the site's own pages show. */
        DomainVerification: {
            /** @description The domain in its normal form (RFC 5890 A-labels, lower case). */
            domain: string;
            /** @description Whether an active site of this server has the domain. */
            verified: boolean;
            environment_token?: components["schemas"]["EnvironmentToken"];
            /** @description Whether the banner was shown or answered within the last 7 days. */
            consent_active: boolean;
            /** @description The last day on which it was, by the site's clocks; to the day, since more would speak of single visitors. */
            last_seen_at?: components["schemas"]["Instant"] | null;
            policy_version?: string;
        };
        /**
         * @description Whether the person confirmed by a second step.
         * @enum {string}
         */
        DoubleOptIn: "none" | "pending" | "confirmed";
        /** @description A data-subject request. */
        Dsar: {
            request_id: components["schemas"]["Uuid"];
            request_type: components["schemas"]["DsarType"];
            email: components["schemas"]["Email"];
            name: string | null;
            message: string | null;
            session_id: string | null;
            language: string;
            status: components["schemas"]["DsarStatus"];
            created_at: components["schemas"]["Instant"];
            /** @description 30 days after creation (GDPR Art. 12(3)). */
            due_at: components["schemas"]["Instant"];
            /** @description The deadline after an extension: 60 days later (GDPR Art. 12(3)). */
            extended_until: components["schemas"]["Instant"] | null;
            extension_reason: string | null;
            resolved_at: components["schemas"]["Instant"] | null;
            resolution: components["schemas"]["DsarResolution"] | null;
            resolution_note: string | null;
            /** @description An earlier request of the same address and type. */
            possible_duplicate_of: string | null;
            /** @description Whether it is unresolved after its deadline; computed when it is read. */
            overdue: boolean;
            history: components["schemas"]["HistoryEntry"][];
        };
        /**
         * @description A data-subject request arrived.
         * @example {
         *       "event": "dsar.created",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "environment_url": "https://shop.example.com",
         *       "timestamp": "2026-11-21T09:30:00.000+00:00",
         *       "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
         *       "request_type": "erasure",
         *       "email": "visitor@example.com",
         *       "due_at": "2026-12-21T09:30:00.000+00:00"
         *     }
         */
        DsarCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "dsar.created";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            environment_url: components["schemas"]["WebUrl"];
            timestamp: components["schemas"]["OffsetInstant"];
            request_id: components["schemas"]["Uuid"];
            request_type: components["schemas"]["DsarType"];
            email: components["schemas"]["Email"];
            /** @description 30 days after creation. */
            due_at: components["schemas"]["OffsetInstant"];
        };
        /**
         * @description `newest`: by creation; `deadline`: the earliest deadline first, an extension counted.
         * @enum {string}
         */
        DsarOrder: "newest" | "deadline";
        /** @description What the data subject is told; the same whether or not an earlier request exists. */
        DsarReceipt: {
            request_id: components["schemas"]["Uuid"];
            status: components["schemas"]["DsarStatus"];
            created_at: components["schemas"]["Instant"];
            /** @description 30 days after creation (GDPR Art. 12(3)). */
            due_at: components["schemas"]["Instant"];
        };
        /**
         * @description How a request ended.
         * @enum {string}
         */
        DsarResolution: "fulfilled" | "partially_fulfilled" | "refused" | "duplicate" | "not_verified";
        /**
         * @description An operator marked a data-subject request completed.
         * @example {
         *       "event": "dsar.resolved",
         *       "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
         *       "environment_url": "https://shop.example.com",
         *       "timestamp": "2026-12-02T14:05:00.000+00:00",
         *       "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
         *       "request_type": "erasure",
         *       "email": "visitor@example.com",
         *       "due_at": "2026-12-21T09:30:00.000+00:00",
         *       "resolved_at": "2026-12-02T14:05:00.000+00:00",
         *       "resolution": "fulfilled"
         *     }
         */
        DsarResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "dsar.resolved";
            /** @description The environment's token. */
            environment: components["schemas"]["EnvironmentToken"];
            environment_url: components["schemas"]["WebUrl"];
            timestamp: components["schemas"]["OffsetInstant"];
            request_id: components["schemas"]["Uuid"];
            request_type: components["schemas"]["DsarType"];
            email: components["schemas"]["Email"];
            /** @description 30 days after creation. */
            due_at: components["schemas"]["OffsetInstant"];
            resolved_at: components["schemas"]["OffsetInstant"];
            resolution: components["schemas"]["DsarResolution"];
        };
        /**
         * @description Where a request stands.
         * @enum {string}
         */
        DsarStatus: "created" | "in_progress" | "resolved";
        /**
         * @description The right that is exercised: GDPR Art. 15–22, withdrawal of consent (Art. 7(3)), or a complaint.
         * @enum {string}
         */
        DsarType: "access" | "rectification" | "erasure" | "restriction" | "portability" | "objection" | "automated_decision" | "withdraw_consent" | "complaint";
        /** @description An e-mail address (RFC 5321: at most 254 characters), kept as given and compared in lower case. */
        Email: string;
        /** @description A site. */
        Environment: {
            token: components["schemas"]["EnvironmentToken"];
            name: string;
            domain: components["schemas"]["Domain"];
            /** @description Every domain of the site, `domain` included. */
            domains: components["schemas"]["Domain"][];
            url: components["schemas"]["WebUrl"];
            status: components["schemas"]["EnvironmentStatus"];
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            settings: components["schemas"]["Settings"];
            /** @description Of the present `name`, `domain`, `domains`, `url` and `status`: another one after each change of them. */
            revision: components["schemas"]["SiteRevision"];
            /**
             * Format: int32
             * @description The number of the present settings version; consent records name it as `banner_version`.
             */
            settings_version: number;
            warnings: components["schemas"]["Warning"][];
            /** @description The caller's role. */
            role: components["schemas"]["Role"];
        };
        /**
         * @description `paused` refuses visitor requests with 403, the banner's script included.
         * @enum {string}
         */
        EnvironmentStatus: "active" | "paused";
        /** @description The public token of an environment: `env_` and 22 base62 characters. */
        EnvironmentToken: string;
        /** @description How much was erased. */
        ErasedSession: {
            session_id: components["schemas"]["Uuid"];
            /**
             * Format: int32
             * @description Consent records that were deleted.
             */
            consents: number;
        };
        /**
         * @description What kind of failure it was; stable, for programs.
         * @enum {string}
         */
        ErrorCode: "validation_failed" | "invalid_json" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable";
        /** @description Event names, each once. */
        EventList: components["schemas"]["EventName"][];
        /** @description Event names, each once. */
        EventListItem: components["schemas"]["EventName"][];
        /**
         * @description The events that a webhook can receive.
         * @enum {string}
         */
        EventName: "consent.accept_all" | "consent.reject_all" | "consent.save_preferences" | "dsar.created" | "dsar.resolved" | "breach.created" | "breach.reported";
        /** @description What a webhook receives: the body, as it was compiled when the event occurred. */
        EventPayload: components["schemas"]["ConsentAcceptAllEvent"] | components["schemas"]["ConsentRejectAllEvent"] | components["schemas"]["ConsentSavePreferencesEvent"] | components["schemas"]["DsarCreatedEvent"] | components["schemas"]["DsarResolvedEvent"] | components["schemas"]["BreachCreatedEvent"] | components["schemas"]["BreachReportedEvent"];
        /** @description An event that occurred. */
        EventRecord: {
            /** @description The `webhook-id` of every delivery of this event. */
            event_id: components["schemas"]["Uuid"];
            event: components["schemas"]["EventName"];
            occurred_at: components["schemas"]["Instant"];
            payload: components["schemas"]["EventPayload"];
        };
        ExtendDsarInput: {
            /** @description Told to the data subject within the first month (GDPR Art. 12(3)). */
            reason: string;
        };
        /** @description The data of a failed request. */
        Failure: {
            code: components["schemas"]["ErrorCode"];
            /** @description Every problem that was found, not only the first. */
            errors: components["schemas"]["FieldError"][];
        };
        /** @description One problem of the request. */
        FieldError: {
            /** @description Where: a JSON path such as `body.categories.analytics`, `query.limit` or `path.token`. */
            path: string;
            /** @description What is wrong and what would be right. */
            message: string;
            /** @description The rule that was broken, such as `required`, `pattern` or `additionalProperties`. */
            code: string;
        };
        /** @description The caller may not do this. */
        Forbidden: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description Consent given in a form, the wording kept as shown. */
        FormConsent: {
            form_consent_id: components["schemas"]["Uuid"];
            form_id: string;
            form_url: string;
            subject: components["schemas"]["FormSubject"];
            statements: components["schemas"]["FormStatement"][];
            double_opt_in: components["schemas"]["DoubleOptIn"];
            language: string;
            ip_masked: string;
            recorded_at: components["schemas"]["Instant"];
        };
        FormConsentInput: {
            form_id: string;
            /** @description Its query and fragment are cut off before it is stored. */
            form_url: components["schemas"]["WebUrl"];
            subject: components["schemas"]["FormSubject"];
            /** @description Each with a key of its own. */
            statements: components["schemas"]["FormStatement"][];
            /** @description Default `none`. */
            double_opt_in?: components["schemas"]["DoubleOptIn"];
            language?: components["schemas"]["Language"];
        };
        /** @description One statement of the form, its wording as it was shown. */
        FormStatement: {
            key: string;
            text: string;
            accepted: boolean;
        };
        /** @description Who consented in a form: at least one of the two. */
        FormSubject: {
            email?: components["schemas"]["Email"];
            /** @description The site's own id of the person. */
            external_id?: string;
        };
        /**
         * @description A consent type of Google Consent Mode v2.
         * @enum {string}
         */
        GoogleConsentType: "ad_storage" | "ad_user_data" | "ad_personalization" | "analytics_storage" | "functionality_storage" | "personalization_storage" | "security_storage";
        /**
         * @description From 90 points on A, 75 B, 60 C, 45 D, 30 E, below F.
         * @enum {string}
         */
        Grade: "A" | "B" | "C" | "D" | "E" | "F";
        /** @description A line of a record's history. */
        HistoryEntry: {
            at: components["schemas"]["Instant"];
            /** @description Who did it: an e-mail address of an operator, or `data subject`. */
            actor: string;
            action: string;
            /** @description What the actor wrote. */
            note: string | null;
        };
        /** @description The banner was shown. */
        ImpressionInput: {
            /** @description Made by the visitor's browser; a report with an id that was seen within 24 hours is not counted again. */
            event_id?: components["schemas"]["Uuid"];
            session_id?: components["schemas"]["Uuid"];
            page_url?: components["schemas"]["WebUrl"];
            language?: components["schemas"]["Language"];
            /** @description The bundle that showed it; counted under its settings version when it is one of the site's last 50, else under the present one. */
            bundle_hash?: components["schemas"]["BundleHash"];
        };
        /**
         * Format: date-time
         * @description An instant between the years 2000 and 2099: ISO 8601 (RFC 3339) with `Z` or a numeric offset. Answers use UTC with milliseconds.
         */
        Instant: string;
        /** @description One interaction. */
        Interaction: {
            name: components["schemas"]["InteractionName"];
            /** @description When, by the visitor's clock; more than a day away from ours, ours counts. */
            at: components["schemas"]["Instant"];
            /** @description The category concerned. */
            category?: components["schemas"]["CategoryKey"];
        };
        InteractionBatch: {
            /** @description Made by the visitor's browser; a report with an id that was seen within 24 hours is not counted again. */
            event_id?: components["schemas"]["Uuid"];
            session_id: components["schemas"]["Uuid"];
            language?: components["schemas"]["Language"];
            events: components["schemas"]["Interaction"][];
        };
        /** @description How often something was done. */
        InteractionCount: {
            name: string;
            category: string | null;
            /** Format: int64 */
            count: number;
        };
        /**
         * @description What a visitor did with the banner.
         * @enum {string}
         */
        InteractionName: "banner_shown" | "banner_closed" | "settings_opened" | "category_toggled" | "vendor_list_opened" | "policy_opened" | "script_blocked" | "script_released";
        /** @description Our fault; nothing was written. Quote the request id. */
        InternalError: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description A language tag (BCP 47): language, optional script, optional region. */
        Language: string;
        /** @description A later decision of the same session. */
        LaterDecision: {
            consent_id: components["schemas"]["Uuid"];
            decision: components["schemas"]["Decision"];
            recorded_at: components["schemas"]["Instant"];
        };
        /**
         * @description Lawful basis of a processing activity (GDPR Art. 6(1)).
         * @enum {string}
         */
        LawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
        /** @description Credentials of a person with an account. */
        LoginInput: {
            email: components["schemas"]["Email"];
            password: string;
        };
        /** @description The caller. */
        Me: {
            /** Format: int32 */
            id: number;
            name: string;
            email: components["schemas"]["Email"];
            created_at: components["schemas"]["Instant"];
        };
        /** @description A person who may see or manage an environment. */
        Member: {
            /** Format: int32 */
            user_id: number;
            email: components["schemas"]["Email"];
            name: string;
            role: components["schemas"]["Role"];
            /**
             * @description `invited` until the invitation link was used.
             * @enum {string}
             */
            status: "active" | "invited";
            /** @description When the person became a member. */
            added_at: components["schemas"]["Instant"];
        };
        /**
         * Format: password
         * @description A new password: 12 to 200 characters.
         */
        NewPassword: string;
        /** @description No such thing, or it belongs to somebody else. */
        NotFound: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /**
         * Format: date-time
         * @description An instant in UTC with the numeric offset `+00:00`.
         */
        OffsetInstant: string;
        /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
        PayloadTooLarge: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description The latest choice of a session. */
        Preferences: {
            session_id: components["schemas"]["Uuid"];
            /** @description null when the session has made no choice. */
            decision: components["schemas"]["Decision"] | null;
            /** @description The choice; without one, everything is refused. */
            categories: components["schemas"]["CategoryChoices"];
            /** @description The policy version that the choice was made under. */
            policy_version: string | null;
            recorded_at: components["schemas"]["Instant"] | null;
            expires_at: components["schemas"]["Instant"] | null;
            /** @description Whether the banner should be shown. */
            reconsent_required: boolean;
            reason: components["schemas"]["ReconsentReason"];
            environment: components["schemas"]["PreferencesEnvironment"];
        };
        /** @description What a visitor script needs to know of the site. */
        PreferencesEnvironment: {
            categories: components["schemas"]["Category"][];
            policy_version: string;
            languages: components["schemas"]["Language"][];
        };
        PreferencesInput: {
            session_id: components["schemas"]["Uuid"];
            /** @description What is left out is refused. */
            categories: components["schemas"]["CategoryChoices"];
            /** @description The language in which the banner was shown. */
            language?: components["schemas"]["Language"];
            /** @description The page; its query and fragment are cut off before it is stored. */
            page_url?: components["schemas"]["WebUrl"];
            /**
             * Format: int32
             * @description The settings version whose banner was shown; default: that of the bundle named by `bundle_hash` when it is one of the site's last 50, else the present one.
             */
            banner_version?: number;
            /** @description The bundle that showed the banner. */
            bundle_hash?: components["schemas"]["BundleHash"];
            /** @description Default `banner`. */
            method?: components["schemas"]["ConsentMethod"];
            /** @description IAB TCF consent string. */
            tc_string?: string;
            /** @description IAB GPP string. */
            gpp_string?: string;
        };
        PreviewBundleInput: {
            /** @description Languages of the bundle, the first of them being its default; each must be one of the settings', once. Default: the settings', their default language first. */
            languages?: components["schemas"]["Language"][];
            /** @description Which texts the script itself holds; default `default`. */
            texts?: components["schemas"]["BundleTextMode"];
            layout?: components["schemas"]["BannerLayout"];
            position?: components["schemas"]["BannerPosition"];
            theme?: components["schemas"]["BannerTheme"];
            control?: components["schemas"]["BannerControl"];
            /** @description Settings that are not saved yet, over the present ones. */
            settings?: components["schemas"]["SettingsPatch"];
        };
        /** @description An entry of the records of processing (GDPR Art. 30(1)) that the owner keeps. */
        ProcessingActivity: {
            name: string;
            purposes: components["schemas"]["ShortText"][];
            lawful_basis: components["schemas"]["LawfulBasis"];
            subject_categories: components["schemas"]["ShortText"][];
            data_categories: components["schemas"]["ShortText"][];
            recipients: components["schemas"]["ShortText"][];
            /** @description Transfers to third countries and their safeguards (Art. 30(1)(e)). */
            transfers?: string;
            /** @description Time limits for erasure (Art. 30(1)(f)). */
            retention?: string;
            /** @description When the entry was last reviewed. */
            last_review?: components["schemas"]["Instant"];
        };
        /** @description A purpose, as visitors are told. */
        Purpose: {
            id: components["schemas"]["TcfPurpose"];
            name: string;
            description: string;
        };
        /**
         * @description Why the visitor should be asked, or `none`.
         * @enum {string}
         */
        ReconsentReason: "none" | "no_choice" | "expired" | "policy_changed" | "new_categories";
        Recorded: {
            recorded: boolean;
        };
        RecordedConsent: {
            consent_id: components["schemas"]["Uuid"];
        };
        RecordedFormConsent: {
            form_consent_id: components["schemas"]["Uuid"];
            recorded_at: components["schemas"]["Instant"];
        };
        RemovedMember: {
            /** Format: int32 */
            user_id: number;
        };
        /** @description A new way in for somebody who was invited. */
        RenewedInvitation: {
            /** Format: int32 */
            user_id: number;
            email: components["schemas"]["Email"];
            /** @description Hand it to the person; it works once, for 7 days, as long as whoever made it is an owner, and is shown only here. */
            invitation_url: string;
        };
        /** @description The new list. */
        ReplaceVendorsInput: {
            vendors: components["schemas"]["Vendor"][];
            /**
             * Format: int32
             * @description The `vendor_list_version` that the new list was made of, 0 before the first: 409 `conflict` when the list has changed since, unless it is already the one that is sent. Without it, the last list wins.
             */
            expected_version?: number;
        };
        ReportBreachInput: {
            /** @description When it was reported; default: now. Not in the future, not before aware_at. */
            reported_at?: components["schemas"]["Instant"];
            /** @description The supervisory authority; default: that of the environment's controller. */
            authority?: string;
            authority_reference?: string;
            /** @description Needed when it is reported after notify_by. */
            late_reason?: string;
        };
        ResolveDsarInput: {
            resolution: components["schemas"]["DsarResolution"];
            note?: string;
        };
        /** @description How long records are kept, in days. */
        RetentionDays: {
            /**
             * Format: int32
             * @description Consent records and form consents.
             */
            consents: number;
            /**
             * Format: int32
             * @description Events; at least as long as a delivery may be held.
             */
            events: number;
            /**
             * Format: int32
             * @description Data-subject requests, counted from their resolution; default 1095. Open ones are kept, and so is the register of breaches (GDPR Art. 33(5)).
             */
            requests?: number;
        };
        Revoked: {
            /** @description Every bearer token issued before this instant is refused. */
            revoked_before: components["schemas"]["Instant"];
        };
        /**
         * @description What a member may do: `viewer` reads, `operator` acts on records, `owner` manages members, webhooks and settings.
         * @enum {string}
         */
        Role: "owner" | "operator" | "viewer";
        /** @description Records of processing activities (GDPR Art. 30). */
        Ropa: {
            environment: string;
            site: string;
            url: components["schemas"]["WebUrl"];
            generated_at: components["schemas"]["Instant"];
            /** @description Art. 30(1)(a): controller, representative, data-protection officer. */
            controller: components["schemas"]["Controller"];
            entries: components["schemas"]["RopaEntry"][];
        };
        /** @description One processing activity with the fields of GDPR Art. 30(1). */
        RopaEntry: {
            source: components["schemas"]["RopaSource"];
            name: string;
            /** @description Art. 30(1)(b). */
            purposes: string[];
            lawful_basis: components["schemas"]["LawfulBasis"];
            /** @description Art. 30(1)(c). */
            subject_categories: string[];
            /** @description Art. 30(1)(c). */
            data_categories: string[];
            /** @description Art. 30(1)(d). */
            recipients: string[];
            /** @description Art. 30(1)(e): transfers to third countries and their safeguards. */
            transfers: string;
            /** @description Art. 30(1)(f). */
            retention: string;
            /** @description Art. 30(1)(g). */
            security_measures: string[];
            /** @description Where consents to this activity are found. */
            consent_records: string | null;
            /** @description Where breaches are registered. */
            breach_register: string | null;
            last_review: components["schemas"]["Instant"] | null;
        };
        /**
         * @description Where an entry comes from: kept by the owner, or derived from what the service does for the site.
         * @enum {string}
         */
        RopaSource: "owner" | "derived";
        RotateSecretInput: {
            /**
             * Format: int32
             * @description Hours in which the old secret still signs beside the new one; 0 when it has leaked. Default 24.
             */
            overlap_hours?: number;
        };
        /**
         * @description `browser`: a visit with a real browser. `http`: no browser on this server; what headers and page source tell, scripts are not run.
         * @enum {string}
         */
        ScanEngine: "browser" | "http";
        /** @description Something that should be mended, or that the reader should know. */
        ScanFinding: {
            /** @description Stable name of the rule. */
            rule: string;
            severity: components["schemas"]["WarningSeverity"];
            message: string;
        };
        /**
         * Format: uuid
         * @description The id of a scan: a random UUIDv4, unlike other ids here. Whoever knows it may read the scan, so it must not be guessable from the
         *     time at which the scan was started.
         */
        ScanId: string;
        /**
         * @description `failed`: the page could not be visited; `error` says why.
         * @enum {string}
         */
        ScanStatus: "queued" | "running" | "done" | "failed";
        /** @description A cookie that a visit left behind. */
        ScannedCookie: {
            name: string;
            /** @description The domain that it is sent to, without a leading dot. */
            domain: string;
            /** @description One of the site's categories when its vendors list the cookie, else necessary, functional, analytics, marketing or unclassified. */
            category: components["schemas"]["CategoryKey"];
            vendor?: string;
            /**
             * Format: int64
             * @description From the end of the visit on; 0 for a session cookie.
             */
            max_age_seconds: number;
            secure: boolean;
            http_only: boolean;
            /** @description As the cookie says; null when it says nothing, which browsers take for Lax. */
            same_site: components["schemas"]["CookieSameSite"] | null;
            /** @description Always true at present: a scan never consents. */
            set_before_consent: boolean;
            /** @description Set for the scanned host, for its domain, or for a subdomain of it. */
            first_party: boolean;
        };
        /** @description A host that the page made the browser speak to. */
        ScannedRequest: {
            host: string;
            /** @description `necessary` for the page's own host; else like a cookie's. */
            category: components["schemas"]["CategoryKey"];
            vendor?: string;
            /** @description Always true at present: a scan never consents. */
            before_consent: boolean;
        };
        /** @description A bearer token (JWT, RFC 7519) and whose it is. */
        Session: {
            /** @description Send it as `Authorization: Bearer <token>`. */
            token: string;
            /** @description 12 hours after it was issued. */
            expires_at: components["schemas"]["Instant"];
            user: components["schemas"]["User"];
        };
        /** @description All settings of an environment. Every change makes a new, immutable version. */
        Settings: {
            /** @description At least one; each key once. */
            categories: components["schemas"]["Category"][];
            /** @description The owner's version of the privacy policy; a new one asks visitors again. */
            policy_version: string;
            privacy_policy_url?: components["schemas"]["WebUrl"] | null;
            imprint_url?: components["schemas"]["WebUrl"] | null;
            banner: components["schemas"]["Banner"];
            default_language: components["schemas"]["Language"];
            languages: components["schemas"]["Language"][];
            /** @description IANA time zone of the site; reports use its days. */
            time_zone: string;
            /**
             * Format: int32
             * @description Days until a visitor is asked again.
             */
            consent_lifetime_days: number;
            retention_days: components["schemas"]["RetentionDays"];
            /** @description Refuse visitor requests whose `Origin` is none of the environment's domains. */
            enforce_origin: boolean;
            controller: components["schemas"]["Controller"];
            /** @description Technical and organisational measures (GDPR Art. 32). */
            security_measures: components["schemas"]["ShortText"][];
            processing_activities: components["schemas"]["ProcessingActivity"][];
        };
        /** @description Any part of the settings; what is given replaces that part, what is left out stays. */
        SettingsPatch: {
            /** @description At least one; each key once. */
            categories?: components["schemas"]["Category"][];
            /** @description The owner's version of the privacy policy; a new one asks visitors again. */
            policy_version?: string;
            privacy_policy_url?: components["schemas"]["WebUrl"] | null;
            imprint_url?: components["schemas"]["WebUrl"] | null;
            banner?: components["schemas"]["Banner"];
            default_language?: components["schemas"]["Language"];
            languages?: components["schemas"]["Language"][];
            /** @description IANA time zone of the site; reports use its days. */
            time_zone?: string;
            /**
             * Format: int32
             * @description Days until a visitor is asked again.
             */
            consent_lifetime_days?: number;
            retention_days?: components["schemas"]["RetentionDays"];
            /** @description Refuse visitor requests whose `Origin` is none of the environment's domains. */
            enforce_origin?: boolean;
            controller?: components["schemas"]["Controller"];
            /** @description Technical and organisational measures (GDPR Art. 32). */
            security_measures?: components["schemas"]["ShortText"][];
            processing_activities?: components["schemas"]["ProcessingActivity"][];
        };
        /** @description A short line of text. */
        ShortText: string;
        /** @description The script that showed the banner, byte for byte as it was. */
        ShownBundle: {
            /** @description With it `getBundleRecord` tells what it was made of. */
            hash: components["schemas"]["BundleHash"];
            created_at: components["schemas"]["Instant"];
            /** @description Where it can still be loaded. */
            immutable_url: components["schemas"]["WebUrl"];
        };
        /** @description What the visitor was shown. */
        ShownSettings: {
            /** Format: int32 */
            version: number;
            created_at: components["schemas"]["Instant"];
            settings: components["schemas"]["Settings"];
        };
        /** @description A name that can be read: one character of it at least is seen. */
        SiteName: string;
        /** @description Tells one state of a site from another; it has no order. */
        SiteRevision: string;
        StartCookieScanInput: {
            /** @description A page on a public host, http or https on the usual port. */
            url: components["schemas"]["WebUrl"];
            /** @description Scan for this site: its vendors classify, and the result counts for its compliance score. The page must be on one of its domains. */
            token?: components["schemas"]["EnvironmentToken"];
        };
        /** @description A remark for the history. */
        StartDsarInput: {
            note?: string;
        };
        StartedScan: {
            scan_id: components["schemas"]["ScanId"];
            status: components["schemas"]["ScanStatus"];
        };
        /** @description A request of a data subject. */
        SubmitDsarInput: {
            request_type: components["schemas"]["DsarType"];
            /** @description Where the answer goes. */
            email: components["schemas"]["Email"];
            name?: string;
            message?: string;
            /** @description The visitor's consent session, if the request is about it. */
            session_id?: components["schemas"]["Uuid"];
            /** @description The language in which the person wishes to be answered. */
            language?: components["schemas"]["Language"];
        };
        /**
         * Format: int32
         * @description A purpose of the IAB Transparency & Consent Framework v2.3: 1 to 11.
         */
        TcfPurpose: number;
        TestWebhookInput: {
            /** @description The event to send an example of; default: the first that the webhook subscribes to. */
            event?: components["schemas"]["EventName"];
        };
        /** @description Texts by language tag. */
        TextsByLanguage: {
            [key: string]: components["schemas"]["BannerTexts"];
        };
        /**
         * @description The order of a list by time.
         * @enum {string}
         */
        TimeOrder: "oldest" | "newest";
        /** @description Too many requests: wait for `Retry-After` seconds. */
        TooManyRequests: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description The bearer token is missing, expired or revoked: log in again. */
        Unauthorized: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
        Unavailable: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        /** @description The body's media type is not one that this operation takes. */
        UnsupportedMediaType: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            data: components["schemas"]["Failure"];
            /** @description One sentence that says what to do. */
            message: string;
        };
        UpdateBreachInput: {
            title?: string;
            /** @description Nature of the breach: confidentiality, integrity, availability, and how it happened. */
            nature?: string;
            description?: string;
            severity?: components["schemas"]["BreachSeverity"];
            /** @description When it began; not after aware_at. */
            occurred_from?: components["schemas"]["Instant"] | null;
            occurred_to?: components["schemas"]["Instant"] | null;
            /** @description When the controller became aware: the 72 hours run from here. Not in the future. */
            aware_at?: components["schemas"]["Instant"];
            data_categories?: components["schemas"]["ShortText"][];
            subject_categories?: components["schemas"]["ShortText"][];
            /** @description Approximate number of data subjects. */
            affected_subjects?: number | null;
            /** @description Approximate number of records. */
            affected_records?: number | null;
            /** @description Likely consequences. */
            consequences?: string;
            /** @description Measures taken or proposed. */
            measures?: string;
            /** @description When the data subjects were informed (GDPR Art. 34). */
            subjects_informed_at?: components["schemas"]["Instant"] | null;
        };
        UpdateEnvironmentInput: {
            name?: components["schemas"]["SiteName"];
            domain?: components["schemas"]["Domain"];
            /** @description Replaces the further domains. */
            domains?: components["schemas"]["Domain"][];
            url?: components["schemas"]["WebUrl"];
            status?: components["schemas"]["EnvironmentStatus"];
            settings?: components["schemas"]["SettingsPatch"];
            /**
             * Format: int32
             * @description The `settings_version` that the change was made upon: 409 `conflict` when the settings have changed since, unless they say already what is sent. Without it, the last change wins.
             */
            expected_settings_version?: number;
            /** @description The `revision` that the change was made upon: 409 `conflict` when one of the fields that it is of has changed since, unless they say already what is sent. Without it, the last change wins. */
            expected_revision?: components["schemas"]["SiteRevision"];
        };
        UpdateMemberInput: {
            role: components["schemas"]["Role"];
        };
        UpdateWebhookInput: {
            url?: components["schemas"]["WebUrl"];
            events?: "*" | components["schemas"]["EventList"];
            method?: components["schemas"]["WebhookMethod"];
            description?: components["schemas"]["ShortText"] | null;
        };
        /** @description A person with an account. */
        User: {
            /** Format: int32 */
            id: number;
            name: string;
            email: components["schemas"]["Email"];
        };
        /**
         * Format: uuid
         * @description A UUID (RFC 9562) in its hyphenated form; upper case is accepted and stored in lower case.
         */
        Uuid: string;
        /** @description Somebody who processes visitors' data, shaped like a vendor of the IAB Global Vendor List v3. */
        Vendor: {
            /**
             * Format: int32
             * @description The vendor's number in the list.
             */
            id: number;
            name: string;
            /** @description TCF purposes by consent. */
            purposes: components["schemas"]["TcfPurpose"][];
            /** @description TCF purposes by legitimate interest. */
            leg_int_purposes: components["schemas"]["TcfPurpose"][];
            /** @description The environment's categories that it belongs to. */
            categories: components["schemas"]["CategoryKey"][];
            urls: components["schemas"]["VendorUrl"][];
            cookies: components["schemas"]["VendorCookie"][];
            data_retention_days?: number | null;
            /** @description Where it processes: ISO 3166-1 alpha-2. */
            country?: components["schemas"]["Country"] | null;
            /** @description The safeguard of a transfer to a third country (GDPR Art. 46), such as standard contractual clauses. */
            transfer_safeguard?: components["schemas"]["ShortText"] | null;
        };
        /** @description A cookie that a vendor sets. */
        VendorCookie: {
            name: string;
            /** @description The domain that it is set for. */
            domain?: components["schemas"]["Domain"] | null;
            category: components["schemas"]["CategoryKey"];
            /**
             * Format: int32
             * @description 0 for a session cookie.
             */
            max_age_seconds: number;
            description?: components["schemas"]["CookieDescription"] | null;
        };
        /** @description The vendors of a site, in the shape of the IAB Global Vendor List v3. */
        VendorList: {
            /**
             * Format: int32
             * @description Rises with each replacement; 0 before the first.
             */
            vendor_list_version: number;
            updated_at: components["schemas"]["Instant"];
            /** @description The purposes that the vendors name. */
            purposes: components["schemas"]["Purpose"][];
            vendors: components["schemas"]["Vendor"][];
        };
        /** @description Where a vendor explains itself, in one language. */
        VendorUrl: {
            lang_id: components["schemas"]["Language"];
            privacy: components["schemas"]["WebUrl"];
            /** @description Its explanation of legitimate interests. */
            leg_int_claim?: components["schemas"]["WebUrl"] | null;
        };
        /** @description Something that the owner should act on. */
        Warning: {
            code: components["schemas"]["WarningCode"];
            severity: components["schemas"]["WarningSeverity"];
            /** @description What is the matter and what to do. */
            message: string;
            /** @description The webhook, request, breach or scan that it is about; null when it is about the site itself. */
            subject_id: components["schemas"]["Uuid"] | null;
            /** @description Since when; for a clock, when it runs out. */
            since: components["schemas"]["Instant"];
        };
        /**
         * @description What a warning is about. `bundle_outdated`: visitors get a banner that was made of older settings or vendors, or by an older version of this product.
         * @enum {string}
         */
        WarningCode: "webhook_failing" | "webhook_disabled" | "dsar_due" | "dsar_overdue" | "breach_clock" | "breach_overdue" | "scan_finding" | "bundle_outdated";
        WarningList: {
            items: components["schemas"]["Warning"][];
        };
        /**
         * @description How soon something must be done.
         * @enum {string}
         */
        WarningSeverity: "info" | "warning" | "critical";
        /** @description An absolute http or https URL. */
        WebUrl: string;
        /** @description An address that receives signed events. */
        Webhook: {
            webhook_id: components["schemas"]["Uuid"];
            url: components["schemas"]["WebUrl"];
            events: "*" | components["schemas"]["EventListItem"];
            method: components["schemas"]["WebhookMethod"];
            description: string | null;
            status: components["schemas"]["WebhookStatus"];
            /** Format: int32 */
            consecutive_failures: number;
            /** @description Not before this instant is the next attempt made; null when there is nothing to wait for. */
            retry_at: components["schemas"]["Instant"] | null;
            /** @description The last failure in one line, without personal data. */
            last_error: string | null;
            last_success_at: components["schemas"]["Instant"] | null;
            disabled_at: components["schemas"]["Instant"] | null;
            disabled_reason: string | null;
            /**
             * Format: int32
             * @description Deliveries that wait for reactivation.
             */
            held: number;
            /**
             * Format: int32
             * @description Deliveries that wait to be sent.
             */
            pending: number;
            /** @description Until when a rotated secret still signs; null when there is only one secret. */
            previous_secret_until: components["schemas"]["Instant"] | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
        };
        /**
         * @description Both send the same JSON bytes as the body.
         * @enum {string}
         */
        WebhookMethod: "POST" | "GET";
        /**
         * @description `failing`: the last delivery failed, one attempt at a time; `disabled`: 5 consecutive failures, deliveries are held.
         * @enum {string}
         */
        WebhookStatus: "active" | "failing" | "disabled";
        /** @description A webhook with its secret, which is shown only here. */
        WebhookWithSecret: {
            webhook_id: components["schemas"]["Uuid"];
            url: components["schemas"]["WebUrl"];
            events: "*" | components["schemas"]["EventList"];
            method: components["schemas"]["WebhookMethod"];
            description: string | null;
            status: components["schemas"]["WebhookStatus"];
            /** Format: int32 */
            consecutive_failures: number;
            /** @description Not before this instant is the next attempt made; null when there is nothing to wait for. */
            retry_at: components["schemas"]["Instant"] | null;
            /** @description The last failure in one line, without personal data. */
            last_error: string | null;
            last_success_at: components["schemas"]["Instant"] | null;
            disabled_at: components["schemas"]["Instant"] | null;
            disabled_reason: string | null;
            /**
             * Format: int32
             * @description Deliveries that wait for reactivation.
             */
            held: number;
            /**
             * Format: int32
             * @description Deliveries that wait to be sent.
             */
            pending: number;
            /** @description Until when a rotated secret still signs; null when there is only one secret. */
            previous_secret_until: components["schemas"]["Instant"] | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            /** @description `whsec_` and 32 random bytes in base64. Keep it: it is not shown again. */
            secret: string;
        };
    };
    responses: never;
    parameters: {
        "BreachPath.breach_id": components["schemas"]["Uuid"];
        /** @description The bundle's hash, as `generateBundle` answered it. */
        "BundlePath.hash": components["schemas"]["BundleHash"];
        Conditional: string;
        "ConsentFilter.decision": components["schemas"]["Decision"];
        "ConsentFilter.session_id": components["schemas"]["Uuid"];
        /** @description A domain; letter case, a final dot and the form of international names do not matter. */
        DomainPath: components["schemas"]["Domain"];
        "DsarPath.request_id": components["schemas"]["Uuid"];
        /** @description The environment's token. */
        EnvironmentPath: components["schemas"]["EnvironmentToken"];
        /**
         * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
         *     answer and creates nothing; with another body it is refused with 409.
         */
        Idempotent: string;
        /** @description The `next_cursor` of the page before. */
        "PageQuery.cursor": string;
        /** @description How many items at the most. */
        "PageQuery.limit": number;
        ScanPath: components["schemas"]["ScanId"];
        /** @description Only what was recorded at this instant or later. */
        "TimeRangeQuery.from": components["schemas"]["Instant"];
        /** @description Only what was recorded before this instant. */
        "TimeRangeQuery.to": components["schemas"]["Instant"];
        "WebhookPath.webhook_id": components["schemas"]["Uuid"];
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q0Y2m1pJ3l5wq8uK2s4d6f8g0h1j3k5l7z9x1c3v5b7",
                 *       "email": "owner@example.com",
                 *       "name": "Ada Owner",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvitationInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
                     *         "expires_at": "2026-11-21T21:30:00.000Z",
                     *         "user": {
                     *           "id": 1,
                     *           "name": "Ada Owner",
                     *           "email": "owner@example.com"
                     *         }
                     *       },
                     *       "message": "Account created."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Session"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LoginInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
                     *         "expires_at": "2026-11-21T21:30:00.000Z",
                     *         "user": {
                     *           "id": 1,
                     *           "name": "Ada Owner",
                     *           "email": "owner@example.com"
                     *         }
                     *       },
                     *       "message": "Logged in."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Session"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "correct horse battery",
                 *       "new_password": "staple horse correct"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
                     *         "expires_at": "2026-11-21T21:30:00.000Z",
                     *         "user": {
                     *           "id": 1,
                     *           "name": "Ada Owner",
                     *           "email": "owner@example.com"
                     *         }
                     *       },
                     *       "message": "Password changed."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Session"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    revokeTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "revoked_before": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "message": "All tokens revoked."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Revoked"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getBundle: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["Conditional"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            /** @description The list has not changed since the `If-None-Match` of the request. */
            304: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getBundleVersion: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["Conditional"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                /** @description The bundle's hash, as `generateBundle` answered it. */
                hash: components["parameters"]["BundlePath.hash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            /** @description The list has not changed since the `If-None-Match` of the request. */
            304: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getBundleTexts: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["Conditional"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                /** @description The bundle's hash, as `generateBundle` answered it. */
                hash: components["parameters"]["BundlePath.hash"];
                language: components["schemas"]["Language"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request has succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "language": "de",
                     *         "texts": {
                     *           "title": "Your choice on cookies",
                     *           "description": "We store and read information on your device for the purposes below. You are free to refuse, and can change your choice at any time.",
                     *           "accept_all": "Accept all",
                     *           "reject_all": "Reject all",
                     *           "settings": "Settings",
                     *           "save": "Save choice",
                     *           "close": "Close",
                     *           "settings_title": "Privacy settings",
                     *           "settings_description": "Choose what you allow.",
                     *           "always_active": "Always active",
                     *           "vendors": "Vendors",
                     *           "cookies": "Cookies",
                     *           "lifetime": "Lifetime",
                     *           "session": "Session",
                     *           "privacy_policy": "Privacy policy",
                     *           "imprint": "Imprint",
                     *           "reopen": "Privacy settings",
                     *           "gpc_notice": "Your browser asks not to be tracked: everything that is not necessary is switched off.",
                     *           "blocked": "This content needs your consent: {category}.",
                     *           "allow": "Allow",
                     *           "saved": "Your choice is saved.",
                     *           "categories": {
                     *             "necessary": {
                     *               "name": "Necessary",
                     *               "description": "Needed for the site to work."
                     *             }
                     *           }
                     *         }
                     *       },
                     *       "message": "Texts of the bundle."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["BundleLanguage"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The list has not changed since the `If-None-Match` of the request. */
            304: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getBundleVendors: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["Conditional"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                /** @description The bundle's hash, as `generateBundle` answered it. */
                hash: components["parameters"]["BundlePath.hash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request has succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "vendors": [
                     *           {
                     *             "id": 755,
                     *             "name": "Example Analytics",
                     *             "purposes": [
                     *               1,
                     *               8
                     *             ],
                     *             "leg_int_purposes": [],
                     *             "categories": [
                     *               "analytics"
                     *             ],
                     *             "urls": [
                     *               {
                     *                 "lang_id": "en",
                     *                 "privacy": "https://analytics.example.com/privacy"
                     *               }
                     *             ],
                     *             "cookies": [
                     *               {
                     *                 "name": "_ea",
                     *                 "domain": "shop.example.com",
                     *                 "category": "analytics",
                     *                 "max_age_seconds": 7776000,
                     *                 "description": "Tells visitors apart."
                     *               }
                     *             ],
                     *             "data_retention_days": 90,
                     *             "country": "US",
                     *             "transfer_safeguard": "EU standard contractual clauses"
                     *           }
                     *         ]
                     *       },
                     *       "message": "Vendors of the bundle."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["BundleVendors"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The list has not changed since the `If-None-Match` of the request. */
            304: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    logConsent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                 *       "decision": "accept_all",
                 *       "language": "en",
                 *       "page_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": components["schemas"]["ConsentInput"];
                "text/plain": components["schemas"]["ConsentInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c",
                     *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                     *         "decision": "accept_all",
                     *         "categories": {
                     *           "functional": true,
                     *           "analytics": true,
                     *           "marketing": true
                     *         },
                     *         "policy_version": "1",
                     *         "banner_version": 1,
                     *         "bundle_hash": null,
                     *         "method": "banner",
                     *         "language": "en",
                     *         "page_url": "https://shop.example.com/",
                     *         "ip_masked": "203.0.***.***",
                     *         "user_agent": "Mozilla/5.0",
                     *         "gpc": false,
                     *         "recorded_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-05-20T09:30:00.000Z"
                     *       },
                     *       "message": "Consent recorded."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["ConsentRecord"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description Only what was recorded at this instant or later. */
                from?: components["parameters"]["TimeRangeQuery.from"];
                /** @description Only what was recorded before this instant. */
                to?: components["parameters"]["TimeRangeQuery.to"];
                interval?: components["schemas"]["AnalyticsInterval"];
                group_by?: components["schemas"]["AnalyticsGroup"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "from": "2026-11-01T00:00:00.000Z",
                     *         "to": "2026-12-01T00:00:00.000Z",
                     *         "time_zone": "UTC",
                     *         "interval": "month",
                     *         "totals": {
                     *           "impressions": 200,
                     *           "decisions": 100,
                     *           "accept_all": 50,
                     *           "reject_all": 30,
                     *           "save_preferences": 20,
                     *           "opted_in": 65,
                     *           "opt_in_rate": 0.65,
                     *           "reject_rate": 0.3,
                     *           "no_choice": 100,
                     *           "no_choice_rate": 0.5
                     *         },
                     *         "categories": [
                     *           {
                     *             "category": "analytics",
                     *             "granted": 60,
                     *             "refused": 40,
                     *             "opt_in_rate": 0.6
                     *           }
                     *         ],
                     *         "interactions": [
                     *           {
                     *             "name": "settings_opened",
                     *             "category": null,
                     *             "count": 12
                     *           }
                     *         ],
                     *         "previous": {
                     *           "from": "2026-10-02T00:00:00.000Z",
                     *           "to": "2026-11-01T00:00:00.000Z",
                     *           "impressions": 200,
                     *           "decisions": 100,
                     *           "accept_all": 50,
                     *           "reject_all": 30,
                     *           "save_preferences": 20,
                     *           "opted_in": 65,
                     *           "opt_in_rate": 0.65,
                     *           "reject_rate": 0.3,
                     *           "no_choice": 100,
                     *           "no_choice_rate": 0.5
                     *         },
                     *         "series": [
                     *           {
                     *             "start": "2026-11-01T00:00:00.000Z",
                     *             "impressions": 200,
                     *             "decisions": 100,
                     *             "accept_all": 50,
                     *             "reject_all": 30,
                     *             "save_preferences": 20,
                     *             "opted_in": 65,
                     *             "opt_in_rate": 0.65,
                     *             "reject_rate": 0.3,
                     *             "no_choice": 100,
                     *             "no_choice_rate": 0.5,
                     *             "categories": [
                     *               {
                     *                 "category": "analytics",
                     *                 "granted": 60,
                     *                 "refused": 40,
                     *                 "opt_in_rate": 0.6
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "groups": [],
                     *         "by_language": [
                     *           {
                     *             "key": "en",
                     *             "impressions": 200,
                     *             "decisions": 100,
                     *             "accept_all": 50,
                     *             "reject_all": 30,
                     *             "save_preferences": 20,
                     *             "opted_in": 65,
                     *             "opt_in_rate": 0.65,
                     *             "reject_rate": 0.3,
                     *             "no_choice": 100,
                     *             "no_choice_rate": 0.5
                     *           }
                     *         ],
                     *         "by_banner_version": [
                     *           {
                     *             "key": "1",
                     *             "impressions": 200,
                     *             "decisions": 100,
                     *             "accept_all": 50,
                     *             "reject_all": 30,
                     *             "save_preferences": 20,
                     *             "opted_in": 65,
                     *             "opt_in_rate": 0.65,
                     *             "reject_rate": 0.3,
                     *             "no_choice": 100,
                     *             "no_choice_rate": 0.5
                     *           }
                     *         ],
                     *         "by_device": [
                     *           {
                     *             "key": "desktop",
                     *             "impressions": 200,
                     *             "decisions": 100,
                     *             "accept_all": 50,
                     *             "reject_all": 30,
                     *             "save_preferences": 20,
                     *             "opted_in": 65,
                     *             "opt_in_rate": 0.65,
                     *             "reject_rate": 0.3,
                     *             "no_choice": 100,
                     *             "no_choice_rate": 0.5
                     *           }
                     *         ]
                     *       },
                     *       "message": "Analytics."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Analytics"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listBreaches: {
        parameters: {
            query?: {
                status?: components["schemas"]["BreachStatus"];
                severity?: components["schemas"]["BreachSeverity"];
                overdue?: boolean;
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
                     *             "title": "Newsletter list sent to a wrong address",
                     *             "nature": "Confidentiality: a file was sent to a wrong recipient.",
                     *             "description": "An export of the newsletter list was attached to a message to another customer.",
                     *             "severity": "medium",
                     *             "occurred_from": null,
                     *             "occurred_to": null,
                     *             "aware_at": "2026-11-20T08:00:00.000Z",
                     *             "notify_by": "2026-11-23T08:00:00.000Z",
                     *             "data_categories": [
                     *               "e-mail addresses"
                     *             ],
                     *             "subject_categories": [
                     *               "newsletter subscribers"
                     *             ],
                     *             "affected_subjects": null,
                     *             "affected_records": null,
                     *             "consequences": "Unwanted messages.",
                     *             "measures": "The recipient confirmed that the file was deleted.",
                     *             "subjects_informed_at": null,
                     *             "status": "created",
                     *             "reported_at": null,
                     *             "authority": null,
                     *             "authority_reference": null,
                     *             "late_reason": null,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "overdue": false,
                     *             "history": [
                     *               {
                     *                 "at": "2026-11-21T09:30:00.000Z",
                     *                 "actor": "dpo@example.com",
                     *                 "action": "created",
                     *                 "note": null
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Breaches."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Breach"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    createBreach: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Newsletter list sent to a wrong address",
                 *       "nature": "Confidentiality: a file was sent to a wrong recipient.",
                 *       "description": "An export of the newsletter list was attached to a message to another customer.",
                 *       "severity": "medium",
                 *       "aware_at": "2026-11-20T08:00:00.000Z",
                 *       "data_categories": [
                 *         "e-mail addresses"
                 *       ],
                 *       "subject_categories": [
                 *         "newsletter subscribers"
                 *       ],
                 *       "consequences": "Unwanted messages.",
                 *       "measures": "The recipient confirmed that the file was deleted."
                 *     }
                 */
                "application/json": components["schemas"]["CreateBreachInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
                     *         "title": "Newsletter list sent to a wrong address",
                     *         "nature": "Confidentiality: a file was sent to a wrong recipient.",
                     *         "description": "An export of the newsletter list was attached to a message to another customer.",
                     *         "severity": "medium",
                     *         "occurred_from": null,
                     *         "occurred_to": null,
                     *         "aware_at": "2026-11-20T08:00:00.000Z",
                     *         "notify_by": "2026-11-23T08:00:00.000Z",
                     *         "data_categories": [
                     *           "e-mail addresses"
                     *         ],
                     *         "subject_categories": [
                     *           "newsletter subscribers"
                     *         ],
                     *         "affected_subjects": null,
                     *         "affected_records": null,
                     *         "consequences": "Unwanted messages.",
                     *         "measures": "The recipient confirmed that the file was deleted.",
                     *         "subjects_informed_at": null,
                     *         "status": "created",
                     *         "reported_at": null,
                     *         "authority": null,
                     *         "authority_reference": null,
                     *         "late_reason": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "dpo@example.com",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Breach recorded."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Breach"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getBreach: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                breach_id: components["parameters"]["BreachPath.breach_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
                     *         "title": "Newsletter list sent to a wrong address",
                     *         "nature": "Confidentiality: a file was sent to a wrong recipient.",
                     *         "description": "An export of the newsletter list was attached to a message to another customer.",
                     *         "severity": "medium",
                     *         "occurred_from": null,
                     *         "occurred_to": null,
                     *         "aware_at": "2026-11-20T08:00:00.000Z",
                     *         "notify_by": "2026-11-23T08:00:00.000Z",
                     *         "data_categories": [
                     *           "e-mail addresses"
                     *         ],
                     *         "subject_categories": [
                     *           "newsletter subscribers"
                     *         ],
                     *         "affected_subjects": null,
                     *         "affected_records": null,
                     *         "consequences": "Unwanted messages.",
                     *         "measures": "The recipient confirmed that the file was deleted.",
                     *         "subjects_informed_at": null,
                     *         "status": "created",
                     *         "reported_at": null,
                     *         "authority": null,
                     *         "authority_reference": null,
                     *         "late_reason": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "dpo@example.com",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "The breach."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Breach"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    updateBreach: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                breach_id: components["parameters"]["BreachPath.breach_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "affected_subjects": 1200
                 *     }
                 */
                "application/json": components["schemas"]["UpdateBreachInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
                     *         "title": "Newsletter list sent to a wrong address",
                     *         "nature": "Confidentiality: a file was sent to a wrong recipient.",
                     *         "description": "An export of the newsletter list was attached to a message to another customer.",
                     *         "severity": "medium",
                     *         "occurred_from": null,
                     *         "occurred_to": null,
                     *         "aware_at": "2026-11-20T08:00:00.000Z",
                     *         "notify_by": "2026-11-23T08:00:00.000Z",
                     *         "data_categories": [
                     *           "e-mail addresses"
                     *         ],
                     *         "subject_categories": [
                     *           "newsletter subscribers"
                     *         ],
                     *         "affected_subjects": 1200,
                     *         "affected_records": null,
                     *         "consequences": "Unwanted messages.",
                     *         "measures": "The recipient confirmed that the file was deleted.",
                     *         "subjects_informed_at": null,
                     *         "status": "created",
                     *         "reported_at": null,
                     *         "authority": null,
                     *         "authority_reference": null,
                     *         "late_reason": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "dpo@example.com",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Breach updated."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Breach"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    reportBreach: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                breach_id: components["parameters"]["BreachPath.breach_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "authority": "BfDI",
                 *       "authority_reference": "2026-4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReportBreachInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "breach_id": "019aa5d1-9c1d-7a6e-9b59-0d6a8c1f2b3e",
                     *         "title": "Newsletter list sent to a wrong address",
                     *         "nature": "Confidentiality: a file was sent to a wrong recipient.",
                     *         "description": "An export of the newsletter list was attached to a message to another customer.",
                     *         "severity": "medium",
                     *         "occurred_from": null,
                     *         "occurred_to": null,
                     *         "aware_at": "2026-11-20T08:00:00.000Z",
                     *         "notify_by": "2026-11-23T08:00:00.000Z",
                     *         "data_categories": [
                     *           "e-mail addresses"
                     *         ],
                     *         "subject_categories": [
                     *           "newsletter subscribers"
                     *         ],
                     *         "affected_subjects": null,
                     *         "affected_records": null,
                     *         "consequences": "Unwanted messages.",
                     *         "measures": "The recipient confirmed that the file was deleted.",
                     *         "subjects_informed_at": null,
                     *         "status": "reported",
                     *         "reported_at": "2026-11-21T12:00:00.000Z",
                     *         "authority": "BfDI",
                     *         "authority_reference": "2026-4711",
                     *         "late_reason": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "dpo@example.com",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Breach reported."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Breach"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listBundles: {
        parameters: {
            query?: {
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "url": "https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa.js",
                     *             "immutable_url": "https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa/k3Jx0aZr8s5mQvY1tB7nWc2e.js",
                     *             "integrity": "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
                     *             "hash": "k3Jx0aZr8s5mQvY1tB7nWc2e",
                     *             "bytes": 31210,
                     *             "gzip_bytes": 10240,
                     *             "snippet": "<script src=\"https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa.js\"></script>",
                     *             "snippet_pinned": "<script src=\"https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa/k3Jx0aZr8s5mQvY1tB7nWc2e.js\" integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\" crossorigin=\"anonymous\"></script>",
                     *             "version": 1,
                     *             "languages": [
                     *               "en"
                     *             ],
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "published_at": "2026-11-21T09:30:00.000Z",
                     *             "current": true,
                     *             "warnings": []
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Bundles."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Bundle"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getBundleRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                /** @description The bundle's hash, as `generateBundle` answered it. */
                hash: components["parameters"]["BundlePath.hash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "url": "https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa.js",
                     *         "immutable_url": "https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa/k3Jx0aZr8s5mQvY1tB7nWc2e.js",
                     *         "integrity": "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
                     *         "hash": "k3Jx0aZr8s5mQvY1tB7nWc2e",
                     *         "bytes": 31210,
                     *         "gzip_bytes": 10240,
                     *         "snippet": "<script src=\"https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa.js\"></script>",
                     *         "snippet_pinned": "<script src=\"https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa/k3Jx0aZr8s5mQvY1tB7nWc2e.js\" integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\" crossorigin=\"anonymous\"></script>",
                     *         "version": 1,
                     *         "languages": [
                     *           "en"
                     *         ],
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "published_at": "2026-11-21T09:30:00.000Z",
                     *         "current": true,
                     *         "warnings": [],
                     *         "config": {
                     *           "token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *           "server": "https://consent.example.com",
                     *           "settings_version": 1,
                     *           "policy_version": "1",
                     *           "consent_lifetime_days": 180,
                     *           "layout": "box",
                     *           "position": "bottom_right",
                     *           "theme": "auto",
                     *           "control": "floating",
                     *           "colours": {
                     *             "background": "#ffffff",
                     *             "text": "#1b1b1f",
                     *             "button_background": "#1f4fd8",
                     *             "button_text": "#ffffff"
                     *           },
                     *           "dark_colours": {
                     *             "background": "#1b1b1f",
                     *             "text": "#f2f2f5",
                     *             "button_background": "#9db8ff",
                     *             "button_text": "#10131c"
                     *           },
                     *           "first_layer_buttons": [
                     *             "accept_all",
                     *             "reject_all",
                     *             "settings"
                     *           ],
                     *           "google_consent_mode": true,
                     *           "privacy_policy_url": null,
                     *           "imprint_url": null,
                     *           "categories": [
                     *             {
                     *               "key": "necessary",
                     *               "required": true,
                     *               "google_consent": [
                     *                 "security_storage"
                     *               ],
                     *               "cookies": []
                     *             }
                     *           ],
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "vendors": 0,
                     *           "texts": {
                     *             "en": {
                     *               "title": "Your choice on cookies",
                     *               "description": "We store and read information on your device for the purposes below. You are free to refuse, and can change your choice at any time.",
                     *               "accept_all": "Accept all",
                     *               "reject_all": "Reject all",
                     *               "settings": "Settings",
                     *               "save": "Save choice",
                     *               "close": "Close",
                     *               "settings_title": "Privacy settings",
                     *               "settings_description": "Choose what you allow.",
                     *               "always_active": "Always active",
                     *               "vendors": "Vendors",
                     *               "cookies": "Cookies",
                     *               "lifetime": "Lifetime",
                     *               "session": "Session",
                     *               "privacy_policy": "Privacy policy",
                     *               "imprint": "Imprint",
                     *               "reopen": "Privacy settings",
                     *               "gpc_notice": "Your browser asks not to be tracked: everything that is not necessary is switched off.",
                     *               "blocked": "This content needs your consent: {category}.",
                     *               "allow": "Allow",
                     *               "saved": "Your choice is saved.",
                     *               "categories": {
                     *                 "necessary": {
                     *                   "name": "Necessary",
                     *                   "description": "Needed for the site to work."
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         }
                     *       },
                     *       "message": "The bundle."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["BundleRecord"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getComplianceScore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "score": 88,
                     *         "grade": "B",
                     *         "computed_at": "2026-11-21T09:30:00.000Z",
                     *         "checks": [
                     *           {
                     *             "id": "privacy_policy",
                     *             "title": "A privacy policy is linked",
                     *             "weight": 6,
                     *             "status": "pass",
                     *             "evidence": "https://shop.example.com/privacy",
                     *             "remedy": "",
                     *             "legal_reference": "GDPR Art. 13"
                     *           }
                     *         ]
                     *       },
                     *       "message": "Compliance score."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["ComplianceScore"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listConsents: {
        parameters: {
            query?: {
                session_id?: components["parameters"]["ConsentFilter.session_id"];
                decision?: components["parameters"]["ConsentFilter.decision"];
                /** @description Only what was recorded at this instant or later. */
                from?: components["parameters"]["TimeRangeQuery.from"];
                /** @description Only what was recorded before this instant. */
                to?: components["parameters"]["TimeRangeQuery.to"];
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c",
                     *             "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                     *             "decision": "accept_all",
                     *             "categories": {
                     *               "functional": true,
                     *               "analytics": true,
                     *               "marketing": true
                     *             },
                     *             "policy_version": "1",
                     *             "banner_version": 1,
                     *             "bundle_hash": null,
                     *             "method": "banner",
                     *             "language": "en",
                     *             "page_url": "https://shop.example.com/",
                     *             "ip_masked": "203.0.***.***",
                     *             "user_agent": "Mozilla/5.0",
                     *             "gpc": false,
                     *             "recorded_at": "2026-11-21T09:30:00.000Z",
                     *             "expires_at": "2027-05-20T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Consent records."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["ConsentRecord"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    exportConsents: {
        parameters: {
            query?: {
                session_id?: components["parameters"]["ConsentFilter.session_id"];
                decision?: components["parameters"]["ConsentFilter.decision"];
                /** @description Only what was recorded at this instant or later. */
                from?: components["parameters"]["TimeRangeQuery.from"];
                /** @description Only what was recorded before this instant. */
                to?: components["parameters"]["TimeRangeQuery.to"];
                format?: "ndjson" | "csv";
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    "text/csv": unknown;
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                consent_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c",
                     *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                     *         "decision": "accept_all",
                     *         "categories": {
                     *           "functional": true,
                     *           "analytics": true,
                     *           "marketing": true
                     *         },
                     *         "policy_version": "1",
                     *         "banner_version": 1,
                     *         "bundle_hash": null,
                     *         "method": "banner",
                     *         "language": "en",
                     *         "page_url": "https://shop.example.com/",
                     *         "ip_masked": "203.0.***.***",
                     *         "user_agent": "Mozilla/5.0",
                     *         "gpc": false,
                     *         "recorded_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-05-20T09:30:00.000Z",
                     *         "superseded_by": null,
                     *         "withdrawn_at": null,
                     *         "shown": {
                     *           "version": 1,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "settings": {
                     *             "categories": [
                     *               {
                     *                 "key": "necessary",
                     *                 "name": "Necessary",
                     *                 "description": "Needed for the site to work.",
                     *                 "required": true
                     *               },
                     *               {
                     *                 "key": "functional",
                     *                 "name": "Functional",
                     *                 "description": "Remembers choices.",
                     *                 "required": false
                     *               },
                     *               {
                     *                 "key": "analytics",
                     *                 "name": "Analytics",
                     *                 "description": "Counts visits.",
                     *                 "required": false
                     *               },
                     *               {
                     *                 "key": "marketing",
                     *                 "name": "Marketing",
                     *                 "description": "Personalised advertising.",
                     *                 "required": false
                     *               }
                     *             ],
                     *             "policy_version": "1",
                     *             "banner": {
                     *               "layout": "box",
                     *               "position": "bottom_right",
                     *               "theme": "auto",
                     *               "colours": {
                     *                 "background": "#ffffff",
                     *                 "text": "#1b1b1f",
                     *                 "button_background": "#1f4fd8",
                     *                 "button_text": "#ffffff"
                     *               },
                     *               "first_layer_buttons": [
                     *                 "accept_all",
                     *                 "reject_all",
                     *                 "settings"
                     *               ],
                     *               "texts": {}
                     *             },
                     *             "default_language": "en",
                     *             "languages": [
                     *               "en"
                     *             ],
                     *             "time_zone": "UTC",
                     *             "consent_lifetime_days": 180,
                     *             "retention_days": {
                     *               "consents": 1825,
                     *               "events": 90
                     *             },
                     *             "enforce_origin": false,
                     *             "controller": {},
                     *             "security_measures": [],
                     *             "processing_activities": []
                     *           }
                     *         },
                     *         "shown_bundle": null
                     *       },
                     *       "message": "The consent record."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["ConsentProof"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listDsar: {
        parameters: {
            query?: {
                status?: components["schemas"]["DsarStatus"];
                request_type?: components["schemas"]["DsarType"];
                open?: boolean;
                overdue?: boolean;
                email?: components["schemas"]["Email"];
                order?: components["schemas"]["DsarOrder"];
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *             "request_type": "erasure",
                     *             "email": "visitor@example.com",
                     *             "name": null,
                     *             "message": "Please delete my data.",
                     *             "session_id": null,
                     *             "language": "en",
                     *             "status": "created",
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "due_at": "2026-12-21T09:30:00.000Z",
                     *             "extended_until": null,
                     *             "extension_reason": null,
                     *             "resolved_at": null,
                     *             "resolution": null,
                     *             "resolution_note": null,
                     *             "possible_duplicate_of": null,
                     *             "overdue": false,
                     *             "history": [
                     *               {
                     *                 "at": "2026-11-21T09:30:00.000Z",
                     *                 "actor": "data subject",
                     *                 "action": "created",
                     *                 "note": null
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Data-subject requests."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Dsar"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getDsar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                request_id: components["parameters"]["DsarPath.request_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "request_type": "erasure",
                     *         "email": "visitor@example.com",
                     *         "name": null,
                     *         "message": "Please delete my data.",
                     *         "session_id": null,
                     *         "language": "en",
                     *         "status": "created",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "due_at": "2026-12-21T09:30:00.000Z",
                     *         "extended_until": null,
                     *         "extension_reason": null,
                     *         "resolved_at": null,
                     *         "resolution": null,
                     *         "resolution_note": null,
                     *         "possible_duplicate_of": null,
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "data subject",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "The data-subject request."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Dsar"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    extendDsar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                request_id: components["parameters"]["DsarPath.request_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Many systems have to be searched."
                 *     }
                 */
                "application/json": components["schemas"]["ExtendDsarInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "request_type": "erasure",
                     *         "email": "visitor@example.com",
                     *         "name": null,
                     *         "message": "Please delete my data.",
                     *         "session_id": null,
                     *         "language": "en",
                     *         "status": "created",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "due_at": "2026-12-21T09:30:00.000Z",
                     *         "extended_until": "2027-02-19T09:30:00.000Z",
                     *         "extension_reason": "Many systems have to be searched.",
                     *         "resolved_at": null,
                     *         "resolution": null,
                     *         "resolution_note": null,
                     *         "possible_duplicate_of": null,
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "data subject",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Deadline extended."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Dsar"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    resolveDsar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                request_id: components["parameters"]["DsarPath.request_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resolution": "fulfilled"
                 *     }
                 */
                "application/json": components["schemas"]["ResolveDsarInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "request_type": "erasure",
                     *         "email": "visitor@example.com",
                     *         "name": null,
                     *         "message": "Please delete my data.",
                     *         "session_id": null,
                     *         "language": "en",
                     *         "status": "resolved",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "due_at": "2026-12-21T09:30:00.000Z",
                     *         "extended_until": null,
                     *         "extension_reason": null,
                     *         "resolved_at": "2026-11-25T09:30:00.000Z",
                     *         "resolution": "fulfilled",
                     *         "resolution_note": null,
                     *         "possible_duplicate_of": null,
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "data subject",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Request resolved."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Dsar"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    startDsar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                request_id: components["parameters"]["DsarPath.request_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Identity verified by e-mail."
                 *     }
                 */
                "application/json": components["schemas"]["StartDsarInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "request_type": "erasure",
                     *         "email": "visitor@example.com",
                     *         "name": null,
                     *         "message": "Please delete my data.",
                     *         "session_id": null,
                     *         "language": "en",
                     *         "status": "in_progress",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "due_at": "2026-12-21T09:30:00.000Z",
                     *         "extended_until": null,
                     *         "extension_reason": null,
                     *         "resolved_at": null,
                     *         "resolution": null,
                     *         "resolution_note": null,
                     *         "possible_duplicate_of": null,
                     *         "overdue": false,
                     *         "history": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "actor": "data subject",
                     *             "action": "created",
                     *             "note": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Request started."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Dsar"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                event?: components["schemas"]["EventName"];
                order?: components["schemas"]["TimeOrder"];
                /** @description Only what was recorded at this instant or later. */
                from?: components["parameters"]["TimeRangeQuery.from"];
                /** @description Only what was recorded before this instant. */
                to?: components["parameters"]["TimeRangeQuery.to"];
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "event_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *             "event": "dsar.created",
                     *             "occurred_at": "2026-11-21T09:30:00.000Z",
                     *             "payload": {
                     *               "event": "dsar.created",
                     *               "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *               "environment_url": "https://shop.example.com",
                     *               "timestamp": "2026-11-21T09:30:00.000+00:00",
                     *               "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *               "request_type": "erasure",
                     *               "email": "visitor@example.com",
                     *               "due_at": "2026-12-21T09:30:00.000+00:00"
                     *             }
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Events."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["EventRecord"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listFormConsents: {
        parameters: {
            query?: {
                form_id?: string;
                email?: components["schemas"]["Email"];
                external_id?: string;
                /** @description Only what was recorded at this instant or later. */
                from?: components["parameters"]["TimeRangeQuery.from"];
                /** @description Only what was recorded before this instant. */
                to?: components["parameters"]["TimeRangeQuery.to"];
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "form_consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c",
                     *             "form_id": "newsletter",
                     *             "form_url": "https://shop.example.com/newsletter",
                     *             "subject": {
                     *               "email": "visitor@example.com"
                     *             },
                     *             "statements": [
                     *               {
                     *                 "key": "news",
                     *                 "text": "Send me the monthly newsletter.",
                     *                 "accepted": true
                     *               }
                     *             ],
                     *             "double_opt_in": "none",
                     *             "language": "en",
                     *             "ip_masked": "203.0.***.***",
                     *             "recorded_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Form consents."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["FormConsent"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    generateBundle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "texts": "default"
                 *     }
                 */
                "application/json": components["schemas"]["BundleOptions"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "url": "https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa.js",
                     *         "immutable_url": "https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa/k3Jx0aZr8s5mQvY1tB7nWc2e.js",
                     *         "integrity": "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
                     *         "hash": "k3Jx0aZr8s5mQvY1tB7nWc2e",
                     *         "bytes": 31210,
                     *         "gzip_bytes": 10240,
                     *         "snippet": "<script src=\"https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa.js\"></script>",
                     *         "snippet_pinned": "<script src=\"https://consent.example.com/api/bundles/env_4fJ7kQ2mX9pL1sT6vW3yZa/k3Jx0aZr8s5mQvY1tB7nWc2e.js\" integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\" crossorigin=\"anonymous\"></script>",
                     *         "version": 1,
                     *         "languages": [
                     *           "en"
                     *         ],
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "published_at": "2026-11-21T09:30:00.000Z",
                     *         "current": true,
                     *         "warnings": []
                     *       },
                     *       "message": "Bundle generated."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Bundle"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    previewBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "layout": "bar"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewBundleInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "script": "/* Avow *\/",
                     *         "bytes": 31210,
                     *         "gzip_bytes": 10240,
                     *         "config": {
                     *           "token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *           "server": "https://consent.example.com",
                     *           "settings_version": 1,
                     *           "policy_version": "1",
                     *           "consent_lifetime_days": 180,
                     *           "layout": "box",
                     *           "position": "bottom_right",
                     *           "theme": "auto",
                     *           "control": "floating",
                     *           "colours": {
                     *             "background": "#ffffff",
                     *             "text": "#1b1b1f",
                     *             "button_background": "#1f4fd8",
                     *             "button_text": "#ffffff"
                     *           },
                     *           "dark_colours": {
                     *             "background": "#1b1b1f",
                     *             "text": "#f2f2f5",
                     *             "button_background": "#9db8ff",
                     *             "button_text": "#10131c"
                     *           },
                     *           "first_layer_buttons": [
                     *             "accept_all",
                     *             "reject_all",
                     *             "settings"
                     *           ],
                     *           "google_consent_mode": true,
                     *           "privacy_policy_url": null,
                     *           "imprint_url": null,
                     *           "categories": [
                     *             {
                     *               "key": "necessary",
                     *               "required": true,
                     *               "google_consent": [
                     *                 "security_storage"
                     *               ],
                     *               "cookies": []
                     *             }
                     *           ],
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "vendors": 0,
                     *           "texts": {
                     *             "en": {
                     *               "title": "Your choice on cookies",
                     *               "description": "We store and read information on your device for the purposes below. You are free to refuse, and can change your choice at any time.",
                     *               "accept_all": "Accept all",
                     *               "reject_all": "Reject all",
                     *               "settings": "Settings",
                     *               "save": "Save choice",
                     *               "close": "Close",
                     *               "settings_title": "Privacy settings",
                     *               "settings_description": "Choose what you allow.",
                     *               "always_active": "Always active",
                     *               "vendors": "Vendors",
                     *               "cookies": "Cookies",
                     *               "lifetime": "Lifetime",
                     *               "session": "Session",
                     *               "privacy_policy": "Privacy policy",
                     *               "imprint": "Imprint",
                     *               "reopen": "Privacy settings",
                     *               "gpc_notice": "Your browser asks not to be tracked: everything that is not necessary is switched off.",
                     *               "blocked": "This content needs your consent: {category}.",
                     *               "allow": "Allow",
                     *               "saved": "Your choice is saved.",
                     *               "categories": {
                     *                 "necessary": {
                     *                   "name": "Necessary",
                     *                   "description": "Needed for the site to work."
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         },
                     *         "warnings": []
                     *       },
                     *       "message": "Preview of the bundle."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["BundlePreview"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    exportRopa: {
        parameters: {
            query?: {
                format?: "json" | "csv" | "xlsx" | "html";
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *         "site": "Example shop",
                     *         "url": "https://shop.example.com",
                     *         "generated_at": "2026-11-21T09:30:00.000Z",
                     *         "controller": {
                     *           "name": "Example Ltd"
                     *         },
                     *         "entries": [
                     *           {
                     *             "source": "derived",
                     *             "name": "Analytics",
                     *             "purposes": [
                     *               "Counts visits."
                     *             ],
                     *             "lawful_basis": "consent",
                     *             "subject_categories": [
                     *               "visitors"
                     *             ],
                     *             "data_categories": [
                     *               "online identifiers"
                     *             ],
                     *             "recipients": [],
                     *             "transfers": "none",
                     *             "retention": "180 days",
                     *             "security_measures": [],
                     *             "consent_records": "https://consent.example.com/api/cookies/env_4fJ7kQ2mX9pL1sT6vW3yZa/consents",
                     *             "breach_register": null,
                     *             "last_review": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "Records of processing."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Ropa"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                    "text/csv": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/html": unknown;
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "scan_id": "6f0c1c52-3d0e-4b5e-9a57-1f0e8a3c2d41",
                     *             "url": "https://shop.example.com/",
                     *             "status": "done",
                     *             "engine": "browser",
                     *             "cookies": [
                     *               {
                     *                 "name": "_ga",
                     *                 "domain": "shop.example.com",
                     *                 "category": "analytics",
                     *                 "vendor": "Google Analytics",
                     *                 "max_age_seconds": 34560000,
                     *                 "secure": false,
                     *                 "http_only": false,
                     *                 "same_site": null,
                     *                 "set_before_consent": true,
                     *                 "first_party": true
                     *               }
                     *             ],
                     *             "requests": [
                     *               {
                     *                 "host": "shop.example.com",
                     *                 "category": "necessary",
                     *                 "before_consent": true
                     *               },
                     *               {
                     *                 "host": "www.google-analytics.com",
                     *                 "category": "analytics",
                     *                 "vendor": "Google Analytics",
                     *                 "before_consent": true
                     *               }
                     *             ],
                     *             "banner_detected": false,
                     *             "findings": [
                     *               {
                     *                 "rule": "cookie_before_consent",
                     *                 "severity": "critical",
                     *                 "message": "Set before consent: _ga (analytics). Block the scripts that set them until the visitor has agreed."
                     *               }
                     *             ],
                     *             "error": null,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "started_at": "2026-11-21T09:30:01.000Z",
                     *             "finished_at": "2026-11-21T09:30:09.000Z"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Scans."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["CookieScan"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    eraseSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                session_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                     *         "consents": 3
                     *       },
                     *       "message": "Session erased."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["ErasedSession"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    replaceVendors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "vendors": [
                 *         {
                 *           "id": 755,
                 *           "name": "Example Analytics",
                 *           "purposes": [
                 *             1,
                 *             8
                 *           ],
                 *           "leg_int_purposes": [],
                 *           "categories": [
                 *             "analytics"
                 *           ],
                 *           "urls": [
                 *             {
                 *               "lang_id": "en",
                 *               "privacy": "https://analytics.example.com/privacy"
                 *             }
                 *           ],
                 *           "cookies": [
                 *             {
                 *               "name": "_ea",
                 *               "domain": "shop.example.com",
                 *               "category": "analytics",
                 *               "max_age_seconds": 7776000,
                 *               "description": "Tells visitors apart."
                 *             }
                 *           ],
                 *           "data_retention_days": 90,
                 *           "country": "US",
                 *           "transfer_safeguard": "EU standard contractual clauses"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceVendorsInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "vendor_list_version": 1,
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "purposes": [
                     *           {
                     *             "id": 1,
                     *             "name": "Store and/or access information on a device",
                     *             "description": "Cookies, device identifiers or similar can be stored or read on the device."
                     *           }
                     *         ],
                     *         "vendors": [
                     *           {
                     *             "id": 755,
                     *             "name": "Example Analytics",
                     *             "purposes": [
                     *               1,
                     *               8
                     *             ],
                     *             "leg_int_purposes": [],
                     *             "categories": [
                     *               "analytics"
                     *             ],
                     *             "urls": [
                     *               {
                     *                 "lang_id": "en",
                     *                 "privacy": "https://analytics.example.com/privacy"
                     *               }
                     *             ],
                     *             "cookies": [
                     *               {
                     *                 "name": "_ea",
                     *                 "domain": "shop.example.com",
                     *                 "category": "analytics",
                     *                 "max_age_seconds": 7776000,
                     *                 "description": "Tells visitors apart."
                     *               }
                     *             ],
                     *             "data_retention_days": 90,
                     *             "country": "US",
                     *             "transfer_safeguard": "EU standard contractual clauses"
                     *           }
                     *         ]
                     *       },
                     *       "message": "Vendors replaced."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["VendorList"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listWarnings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "code": "webhook_disabled",
                     *             "severity": "critical",
                     *             "message": "The webhook to receiver.example.com (“CRM”) is disabled (5 consecutive deliveries failed): mend the receiver, then reactivate the webhook.",
                     *             "subject_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *             "since": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ]
                     *       },
                     *       "message": "Warnings."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["WarningList"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                status?: components["schemas"]["WebhookStatus"];
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *             "url": "https://receiver.example.com/hooks/avow",
                     *             "events": "*",
                     *             "method": "POST",
                     *             "description": null,
                     *             "status": "active",
                     *             "consecutive_failures": 0,
                     *             "retry_at": null,
                     *             "last_error": null,
                     *             "last_success_at": "2026-11-21T09:30:01.000Z",
                     *             "disabled_at": null,
                     *             "disabled_reason": null,
                     *             "held": 0,
                     *             "pending": 0,
                     *             "previous_secret_until": null,
                     *             "created_at": "2026-11-21T09:00:00.000Z",
                     *             "updated_at": "2026-11-21T09:00:00.000Z"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Webhooks."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Webhook"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://receiver.example.com/hooks/avow",
                 *       "events": "*"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "url": "https://receiver.example.com/hooks/avow",
                     *         "events": "*",
                     *         "method": "POST",
                     *         "description": null,
                     *         "status": "active",
                     *         "consecutive_failures": 0,
                     *         "retry_at": null,
                     *         "last_error": null,
                     *         "last_success_at": "2026-11-21T09:30:01.000Z",
                     *         "disabled_at": null,
                     *         "disabled_reason": null,
                     *         "held": 0,
                     *         "pending": 0,
                     *         "previous_secret_until": null,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       },
                     *       "message": "Webhook created."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["WebhookWithSecret"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "url": "https://receiver.example.com/hooks/avow",
                     *         "events": "*",
                     *         "method": "POST",
                     *         "description": null,
                     *         "status": "active",
                     *         "consecutive_failures": 0,
                     *         "retry_at": null,
                     *         "last_error": null,
                     *         "last_success_at": "2026-11-21T09:30:01.000Z",
                     *         "disabled_at": null,
                     *         "disabled_reason": null,
                     *         "held": 0,
                     *         "pending": 0,
                     *         "previous_secret_until": null,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       },
                     *       "message": "The webhook."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Webhook"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f"
                     *       },
                     *       "message": "Webhook deleted."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["DeletedWebhook"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "CRM"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "url": "https://receiver.example.com/hooks/avow",
                     *         "events": "*",
                     *         "method": "POST",
                     *         "description": "CRM",
                     *         "status": "active",
                     *         "consecutive_failures": 0,
                     *         "retry_at": null,
                     *         "last_error": null,
                     *         "last_success_at": "2026-11-21T09:30:01.000Z",
                     *         "disabled_at": null,
                     *         "disabled_reason": null,
                     *         "held": 0,
                     *         "pending": 0,
                     *         "previous_secret_until": null,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       },
                     *       "message": "Webhook updated."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Webhook"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                state?: components["schemas"]["DeliveryState"];
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "delivery_id": "019aa5d1-bc1d-7a6e-9b59-0d6a8c1f2b40",
                     *             "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *             "event_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *             "event": "dsar.created",
                     *             "kind": "event",
                     *             "state": "delivered",
                     *             "attempts": 1,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "next_attempt_at": null,
                     *             "last_attempt_at": "2026-11-21T09:30:00.100Z",
                     *             "delivered_at": "2026-11-21T09:30:00.180Z",
                     *             "duration_ms": 80,
                     *             "response_status": 200,
                     *             "response_body": "",
                     *             "error": null,
                     *             "payload": {
                     *               "event": "dsar.created",
                     *               "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *               "environment_url": "https://shop.example.com",
                     *               "timestamp": "2026-11-21T09:30:00.000+00:00",
                     *               "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *               "request_type": "erasure",
                     *               "email": "visitor@example.com",
                     *               "due_at": "2026-12-21T09:30:00.000+00:00"
                     *             }
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Deliveries."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Delivery"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
                delivery_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "delivery_id": "019aa5d1-bc1d-7a6e-9b59-0d6a8c1f2b40",
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "event_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "event": "dsar.created",
                     *         "kind": "redelivery",
                     *         "state": "delivered",
                     *         "attempts": 1,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "next_attempt_at": null,
                     *         "last_attempt_at": "2026-11-21T09:30:00.100Z",
                     *         "delivered_at": "2026-11-21T09:30:00.180Z",
                     *         "duration_ms": 80,
                     *         "response_status": 200,
                     *         "response_body": "",
                     *         "error": null,
                     *         "payload": {
                     *           "event": "dsar.created",
                     *           "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *           "environment_url": "https://shop.example.com",
                     *           "timestamp": "2026-11-21T09:30:00.000+00:00",
                     *           "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *           "request_type": "erasure",
                     *           "email": "visitor@example.com",
                     *           "due_at": "2026-12-21T09:30:00.000+00:00"
                     *         }
                     *       },
                     *       "message": "Delivery sent again."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Delivery"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    reactivateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "url": "https://receiver.example.com/hooks/avow",
                     *         "events": "*",
                     *         "method": "POST",
                     *         "description": null,
                     *         "status": "active",
                     *         "consecutive_failures": 0,
                     *         "retry_at": null,
                     *         "last_error": null,
                     *         "last_success_at": "2026-11-21T09:30:01.000Z",
                     *         "disabled_at": null,
                     *         "disabled_reason": null,
                     *         "held": 0,
                     *         "pending": 0,
                     *         "previous_secret_until": null,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       },
                     *       "message": "Webhook reactivated."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Webhook"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecretInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "url": "https://receiver.example.com/hooks/avow",
                     *         "events": "*",
                     *         "method": "POST",
                     *         "description": null,
                     *         "status": "active",
                     *         "consecutive_failures": 0,
                     *         "retry_at": null,
                     *         "last_error": null,
                     *         "last_success_at": "2026-11-21T09:30:01.000Z",
                     *         "disabled_at": null,
                     *         "disabled_reason": null,
                     *         "held": 0,
                     *         "pending": 0,
                     *         "previous_secret_until": "2026-11-22T09:30:00.000Z",
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       },
                     *       "message": "Secret rotated."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["WebhookWithSecret"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                webhook_id: components["parameters"]["WebhookPath.webhook_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event": "dsar.created"
                 *     }
                 */
                "application/json": components["schemas"]["TestWebhookInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "delivery_id": "019aa5d1-bc1d-7a6e-9b59-0d6a8c1f2b40",
                     *         "webhook_id": "019aa5d1-ac1d-7a6e-9b59-0d6a8c1f2b3f",
                     *         "event_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "event": "dsar.created",
                     *         "kind": "test",
                     *         "state": "delivered",
                     *         "attempts": 1,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "next_attempt_at": null,
                     *         "last_attempt_at": "2026-11-21T09:30:00.100Z",
                     *         "delivered_at": "2026-11-21T09:30:00.180Z",
                     *         "duration_ms": 80,
                     *         "response_status": 200,
                     *         "response_body": "",
                     *         "error": null,
                     *         "payload": {
                     *           "event": "dsar.created",
                     *           "environment": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *           "environment_url": "https://shop.example.com",
                     *           "timestamp": "2026-11-21T09:30:00.000+00:00",
                     *           "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *           "request_type": "erasure",
                     *           "email": "visitor@example.com",
                     *           "due_at": "2026-12-21T09:30:00.000+00:00"
                     *         }
                     *       },
                     *       "message": "Test sent."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Delivery"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    submitDsar: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request_type": "erasure",
                 *       "email": "visitor@example.com",
                 *       "message": "Please delete my data."
                 *     }
                 */
                "application/json": components["schemas"]["SubmitDsarInput"];
                "text/plain": components["schemas"]["SubmitDsarInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "request_id": "019aa5d1-8c1d-7a6e-9b59-0d6a8c1f2b3d",
                     *         "status": "created",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "due_at": "2026-12-21T09:30:00.000Z"
                     *       },
                     *       "message": "Request received."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["DsarReceipt"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *             "name": "Example shop",
                     *             "domain": "shop.example.com",
                     *             "domains": [
                     *               "shop.example.com"
                     *             ],
                     *             "url": "https://shop.example.com",
                     *             "status": "active",
                     *             "revision": "q0Y2m1pJ3l5wq8uK2s4d6f",
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:00.000Z",
                     *             "settings": {
                     *               "categories": [
                     *                 {
                     *                   "key": "necessary",
                     *                   "name": "Necessary",
                     *                   "description": "Needed for the site to work.",
                     *                   "required": true
                     *                 },
                     *                 {
                     *                   "key": "functional",
                     *                   "name": "Functional",
                     *                   "description": "Remembers choices.",
                     *                   "required": false
                     *                 },
                     *                 {
                     *                   "key": "analytics",
                     *                   "name": "Analytics",
                     *                   "description": "Counts visits.",
                     *                   "required": false
                     *                 },
                     *                 {
                     *                   "key": "marketing",
                     *                   "name": "Marketing",
                     *                   "description": "Personalised advertising.",
                     *                   "required": false
                     *                 }
                     *               ],
                     *               "policy_version": "1",
                     *               "banner": {
                     *                 "layout": "box",
                     *                 "position": "bottom_right",
                     *                 "theme": "auto",
                     *                 "colours": {
                     *                   "background": "#ffffff",
                     *                   "text": "#1b1b1f",
                     *                   "button_background": "#1f4fd8",
                     *                   "button_text": "#ffffff"
                     *                 },
                     *                 "first_layer_buttons": [
                     *                   "accept_all",
                     *                   "reject_all",
                     *                   "settings"
                     *                 ],
                     *                 "texts": {}
                     *               },
                     *               "default_language": "en",
                     *               "languages": [
                     *                 "en"
                     *               ],
                     *               "time_zone": "UTC",
                     *               "consent_lifetime_days": 180,
                     *               "retention_days": {
                     *                 "consents": 1825,
                     *                 "events": 90
                     *               },
                     *               "enforce_origin": false,
                     *               "controller": {},
                     *               "security_measures": [],
                     *               "processing_activities": []
                     *             },
                     *             "settings_version": 1,
                     *             "warnings": [],
                     *             "role": "owner"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "Your environments."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Environment"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    createEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example shop",
                 *       "domain": "shop.example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CreateEnvironmentInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *         "name": "Example shop",
                     *         "domain": "shop.example.com",
                     *         "domains": [
                     *           "shop.example.com"
                     *         ],
                     *         "url": "https://shop.example.com",
                     *         "status": "active",
                     *         "revision": "q0Y2m1pJ3l5wq8uK2s4d6f",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "settings": {
                     *           "categories": [
                     *             {
                     *               "key": "necessary",
                     *               "name": "Necessary",
                     *               "description": "Needed for the site to work.",
                     *               "required": true
                     *             },
                     *             {
                     *               "key": "functional",
                     *               "name": "Functional",
                     *               "description": "Remembers choices.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "analytics",
                     *               "name": "Analytics",
                     *               "description": "Counts visits.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "marketing",
                     *               "name": "Marketing",
                     *               "description": "Personalised advertising.",
                     *               "required": false
                     *             }
                     *           ],
                     *           "policy_version": "1",
                     *           "banner": {
                     *             "layout": "box",
                     *             "position": "bottom_right",
                     *             "theme": "auto",
                     *             "colours": {
                     *               "background": "#ffffff",
                     *               "text": "#1b1b1f",
                     *               "button_background": "#1f4fd8",
                     *               "button_text": "#ffffff"
                     *             },
                     *             "first_layer_buttons": [
                     *               "accept_all",
                     *               "reject_all",
                     *               "settings"
                     *             ],
                     *             "texts": {}
                     *           },
                     *           "default_language": "en",
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "time_zone": "UTC",
                     *           "consent_lifetime_days": 180,
                     *           "retention_days": {
                     *             "consents": 1825,
                     *             "events": 90
                     *           },
                     *           "enforce_origin": false,
                     *           "controller": {},
                     *           "security_measures": [],
                     *           "processing_activities": []
                     *         },
                     *         "settings_version": 1,
                     *         "warnings": [],
                     *         "role": "owner"
                     *       },
                     *       "message": "Environment created."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Environment"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *         "name": "Example shop",
                     *         "domain": "shop.example.com",
                     *         "domains": [
                     *           "shop.example.com"
                     *         ],
                     *         "url": "https://shop.example.com",
                     *         "status": "active",
                     *         "revision": "q0Y2m1pJ3l5wq8uK2s4d6f",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "settings": {
                     *           "categories": [
                     *             {
                     *               "key": "necessary",
                     *               "name": "Necessary",
                     *               "description": "Needed for the site to work.",
                     *               "required": true
                     *             },
                     *             {
                     *               "key": "functional",
                     *               "name": "Functional",
                     *               "description": "Remembers choices.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "analytics",
                     *               "name": "Analytics",
                     *               "description": "Counts visits.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "marketing",
                     *               "name": "Marketing",
                     *               "description": "Personalised advertising.",
                     *               "required": false
                     *             }
                     *           ],
                     *           "policy_version": "1",
                     *           "banner": {
                     *             "layout": "box",
                     *             "position": "bottom_right",
                     *             "theme": "auto",
                     *             "colours": {
                     *               "background": "#ffffff",
                     *               "text": "#1b1b1f",
                     *               "button_background": "#1f4fd8",
                     *               "button_text": "#ffffff"
                     *             },
                     *             "first_layer_buttons": [
                     *               "accept_all",
                     *               "reject_all",
                     *               "settings"
                     *             ],
                     *             "texts": {}
                     *           },
                     *           "default_language": "en",
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "time_zone": "UTC",
                     *           "consent_lifetime_days": 180,
                     *           "retention_days": {
                     *             "consents": 1825,
                     *             "events": 90
                     *           },
                     *           "enforce_origin": false,
                     *           "controller": {},
                     *           "security_measures": [],
                     *           "processing_activities": []
                     *         },
                     *         "settings_version": 1,
                     *         "warnings": [],
                     *         "role": "owner"
                     *       },
                     *       "message": "The environment."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Environment"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "policy_version": "2",
                 *         "consent_lifetime_days": 180
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEnvironmentInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *         "name": "Example shop",
                     *         "domain": "shop.example.com",
                     *         "domains": [
                     *           "shop.example.com"
                     *         ],
                     *         "url": "https://shop.example.com",
                     *         "status": "active",
                     *         "revision": "q0Y2m1pJ3l5wq8uK2s4d6f",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "settings": {
                     *           "categories": [
                     *             {
                     *               "key": "necessary",
                     *               "name": "Necessary",
                     *               "description": "Needed for the site to work.",
                     *               "required": true
                     *             },
                     *             {
                     *               "key": "functional",
                     *               "name": "Functional",
                     *               "description": "Remembers choices.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "analytics",
                     *               "name": "Analytics",
                     *               "description": "Counts visits.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "marketing",
                     *               "name": "Marketing",
                     *               "description": "Personalised advertising.",
                     *               "required": false
                     *             }
                     *           ],
                     *           "policy_version": "1",
                     *           "banner": {
                     *             "layout": "box",
                     *             "position": "bottom_right",
                     *             "theme": "auto",
                     *             "colours": {
                     *               "background": "#ffffff",
                     *               "text": "#1b1b1f",
                     *               "button_background": "#1f4fd8",
                     *               "button_text": "#ffffff"
                     *             },
                     *             "first_layer_buttons": [
                     *               "accept_all",
                     *               "reject_all",
                     *               "settings"
                     *             ],
                     *             "texts": {}
                     *           },
                     *           "default_language": "en",
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "time_zone": "UTC",
                     *           "consent_lifetime_days": 180,
                     *           "retention_days": {
                     *             "consents": 1825,
                     *             "events": 90
                     *           },
                     *           "enforce_origin": false,
                     *           "controller": {},
                     *           "security_measures": [],
                     *           "processing_activities": []
                     *         },
                     *         "settings_version": 1,
                     *         "warnings": [],
                     *         "role": "owner"
                     *       },
                     *       "message": "Environment updated."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Environment"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description How many items at the most. */
                limit?: components["parameters"]["PageQuery.limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["PageQuery.cursor"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "user_id": 2,
                     *             "email": "dpo@example.com",
                     *             "name": "Dana Officer",
                     *             "role": "operator",
                     *             "status": "invited",
                     *             "added_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "message": "The members."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: {
                            items: components["schemas"]["Member"][];
                            /** @description Where the next page begins; null on the last page. */
                            next_cursor: string | null;
                        };
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    addMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "dpo@example.com",
                 *       "role": "operator"
                 *     }
                 */
                "application/json": components["schemas"]["AddMemberInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "user_id": 2,
                     *         "email": "dpo@example.com",
                     *         "name": "Dana Officer",
                     *         "role": "operator",
                     *         "status": "invited",
                     *         "added_at": "2026-11-21T09:30:00.000Z",
                     *         "invitation_url": "https://consent.example.com/console/setup#q0Y2m1pJ3l5wq8uK2s4d6f8g0h1j3k5l7z9x1c3v5b7"
                     *       },
                     *       "message": "Member added."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["AddedMember"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "user_id": 2
                     *       },
                     *       "message": "Member removed."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["RemovedMember"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMemberInput"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "user_id": 2,
                     *         "email": "dpo@example.com",
                     *         "name": "Dana Officer",
                     *         "role": "viewer",
                     *         "status": "invited",
                     *         "added_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "message": "Role changed."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Member"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    renewInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "user_id": 2,
                     *         "email": "dpo@example.com",
                     *         "invitation_url": "https://consent.example.com/console/setup#q0Y2m1pJ3l5wq8uK2s4d6f8g0h1j3k5l7z9x1c3v5b7"
                     *       },
                     *       "message": "New invitation link made."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["RenewedInvitation"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    recordFormConsent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "form_id": "newsletter",
                 *       "form_url": "https://shop.example.com/newsletter",
                 *       "subject": {
                 *         "email": "visitor@example.com"
                 *       },
                 *       "statements": [
                 *         {
                 *           "key": "news",
                 *           "text": "Send me the monthly newsletter.",
                 *           "accepted": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FormConsentInput"];
                "text/plain": components["schemas"]["FormConsentInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "form_consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c",
                     *         "recorded_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "message": "Form consent recorded."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["RecordedFormConsent"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    recordImpression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "language": "en",
                 *       "page_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": components["schemas"]["ImpressionInput"];
                "text/plain": components["schemas"]["ImpressionInput"];
            };
        };
        responses: {
            /** @description The request was taken, and is committed. */
            202: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "recorded": true
                     *       },
                     *       "message": "Impression recorded."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Recorded"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "name": "Ada Owner",
                     *         "email": "owner@example.com",
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "message": "Your account."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Me"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The bearer token is missing, expired or revoked: log in again. */
            401: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getPreferences: {
        parameters: {
            query: {
                session_id: components["schemas"]["Uuid"];
            };
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                     *         "decision": "accept_all",
                     *         "categories": {
                     *           "functional": true,
                     *           "analytics": true,
                     *           "marketing": true
                     *         },
                     *         "policy_version": "1",
                     *         "recorded_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-05-20T09:30:00.000Z",
                     *         "reconsent_required": false,
                     *         "reason": "none",
                     *         "environment": {
                     *           "categories": [
                     *             {
                     *               "key": "necessary",
                     *               "name": "Necessary",
                     *               "description": "Needed for the site to work.",
                     *               "required": true
                     *             },
                     *             {
                     *               "key": "functional",
                     *               "name": "Functional",
                     *               "description": "Remembers choices.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "analytics",
                     *               "name": "Analytics",
                     *               "description": "Counts visits.",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "marketing",
                     *               "name": "Marketing",
                     *               "description": "Personalised advertising.",
                     *               "required": false
                     *             }
                     *           ],
                     *           "policy_version": "1",
                     *           "languages": [
                     *             "en"
                     *           ]
                     *         }
                     *       },
                     *       "message": "The session's preferences."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["Preferences"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    savePreferences: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                 *       "categories": {
                 *         "analytics": true,
                 *         "marketing": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreferencesInput"];
                "text/plain": components["schemas"]["PreferencesInput"];
            };
        };
        responses: {
            /** @description Something was created, and is committed. */
            201: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c",
                     *         "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                     *         "decision": "save_preferences",
                     *         "categories": {
                     *           "functional": false,
                     *           "analytics": true,
                     *           "marketing": false
                     *         },
                     *         "policy_version": "1",
                     *         "banner_version": 1,
                     *         "bundle_hash": null,
                     *         "method": "banner",
                     *         "language": "en",
                     *         "page_url": "https://shop.example.com/",
                     *         "ip_masked": "203.0.***.***",
                     *         "user_agent": "Mozilla/5.0",
                     *         "gpc": false,
                     *         "recorded_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-05-20T09:30:00.000Z"
                     *       },
                     *       "message": "Preferences saved."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["ConsentRecord"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    startCookieScan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description 1 to 128 visible characters chosen by the caller. The same key with the same body within 24 hours returns the first
                 *     answer and creates nothing; with another body it is refused with 409.
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": components["schemas"]["StartCookieScanInput"];
            };
        };
        responses: {
            /** @description The request was taken, and is committed. */
            202: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "scan_id": "6f0c1c52-3d0e-4b5e-9a57-1f0e8a3c2d41",
                     *         "status": "queued"
                     *       },
                     *       "message": "Scan queued."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["StartedScan"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scan_id: components["parameters"]["ScanPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "scan_id": "6f0c1c52-3d0e-4b5e-9a57-1f0e8a3c2d41",
                     *         "url": "https://shop.example.com/",
                     *         "status": "done",
                     *         "engine": "browser",
                     *         "cookies": [
                     *           {
                     *             "name": "_ga",
                     *             "domain": "shop.example.com",
                     *             "category": "analytics",
                     *             "vendor": "Google Analytics",
                     *             "max_age_seconds": 34560000,
                     *             "secure": false,
                     *             "http_only": false,
                     *             "same_site": null,
                     *             "set_before_consent": true,
                     *             "first_party": true
                     *           }
                     *         ],
                     *         "requests": [
                     *           {
                     *             "host": "shop.example.com",
                     *             "category": "necessary",
                     *             "before_consent": true
                     *           },
                     *           {
                     *             "host": "www.google-analytics.com",
                     *             "category": "analytics",
                     *             "vendor": "Google Analytics",
                     *             "before_consent": true
                     *           }
                     *         ],
                     *         "banner_detected": false,
                     *         "findings": [
                     *           {
                     *             "rule": "cookie_before_consent",
                     *             "severity": "critical",
                     *             "message": "Set before consent: _ga (analytics). Block the scripts that set them until the visitor has agreed."
                     *           }
                     *         ],
                     *         "error": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "started_at": "2026-11-21T09:30:01.000Z",
                     *         "finished_at": "2026-11-21T09:30:09.000Z"
                     *       },
                     *       "message": "The scan."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["CookieScan"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getVendors: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list, for caches. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "vendor_list_version": 1,
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "purposes": [
                     *           {
                     *             "id": 1,
                     *             "name": "Store and/or access information on a device",
                     *             "description": "Cookies, device identifiers or similar can be stored or read on the device."
                     *           }
                     *         ],
                     *         "vendors": [
                     *           {
                     *             "id": 755,
                     *             "name": "Example Analytics",
                     *             "purposes": [
                     *               1,
                     *               8
                     *             ],
                     *             "leg_int_purposes": [],
                     *             "categories": [
                     *               "analytics"
                     *             ],
                     *             "urls": [
                     *               {
                     *                 "lang_id": "en",
                     *                 "privacy": "https://analytics.example.com/privacy"
                     *               }
                     *             ],
                     *             "cookies": [
                     *               {
                     *                 "name": "_ea",
                     *                 "domain": "shop.example.com",
                     *                 "category": "analytics",
                     *                 "max_age_seconds": 7776000,
                     *                 "description": "Tells visitors apart."
                     *               }
                     *             ],
                     *             "data_retention_days": 90,
                     *             "country": "US",
                     *             "transfer_safeguard": "EU standard contractual clauses"
                     *           }
                     *         ]
                     *       },
                     *       "message": "Vendors."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["VendorList"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The list has not changed since the `If-None-Match` of the request. */
            304: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A domain; letter case, a final dot and the form of international names do not matter. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "domain": "shop.example.com",
                     *         "verified": true,
                     *         "environment_token": "env_4fJ7kQ2mX9pL1sT6vW3yZa",
                     *         "consent_active": true,
                     *         "last_seen_at": "2026-11-21T00:00:00.000Z",
                     *         "policy_version": "1"
                     *       },
                     *       "message": "Domain checked."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["DomainVerification"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    recordVisitorConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactConsentReport"];
                /**
                 * @example {
                 *       "event_id": "5f0e9c1e-6b1f-4a52-8d6c-7f1f0c5f1a10",
                 *       "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                 *       "decision": "save_preferences",
                 *       "allowed": [
                 *         "analytics"
                 *       ]
                 *     }
                 */
                "text/plain": components["schemas"]["CompactConsentReport"];
            };
        };
        responses: {
            /** @description The request was taken, and is committed. */
            202: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "consent_id": "019aa5d1-7c1d-7a6e-9b59-0d6a8c1f2b3c"
                     *       },
                     *       "message": "Consent recorded."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["RecordedConsent"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    recordVisitorEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's token. */
                token: components["parameters"]["EnvironmentPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11",
                 *       "events": [
                 *         {
                 *           "name": "settings_opened",
                 *           "at": "2026-11-21T09:29:50.000Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["InteractionBatch"];
                "text/plain": components["schemas"]["InteractionBatch"];
            };
        };
        responses: {
            /** @description The request was taken, and is committed. */
            202: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "accepted": 1
                     *       },
                     *       "message": "Interactions recorded."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `success`.
                         * @enum {string}
                         */
                        status: "success";
                        /** @description The result. */
                        data: components["schemas"]["AcceptedEvents"];
                        /** @description One sentence about what was done. */
                        message: string;
                    };
                };
            };
            /** @description The request breaks the contract; `errors` names every wrong field. */
            400: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description No such thing, or it belongs to somebody else. */
            404: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The request contradicts the present state, or reuses an idempotency key with another body. */
            409: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            /** @description The body is larger than 64 KiB (visitor endpoints) or 1 MiB (owner endpoints). */
            413: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadTooLarge"];
                };
            };
            /** @description The body's media type is not one that this operation takes. */
            415: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaType"];
                };
            };
            /** @description Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Our fault; nothing was written. Quote the request id. */
            500: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Overloaded, starting, stopping or without a database: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description The id of this request: the caller's own `X-Request-Id`, or one that the server made. Quote it when asking for help. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
}
