import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { keys, useAnswer } from '../../app/data';
import { placeInWords } from '../../app/errors';
import { useSite } from '../../app/site';
import { Alert, Button, QueryState, type useDraft } from '../../ui';
import { type Difference, differencesOf, restoredDraft } from './differences';
import type { BannerDraft } from './draft';

type Draft = ReturnType<typeof useDraft<BannerDraft>>;

/** Differences that are named; of long values it is only said that they differ. */
const MOST = 30;
const MAX_LENGTH = 60;

/** The banner of an earlier version of the settings, which the address names: it fills the form, and is saved as usual. */
export function RestoredVersion({ draft }: { draft: Draft }) {
  const [params] = useSearchParams();
  const version = Number(params.get('version') ?? 0);
  return Number.isInteger(version) && version > 0 ? (
    <Restoring key={version} version={version} draft={draft} />
  ) : null;
}

function Restoring({ version, draft }: { version: number; draft: Draft }) {
  const { token } = useSite();
  const [, setParams] = useSearchParams();
  const query = useAnswer(keys.site(token, 'settings-versions', String(version)), (api, signal) =>
    api.getSettingsVersion({ token, version }, { signal }),
  );
  const [differences, setDifferences] = useState<readonly Difference[]>();
  const then = query.data?.settings;
  useEffect(() => {
    if (then === undefined || differences !== undefined) return;
    const restored = restoredDraft(draft.base, then);
    setDifferences(differencesOf(draft.base, restored));
    draft.set(restored);
  }, [then, differences, draft]);
  const isDone = differences !== undefined && differences.length > 0 && !draft.dirty;
  useEffect(() => {
    // Set in the same step as the draft, so that this is a save, or somebody who took it back.
    if (isDone) setParams({}, { replace: true });
  }, [isDone, setParams]);
  return (
    <QueryState query={query}>
      {() =>
        differences === undefined ? null : differences.length === 0 ? (
          <Alert live>The banner of version {version} is the present one.</Alert>
        ) : (
          <Alert title={`The banner of version ${version} is in the form`} live>
            <p>
              Nothing is saved yet. Save it as a new version, or change it first. Words about categories, and
              all settings but the banner and its languages, stay as they are now. What is different:
            </p>
            <ul>
              {differences.slice(0, MOST).map((one) => (
                <li key={one.path}>{sentenceOf(one)}</li>
              ))}
              {differences.length > MOST && <li>{differences.length - MOST} more</li>}
            </ul>
            <Button small onPress={() => draft.set(draft.base)}>
              Keep the present banner
            </Button>
          </Alert>
        )
      }
    </QueryState>
  );
}

function sentenceOf({ path, now, then }: Difference): string {
  const place = placeInWords(path.replace(/^banner\./, ''));
  const [is, was] = [inWords(now), inWords(then)];
  return is === undefined || was === undefined
    ? `${place}: another one`
    : `${place}: ${was} instead of ${is}`;
}

/** A short value in words; undefined for a long one. */
function inWords(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return inWords(value.join(', '));
  if (typeof value === 'object') return undefined;
  const text = String(value).replaceAll('_', ' ');
  return text.length > MAX_LENGTH ? undefined : text;
}
