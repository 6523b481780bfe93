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
        /** @description Erase every record of one visitor's session (GDPR Art. 17). Counts in reports hold no personal data and stay. */
        delete: operations["eraseSession"];
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
        /** @description Change a site or its settings. A change of settings makes a new version; visitors get it within 2 seconds. */
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
        /** @description Add a person. Somebody without an account gets a one-time invitation link, unless a password is given. */
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
        /** @description Remove a person; the last owner cannot be removed (409). */
        delete: operations["removeMember"];
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
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Accepting a one-time link: the first owner's set-up link, or an invitation. */
        AcceptInvitationInput: {
            /** @description The code behind the `#` of the link. It works once, for 7 days. */
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
            /** @description Hand it to the person; it works once, for 7 days, and is shown only here. */
            invitation_url?: string;
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
            title?: string;
            description?: string;
            accept_all?: string;
            reject_all?: string;
            settings?: string;
            save?: string;
        };
        /**
         * @description Light, dark, or as the visitor's system says.
         * @enum {string}
         */
        BannerTheme: "light" | "dark" | "auto";
        /** @description The hash of a banner bundle, as `generateBundle` returned it. */
        BundleHash: string;
        /** @description A purpose group that a visitor can allow or refuse. */
        Category: {
            key: components["schemas"]["CategoryKey"];
            /** @description Shown to visitors. */
            name: string;
            /** @description Shown to visitors: what it is used for. */
            description: string;
            /** @description Strictly necessary: always active, never asked (ePrivacy Art. 5(3)). */
            required: boolean;
        };
        /** @description Which categories are allowed, by category key; required categories are left out. */
        CategoryChoices: {
            [key: string]: boolean;
        };
        /** @description The key of a consent category, unique within its environment. */
        CategoryKey: string;
        ChangePasswordInput: {
            current_password: string;
            new_password: components["schemas"]["NewPassword"];
        };
        /** @description A colour: `#` and six hexadecimal digits. */
        Colour: string;
        /** @description A decision in the visitor script's compact form. */
        CompactConsent: {
            /** @description Makes a repeated report count once, for 24 hours. */
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
             * @description The settings version whose banner was shown; default: the present one.
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
             * @description The settings version whose banner was shown; default: the present one.
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
        CreateEnvironmentInput: {
            name: string;
            domain: components["schemas"]["Domain"];
            /** @description Further domains of the site. */
            domains?: components["schemas"]["Domain"][];
            /** @description Default: `https://` and the domain. */
            url?: components["schemas"]["WebUrl"];
            /** @description What differs from the default settings. */
            settings?: components["schemas"]["SettingsPatch"];
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
        /** @description A domain name without scheme, port or path; internationalised names are accepted and stored as A-labels (RFC 5890). */
        Domain: string;
        /**
         * @description Whether the person confirmed by a second step.
         * @enum {string}
         */
        DoubleOptIn: "none" | "pending" | "confirmed";
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
         * @description `paused` refuses visitor requests with 403.
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
        /** @description The banner was shown. */
        ImpressionInput: {
            /** @description Made by the visitor's browser; a report with an id that was seen within 24 hours is not counted again. */
            event_id?: components["schemas"]["Uuid"];
            session_id?: components["schemas"]["Uuid"];
            page_url?: components["schemas"]["WebUrl"];
            language?: components["schemas"]["Language"];
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
             * @description The settings version whose banner was shown; default: the present one.
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
        /** @description How long records are kept, in days. */
        RetentionDays: {
            /**
             * Format: int32
             * @description Consent records and form consents.
             */
            consents: number;
            /**
             * Format: int32
             * @description Events.
             */
            events: number;
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
        /** @description What the visitor was shown. */
        ShownSettings: {
            /** Format: int32 */
            version: number;
            created_at: components["schemas"]["Instant"];
            settings: components["schemas"]["Settings"];
        };
        /** @description Texts by language tag. */
        TextsByLanguage: {
            [key: string]: components["schemas"]["BannerTexts"];
        };
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
        UpdateEnvironmentInput: {
            name?: string;
            domain?: components["schemas"]["Domain"];
            /** @description Replaces the further domains. */
            domains?: components["schemas"]["Domain"][];
            url?: components["schemas"]["WebUrl"];
            status?: components["schemas"]["EnvironmentStatus"];
            settings?: components["schemas"]["SettingsPatch"];
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
        /** @description Something that the owner should know. */
        Warning: {
            /** @description Stable name of the kind of warning. */
            code: string;
            /** @description What to do. */
            message: string;
        };
        /** @description An absolute http or https URL. */
        WebUrl: string;
    };
    responses: never;
    parameters: {
        "ConsentFilter.decision": components["schemas"]["Decision"];
        "ConsentFilter.session_id": components["schemas"]["Uuid"];
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
        /** @description Only what was recorded at this instant or later. */
        "TimeRangeQuery.from": components["schemas"]["Instant"];
        /** @description Only what was recorded before this instant. */
        "TimeRangeQuery.to": components["schemas"]["Instant"];
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
                     *         }
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
                "application/json": components["schemas"]["CompactConsent"];
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
                "text/plain": components["schemas"]["CompactConsent"];
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
