import './tabs.css';
import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';

/** Parts of one page, one at a time. Parts with an address of their own are routes instead. */
export function Tabs<Key extends string>({
  label,
  tabs,
  selected,
  onChange,
}: {
  label: string;
  tabs: readonly (readonly [Key, string, ReactNode])[];
  selected?: Key;
  onChange?: (key: Key) => void;
}) {
  return (
    <AriaTabs
      className="tabs"
      {...(selected !== undefined && { selectedKey: selected })}
      onSelectionChange={(key) => onChange?.(key as Key)}
    >
      <TabList aria-label={label} className="tab-list">
        {tabs.map(([key, name]) => (
          <Tab key={key} id={key} className="tab">
            {name}
          </Tab>
        ))}
      </TabList>
      {tabs.map(([key, , content]) => (
        <TabPanel key={key} id={key} className="tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
