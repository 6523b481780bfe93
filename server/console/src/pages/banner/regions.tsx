import { useState } from 'react';
import { keys, type Schemas, type Site, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, Form, PageHeader, QueryState, Select, Switch, Table, TextField } from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
import { Segments } from '../../ui/segments';
import { Rows } from '../settings/rows';
import { useVendors } from '../vendors/list';
import style from './banner.module.css';
import { nextVersion } from './next-version';
import { BannerSections } from './sections';
import { useSettled } from './use-preview';
import { useSettingsForm } from './use-settings-form';

type Rule = Schemas['RegionRule'];
type Override = Schemas['RegionOverride'];

interface Draft {
  isOn: boolean;
  overrides: Override[];
}

const RULES: readonly (readonly [Rule, string])[] = [
  ['opt_in', 'Ask first'],
  ['opt_out', 'Allow until the visitor objects'],
  ['notice', 'Tell only'],
];
const SHORT: readonly (readonly [Rule, string])[] = [
  ['opt_in', 'Asked'],
  ['opt_out', 'May object'],
  ['notice', 'Told'],
];
const nameOf = (rule: Rule): string => RULES.find(([key]) => key === rule)?.[1] ?? rule;

const toDraft = ({ settings: { regions } }: Site): Draft => ({
  isOn: regions != null,
  overrides: regions?.overrides ?? [],
});

const toSettings = ({ isOn, overrides }: Draft, { settings }: Site): Schemas['SettingsPatch'] => ({
  // What was left on under a rule is no consent: everybody is asked.
  ...(!isOn && settings.regions != null && { policy_version: nextVersion(settings.policy_version) }),
  regions: isOn
    ? {
        rules: 'law',
        ...(overrides.length > 0 && {
          overrides: overrides.map(({ region, rule }) => ({ region: region.trim().toUpperCase(), rule })),
        }),
      }
    : null,
});

/** Whom the banner asks, by where they are; with what the laws say. */
export default function RegionsPage() {
  const { may } = useSite();
  return (
    <>
      <PageHeader title="Regions">
        Laws differ: some want consent first, some a way to object, some only that visitors are told.
      </PageHeader>
      <BannerSections />
      {may('owner') ? <Editor /> : <Alert>Only owners can change the rules.</Alert>}
      <Laws />
    </>
  );
}

function Editor() {
  const { value, set, form } = useSettingsForm({
    toDraft,
    toSettings,
    success: 'Regions saved; visitors get them when you publish the banner',
  });
  return (
    <div className={style.bannerPage}>
      <Form {...form}>
        <Card title="Rules">
          <Switch
            label="Rules by the visitor’s region"
            hint="Off, every visitor is asked before anything that is not necessary. When you switch them off, everybody is asked again."
            name="settings.regions"
            value={value.isOn}
            onChange={(isOn) => set({ isOn })}
          />
          {value.isOn && (
            <Rows
              rows={value.overrides}
              onChange={(overrides) => set({ overrides })}
              titleOf={({ region }, index) => region || `rule ${index + 1}`}
              add="Add a rule of your own"
              make={(): Override => ({ region: '', rule: 'opt_in' })}
            >
              {({ region, rule }, index, change) => (
                <div className="two">
                  <TextField
                    label="Region"
                    description="Such as DE, or US-CA for a state."
                    name={`settings.regions.overrides.${index}.region`}
                    isRequired
                    maxLength={6}
                    value={region}
                    onChange={(code) => change({ region: code })}
                  />
                  <Select
                    label="Rule"
                    name={`settings.regions.overrides.${index}.rule`}
                    isRequired
                    options={RULES}
                    value={rule}
                    onChange={(next) => change({ rule: next })}
                  />
                </div>
              )}
            </Rows>
          )}
        </Card>
      </Form>
      {value.isOn && <Preview draft={value} />}
    </div>
  );
}

/** The banner as visitors see it under each rule, and what is to be said of the rules. */
function Preview({ draft }: { draft: Draft }) {
  const site = useSite();
  const { token, settings: saved } = site;
  const [rule, setRule] = useState<Rule>('opt_out');
  const settings = useSettled(toSettings(draft, site));
  const vendors = useVendors().data?.vendors ?? [];
  const query = useAnswer(
    keys.site(token, 'preview', settings, 'regions'),
    (api, signal) => api.previewBundle({ token, body: { settings } }, { signal }),
    { keep: true },
  );
  const warnings = query.data?.warnings.filter(({ code }) => code === 'region_rule') ?? [];
  const frame = { language: saved.default_language, title: 'The banner' };
  return (
    <aside className={style.bannerPreview} aria-label="Preview">
      <Card title="Preview">
        <Segments label="A visitor who is" options={SHORT} value={rule} onChange={setRule} />
        <QueryState query={query} loading={<PreviewFrame script={undefined} {...frame} />}>
          {({ script }) => <PreviewFrame script={script} rule={rule} vendors={vendors} {...frame} />}
        </QueryState>
      </Card>
      {warnings.map(({ message }) => (
        <Alert key={message} tone="warn" live>
          {message}
        </Alert>
      ))}
    </aside>
  );
}

function Laws() {
  const query = useAnswer(['region-laws'], (api, signal) => api.getRegionLaws({}, { signal }));
  return (
    <Card title="What the laws ask">
      <QueryState query={query}>
        {({ version, laws, otherwise }) => (
          <>
            <p className="muted">
              As of {version}, and no legal advice. Elsewhere: {nameOf(otherwise).toLowerCase()}.
            </p>
            <Table
              label="What the laws ask"
              rows={laws}
              rowKey={({ regions }) => regions.join()}
              columns={[
                { title: 'Regions', cell: ({ regions }) => regions.join(', ') },
                { title: 'Rule', cell: ({ rule }) => nameOf(rule) },
                {
                  title: 'Law',
                  cell: ({ law, citation, source }) => (
                    <>
                      <a className="link" href={source} target="_blank" rel="noopener noreferrer">
                        {law}
                      </a>
                      <span className="hint block">{citation}</span>
                    </>
                  ),
                },
                {
                  title: 'Browser’s signal',
                  cell: ({ universal_opt_out: must }) => (must ? 'Must be honoured' : 'Not required'),
                },
              ]}
            />
          </>
        )}
      </QueryState>
    </Card>
  );
}
