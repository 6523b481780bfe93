import { keys, type Schemas, type Site, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import {
  Alert,
  Card,
  Checkbox,
  Form,
  PageHeader,
  QueryState,
  Switch,
  Table,
  TextArea,
  TextField,
} from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
import { PURPOSES } from '../vendors/purposes';
import style from './banner.module.css';
import { BannerSections } from './sections';
import { idsIn, textOf } from './tcf-ids';
import { List, Missing } from './tcf-state';
import { useSettled } from './use-preview';
import { useSettingsForm } from './use-settings-form';

interface Draft {
  isOn: boolean;
  country: string;
  /** Numbers with commas; empty for all. */
  vendors: string;
  consentOnly: number[];
  refused: number[];
  purposeOne: boolean;
  /** By category key: numbers of purposes with commas; empty for the usual ones. */
  categories: Record<string, string>;
}

/** Those that a vendor may use by legitimate interest at all. */
const BY_INTEREST = [2, 7, 8, 9, 10, 11];

const toDraft = ({ settings: { tcf, categories } }: Site): Draft => ({
  isOn: tcf != null,
  country: tcf?.publisher_country ?? '',
  vendors: textOf(tcf?.vendors),
  consentOnly: tcf?.consent_only_purposes ?? [],
  refused: tcf?.refused_purposes ?? [],
  purposeOne: tcf?.purpose_one_treatment ?? false,
  categories: Object.fromEntries(
    categories.filter(({ required }) => !required).map(({ key }) => [key, textOf(tcf?.categories?.[key])]),
  ),
});

const toSettings = (draft: Draft): Schemas['SettingsPatch'] => {
  if (!draft.isOn) return { tcf: null };
  const vendors = idsIn(draft.vendors);
  const own = Object.entries(draft.categories).filter(([, text]) => text.trim() !== '');
  return {
    tcf: {
      publisher_country: draft.country.trim().toUpperCase(),
      ...(vendors.length > 0 && { vendors }),
      ...(draft.consentOnly.length > 0 && { consent_only_purposes: draft.consentOnly }),
      ...(draft.refused.length > 0 && { refused_purposes: draft.refused }),
      ...(draft.purposeOne && { purpose_one_treatment: true }),
      ...(own.length > 0 && {
        categories: Object.fromEntries(own.map(([key, text]) => [key, idsIn(text)])),
      }),
    },
  };
};

/** IAB Europe's framework on the site: what the server has of it, and what visitors are asked by it. */
export default function TcfPage() {
  const { token, may } = useSite();
  const query = useAnswer(keys.site(token, 'tcf'), (api, signal) => api.getTcf({ token }, { signal }));
  return (
    <>
      <PageHeader title="IAB TCF">
        Visitors are asked by the Transparency & Consent Framework 2.3 of IAB Europe, and advertisers read
        their choice from its string.
      </PageHeader>
      <BannerSections />
      <QueryState query={query}>
        {(state) => (
          <>
            <Missing state={state} />
            {may('owner') ? <Editor state={state} /> : <Alert>Only owners can change this.</Alert>}
            <List state={state} />
          </>
        )}
      </QueryState>
    </>
  );
}

function Editor({ state }: { state: Schemas['TcfState'] }) {
  const { settings } = useSite();
  const { value, set, form } = useSettingsForm({
    toDraft,
    toSettings,
    success: 'Framework saved; visitors get it when you publish the banner',
  });
  const isReady = state.cmp !== null && state.list !== null;
  return (
    <div className={style.bannerPage}>
      <Form {...form}>
        <Card title="Framework">
          <Switch
            label="Ask by the framework"
            hint="Switched on, everybody is asked again. The categories of your site follow the purposes."
            name="settings.tcf"
            value={value.isOn}
            isDisabled={state.cmp === null && !value.isOn}
            onChange={(isOn) => set({ isOn })}
          />
          {value.isOn && (
            <>
              <TextField
                label="Publisher’s country"
                description="Two letters, such as DE: whose law your company is under."
                name="settings.tcf.publisher_country"
                isRequired
                maxLength={2}
                value={value.country}
                onChange={(country) => set({ country })}
              />
              <TextArea
                label="Vendors"
                description="Numbers of the list below with commas; empty for all of it. Fewer are better understood."
                name="settings.tcf.vendors"
                value={value.vendors}
                onChange={(vendors) => set({ vendors })}
              />
              <Switch
                label="Do not ask for purpose 1"
                hint="Only where the country’s law does not want consent to storing information on a device."
                name="settings.tcf.purpose_one_treatment"
                value={value.purposeOne}
                onChange={(purposeOne) => set({ purposeOne })}
              />
            </>
          )}
        </Card>
        {value.isOn && <Restrictions value={value} set={set} />}
        {value.isOn && (
          <Card title="Categories">
            <p className="muted">
              Purposes that a visitor must allow, all of them, for what waits for a category. Empty: the usual
              ones.
            </p>
            {settings.categories
              .filter(({ required }) => !required)
              .map(({ key, name }) => (
                <TextField
                  key={key}
                  label={name}
                  name={`settings.tcf.categories.${key}`}
                  value={value.categories[key] ?? ''}
                  onChange={(text) => set({ categories: { ...value.categories, [key]: text } })}
                />
              ))}
          </Card>
        )}
      </Form>
      {value.isOn && isReady && /^[A-Za-z]{2}$/.test(value.country.trim()) && <Preview draft={value} />}
    </div>
  );
}

/** What the publisher does not let vendors do. */
function Restrictions({ value, set }: { value: Draft; set: (part: Partial<Draft>) => void }) {
  const put = (all: number[], id: number, isIn: boolean): number[] =>
    [...all.filter((one) => one !== id), ...(isIn ? [id] : [])].sort((a, b) => a - b);
  return (
    <Card title="Restrictions">
      <Table
        label="Restrictions by purpose"
        rows={PURPOSES}
        rowKey={({ id }) => `${id}`}
        columns={[
          { title: 'Purpose', cell: ({ id, name }) => `${id}. ${name}` },
          {
            title: 'Only by consent',
            cell: ({ id }) =>
              BY_INTEREST.includes(id) ? (
                <Checkbox
                  label={<span className="visually-hidden">Purpose {id} only by consent</span>}
                  value={value.consentOnly.includes(id)}
                  onChange={(isIn) => set({ consentOnly: put(value.consentOnly, id, isIn) })}
                />
              ) : (
                'Always'
              ),
          },
          {
            title: 'Not at all',
            cell: ({ id }) => (
              <Checkbox
                label={<span className="visually-hidden">Purpose {id} not at all</span>}
                value={value.refused.includes(id)}
                onChange={(isIn) => set({ refused: put(value.refused, id, isIn) })}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}

function Preview({ draft }: { draft: Draft }) {
  const { token, settings: saved } = useSite();
  const settings = useSettled(toSettings(draft));
  const query = useAnswer(
    keys.site(token, 'preview', settings, 'tcf'),
    (api, signal) => api.previewBundle({ token, body: { settings } }, { signal }),
    { keep: true },
  );
  const warnings = query.data?.warnings.filter(({ code }) => code.startsWith('tcf_')) ?? [];
  const frame = { language: saved.default_language, title: 'The banner' };
  return (
    <aside className={style.bannerPreview} aria-label="Preview">
      <Card title="Preview">
        <QueryState query={query} loading={<PreviewFrame script={undefined} {...frame} />}>
          {({ script }) => <PreviewFrame script={script} {...frame} />}
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
