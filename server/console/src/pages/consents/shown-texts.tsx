import { Alert, words } from '../../ui';
import type { Proof } from './proof';

/** The settings' texts in the visitor's language, laid out as on the banner. */
export function ShownTexts({ proof: { shown, language } }: { proof: Proof }) {
  const { banner, categories, default_language, privacy_policy_url } = shown.settings;
  const texts = banner.texts[language] ?? banner.texts[default_language] ?? {};
  return (
    <div className="stack">
      <section className="shown" lang={language} aria-label="Texts of the banner">
        <strong>{texts.title ?? <BuiltIn />}</strong>
        <p>{texts.description ?? <BuiltIn />}</p>
        <p className="row">
          {banner.first_layer_buttons.map((button) => (
            <span key={button} className="shown-button">
              {texts[button] ?? words(button)}
            </span>
          ))}
        </p>
        <dl>
          {categories.map(({ key, name, description, required }) => (
            <div key={key}>
              <dt>
                {texts.categories?.[key]?.name ?? name}
                {required && <span className="muted"> (always active)</span>}
              </dt>
              <dd>{texts.categories?.[key]?.description ?? description}</dd>
            </div>
          ))}
        </dl>
        {privacy_policy_url != null && <p className="hint">{privacy_policy_url}</p>}
      </section>
      <Alert>
        The record names no bundle: the decision was made by a program or an older script. These are the texts
        and categories of the settings version that was in force.
      </Alert>
    </div>
  );
}

const BuiltIn = () => <span className="muted">The product’s own text of this language</span>;
