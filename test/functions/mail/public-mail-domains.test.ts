import { isPublicMailDomain } from '#mail/mail-preview.ts';

const PUBLIC =
  'gmail.com outlook.com outlook.sa hotmail.co.uk yahoo.com.kw live.nl icloud.com fastmail.com tuta.com ' +
  'yandex.com.tr me.com qq.com qualitynet.net mailinator.com';
const OTHERS = 'example.com bakery.example gmail.com.bakery.example live.bakery.example mygmail.com';

it.each(PUBLIC.split(' '))('%s is a public mail domain', (domain) => {
  expect(isPublicMailDomain(domain)).toBe(true);
});

it.each(['', ...OTHERS.split(' ')])('%j is none', (domain) => {
  expect(isPublicMailDomain(domain)).toBe(false);
});
