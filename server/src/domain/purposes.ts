/** The purposes of the IAB Europe Transparency & Consent Framework v2.3, Global Vendor List v3, in short. */
export const PURPOSES = [
  {
    id: 1,
    name: 'Store and/or access information on a device',
    description: 'Cookies, device identifiers or similar can be stored or read on the device.',
  },
  {
    id: 2,
    name: 'Use limited data to select advertising',
    description:
      'Advertising can be based on limited data, such as the page, the rough location or the device type.',
  },
  {
    id: 3,
    name: 'Create profiles for personalised advertising',
    description: 'Information about activity can be combined into a profile for advertising.',
  },
  {
    id: 4,
    name: 'Use profiles to select personalised advertising',
    description: 'Advertising can be based on such profiles.',
  },
  {
    id: 5,
    name: 'Create profiles to personalise content',
    description: 'Information about activity can be combined into a profile for content.',
  },
  {
    id: 6,
    name: 'Use profiles to select personalised content',
    description: 'Content can be based on such profiles.',
  },
  {
    id: 7,
    name: 'Measure advertising performance',
    description: 'How advertising is seen and what follows can be measured.',
  },
  {
    id: 8,
    name: 'Measure content performance',
    description: 'How content is seen and used can be measured.',
  },
  {
    id: 9,
    name: 'Understand audiences through statistics or combinations of data from different sources',
    description: 'Reports can be made about audiences.',
  },
  {
    id: 10,
    name: 'Develop and improve services',
    description: 'Information about activity can help to improve products and services.',
  },
  {
    id: 11,
    name: 'Use limited data to select content',
    description:
      'Content can be based on limited data, such as the page, the rough location or the device type.',
  },
];
